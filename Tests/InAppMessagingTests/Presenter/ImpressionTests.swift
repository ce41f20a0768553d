import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct ImpressionTests {
  // Proves: R-25, F26, §7.2
  @Test func `left to its drawer who says nothing, it does not count, each time with a warning`() {
    var rehearsal = Rehearsal()
    for id in ["a", "b", "c"] {
      rehearsal.feed(.deliver(message(id, campaign: "c") { $0.impression = .explicit }))
      rehearsal.view(.detached())
      rehearsal.pass(.seconds(100))
    }
    #expect(rehearsal.count("willPresent") == 3)
    #expect(rehearsal.count("warn") == 3)
    #expect(rehearsal.count("impression") == 0)
    #expect(!rehearsal.presenter.isScreenTaken)
    #expect(
      rehearsal.take("report a") == [
        "report a started",
        "report a dismissed(InAppMessaging.InAppMessage.DismissReason.programmatic)",
      ])
  }

  // Proves: F11, F27, R-25, §7.2
  @Test(arguments: [
    MessagePresenter.DisplayReport.impression, .clicked(button: nil), .dismissed(.swipe),
  ])
  func `any word of who draws it counts once`(report: MessagePresenter.DisplayReport) {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m") { $0.impression = .explicit }))
    #expect(rehearsal.count("impression") == 0)
    for _ in 1...2 { rehearsal.report(report) }
    rehearsal.view(.detached())
    #expect(rehearsal.count("report m impression") == 1)
    #expect(rehearsal.count("warn") == 0)
    #expect(rehearsal.count("finished m") == 1)
  }

  // Proves: R-41, §7.2
  @Test func `an impression alone does not keep the screen once the view is gone`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m") { $0.impression = .explicit }))
    rehearsal.report(.impression)
    rehearsal.view(.detached())
    rehearsal.feed(.deliver(message("n")))
    #expect(rehearsal.presenter.visibleMessage?.id == "n")
  }

  // Proves: F13
  @Test func `reported before it is on screen it counts when it is, and not if it never is`() {
    var rehearsal = Rehearsal()
    rehearsal.viewShows = false
    for (id, event) in [("m", MessageViewEvent.presented), ("n", .failed(.image))] {
      rehearsal.feed(.deliver(message(id) { $0.impression = .explicit }))
      rehearsal.report(.impression)
      #expect(rehearsal.count("impression") == 0)
      rehearsal.view(event)
      #expect(
        rehearsal.take("impression", "didPresent")
          == (id == "m" ? ["impression m", "didPresent m"] : []))
      rehearsal.view(.closed(.button))
    }
    #expect(!rehearsal.presenter.isScreenTaken)
  }

  @Test func `said to be gone before it was said to be there, it comes and goes`() {
    var rehearsal = Rehearsal()
    rehearsal.viewShows = false
    rehearsal.feed(.deliver(message("m") { $0.impression = .explicit }))
    rehearsal.report(.dismissed(.swipe))
    rehearsal.view(.presented)
    #expect(
      rehearsal.take("impression", "did", "will") == [
        "willPresent m", "didPresent m", "impression m", "willDismiss m swipe",
        "didDismiss m swipe",
      ])
  }

  // Proves: R-25
  @Test func `time in sight is added up, and does not run in the background`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m", kind: .card)))
    rehearsal.pass(.seconds(2))
    rehearsal.change { $0.isVisible = false }
    rehearsal.pass(.seconds(60))
    #expect(rehearsal.presenter.nextDeadline == nil)
    rehearsal.change { $0.isVisible = true }
    rehearsal.pass(.milliseconds(999))
    #expect(rehearsal.count("impression") == 0)
    rehearsal.pass(.milliseconds(1))
    #expect(rehearsal.count("impression m") == 1)
    rehearsal.pass(.seconds(60))
    #expect(rehearsal.count("impression m") == 1)
  }

  // Proves: F27, R-25
  @Test func `who closes it early has seen it, and a change of people has not`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m", kind: .banner)))
    rehearsal.pass(.seconds(1))
    rehearsal.view(.closed(.swipe()))
    #expect(rehearsal.take("impression", "willDismiss") == ["impression m", "willDismiss m swipe"])
    rehearsal.feed(.deliver(message("n", kind: .banner)))
    rehearsal.feed(.userChanged("u2"))
    #expect(rehearsal.count("impression") == 0)
  }

  // Proves: F27, R-25
  @Test func `what closes by itself before it was long enough in sight was seen, too`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m", kind: .banner) { $0.closing.after = .seconds(1) }))
    rehearsal.pass(.seconds(1))
    #expect(
      rehearsal.take("impression", "willDismiss") == ["impression m", "willDismiss m automatic"])
  }

  // Proves: F27, R-26
  @Test func `a click that nobody reported an impression for is one, before it is a click`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m") { $0.impression = .explicit }))
    rehearsal.report(.clicked(button: nil))
    #expect(
      rehearsal.take("report m impression", "report m clicked", "process") == [
        "report m impression", "report m clicked(button: nil)", "process body",
      ])
  }

  // Proves: R-24
  @Test func `it closes by itself after its time in sight, as the app last had it`() {
    var rehearsal = Rehearsal()
    rehearsal.prepare = { $0.message.closing.after = .seconds(4) }
    rehearsal.feed(.deliver(message("m", kind: .slideup)))
    rehearsal.pass(.seconds(3))
    rehearsal.change { $0.isVisible = false }
    rehearsal.pass(.seconds(10))
    rehearsal.change { $0.isVisible = true }
    rehearsal.pass(.milliseconds(999))
    #expect(rehearsal.count("willDismiss") == 0)
    rehearsal.pass(.milliseconds(1))
    #expect(rehearsal.count("didDismiss m automatic") == 1)
  }

  // Proves: R-24
  @Test func `the time until it closes begins when it is there`() {
    var rehearsal = Rehearsal()
    rehearsal.viewShows = false
    rehearsal.feed(.deliver(message("m") { $0.closing.after = .seconds(2) }))
    rehearsal.pass(.seconds(5))
    rehearsal.view(.presented)
    rehearsal.pass(.milliseconds(1_999))
    #expect(rehearsal.count("willDismiss") == 0)
    rehearsal.pass(.milliseconds(1))
    #expect(rehearsal.count("willDismiss") == 1)
  }

  // Proves: R-36
  @Test func `a player that comes back after a restart is there at once and counts no more`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(player("p"), wasSeen: true))
    #expect(
      rehearsal.take() == [
        "prepare p", "statusBar hidden", "willPresent p", "report p started", "show p",
        "didPresent p",
      ])
    rehearsal.view(.closed(.button))
    #expect(rehearsal.count("impression") == 0 && rehearsal.count("report p impression") == 0)
  }

  // Proves: R-25
  @Test func `shown while the app is out of sight, no time runs until it is in sight`() {
    var rehearsal = Rehearsal(platform: PlatformState(isVisible: false))
    rehearsal.feed(.deliver(message("m", kind: .banner)))
    rehearsal.pass(.seconds(60))
    #expect(rehearsal.count("impression") == 0)
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
    rehearsal.change { $0.isVisible = true }
    rehearsal.pass(.seconds(3))
    #expect(rehearsal.count("impression") == 1)
  }
}
