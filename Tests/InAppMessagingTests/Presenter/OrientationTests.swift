import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct OrientationTests {
  static let windows: [(width: Double, height: Double)] = [(390, 844), (844, 390), (600, 600)]

  // Proves: B7, B10, B11, B13, B14, R-20, R-23
  @Test(
    arguments: InAppMessage.OrientationSupport.allCases, [nil, Orientation.portrait, .landscape])
  func `the device decides whether, the app how: all 27 rows`(
    supported: InAppMessage.OrientationSupport, preferred: Orientation?
  ) {
    for window in Self.windows {
      let device = window.width > window.height ? Orientation.landscape : .portrait
      var rehearsal = Rehearsal(
        platform: PlatformState(width: window.width, height: window.height))
      rehearsal.prepare = { $0.preferredOrientation = preferred }
      rehearsal.feed(.deliver(message("m") { $0.orientation = supported }))
      let isShown = supported == .any || supported.rawValue == device.rawValue
      #expect((rehearsal.shown != nil) == isShown)
      // The app is not even asked to prepare what cannot be shown.
      #expect(rehearsal.count("prepare") == (isShown ? 1 : 0))
      guard isShown else {
        #expect(rehearsal.lines.contains("report m refused(\(refusal(.orientation)))"))
        continue
      }
      let isHonoured = preferred.map { supported == .any || $0.rawValue == supported.rawValue }
      #expect(rehearsal.shown?.orientation == (isHonoured == true ? preferred : device))
      #expect(rehearsal.count("warn m unsupportedOrientation") == (isHonoured == false ? 1 : 0))
    }
  }

  // Proves: B8, R-23, §7.6
  @Test func `an app that cannot be held so shows the message as it is held`() {
    var rehearsal = Rehearsal(
      platform: PlatformState(width: 844, height: 390, supportedOrientations: [.landscape]))
    rehearsal.prepare = { $0.preferredOrientation = .portrait }
    rehearsal.feed(.deliver(message("m")))
    #expect(rehearsal.shown?.orientation == .landscape)
    #expect(rehearsal.count("hold") == 0)
  }

  // Proves: B10, §7.6
  @Test func `refused for how the device was held, it is shown when held otherwise`() {
    var rehearsal = Rehearsal(platform: PlatformState(width: 844, height: 390))
    rehearsal.prepare = { $0.preferredOrientation = .portrait }
    rehearsal.feed(.deliver(message("m", campaign: "c") { $0.orientation = .portrait }))
    #expect(rehearsal.take("prepare", "report") == ["report m refused(\(refusal(.orientation)))"])
    rehearsal.change { $0.orientation = .portrait }
    rehearsal.feed(.deliver(message("n", campaign: "c") { $0.orientation = .portrait }))
    #expect(rehearsal.presenter.visibleMessage?.id == "n")
  }

  // Proves: B9
  @Test func `once on screen a message follows the device, if it stands so as well`() {
    var rehearsal = Rehearsal()
    rehearsal.prepare = { $0.preferredOrientation = .landscape }
    rehearsal.feed(.deliver(message("m")))
    #expect(rehearsal.shown?.orientation == .landscape)
    #expect(rehearsal.take("hold") == ["hold landscape"])
    // The window turns because the app is held so.
    rehearsal.change { $0.orientation = .landscape }
    #expect(rehearsal.take("hold", "update") == [])
    rehearsal.change { $0.orientation = .portrait }
    #expect(rehearsal.take("hold", "update") == ["hold free", "update m"])
    #expect(rehearsal.shown?.orientation == .portrait)
  }

  // Proves: B9
  @Test func `one that stands only in portrait stays so, and lets the app go in the end`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m") { $0.orientation = .portrait }))
    rehearsal.change { $0.orientation = .landscape }
    #expect(rehearsal.shown?.orientation == .portrait)
    rehearsal.view(.closed(.button))
    #expect(
      rehearsal.take("hold", "update", "didDismiss") == [
        "hold portrait", "hold free", "didDismiss m closeButton",
      ])
  }

  @Test func `turned while it comes, it follows when it is there`() {
    var rehearsal = Rehearsal()
    rehearsal.viewShows = false
    rehearsal.feed(.deliver(message("m")))
    rehearsal.change { $0.orientation = .landscape }
    #expect(rehearsal.count("update") == 0)
    rehearsal.view(.presented)
    #expect(rehearsal.take("didPresent", "update") == ["didPresent m", "update m"])
  }

  // Proves: R-20
  @Test func `turned while its images load, it is not shown where it does not fit`() throws {
    var rehearsal = Rehearsal()
    rehearsal.assets = []
    rehearsal.feed(.deliver(message("m", kind: .modalImage) { $0.orientation = .portrait }))
    rehearsal.change { $0.orientation = .landscape }
    rehearsal.feed(.assets(.loaded, try #require(rehearsal.presenter.currentToken)))
    #expect(rehearsal.lines.contains("report m refused(\(refusal(.orientation)))"))
    #expect(!rehearsal.presenter.isScreenTaken)
  }
}

extension Rehearsal {
  /// What the view was told to show last.
  var shown: ShownMessage? {
    for output in outputs.reversed() {
      switch output {
      case .view(.show(let shown), _), .view(.update(let shown), _): return shown
      default: break
      }
    }
    return nil
  }
}
