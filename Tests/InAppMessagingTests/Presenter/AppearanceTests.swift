import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct AppearanceTests {
  static let kinds: [InAppMessage.Kind] = [
    .slideup, .modal, .modalImage, .full, .fullImage, .html, .control,
  ]

  // Proves: B28, B29
  @Test(arguments: PresentationContext.StatusBarHideBehavior.allCases, kinds)
  func `the status bar of three wishes and seven kinds`(
    wish: PresentationContext.StatusBarHideBehavior, kind: InAppMessage.Kind
  ) {
    var rehearsal = Rehearsal()
    rehearsal.prepare = { $0.statusBarHideBehavior = wish }
    rehearsal.feed(.deliver(message("m", kind: kind)))
    let expected: String? =
      switch (wish, kind) {
      case (_, .control): nil
      case (.hidden, _): "statusBar hidden"
      case (.visible, _): "statusBar shown"
      case (.auto, .full), (.auto, .fullImage), (.auto, .html): "statusBar hidden"
      case (.auto, _): nil
      }
    #expect(rehearsal.take("statusBar") == [expected].compactMap(\.self))
    rehearsal.view(.closed(.escape))
    #expect(rehearsal.take("statusBar") == (expected == nil ? [] : ["statusBar back"]))
  }

  // Proves: B19
  @Test(arguments: kinds)
  func `an app that takes dark colours away may do so of any kind`(kind: InAppMessage.Kind) {
    var rehearsal = Rehearsal(platform: PlatformState(colorScheme: .dark))
    rehearsal.prepare = { $0.message = $0.message.removingDarkThemes() }
    let delivered = message("m", kind: kind) {
      // Of a page and a control there is nothing to take away.
      if kind != .html, kind != .control { $0.themes.dark = InAppMessage.Theme() }
    }
    rehearsal.feed(.deliver(delivered))
    #expect(rehearsal.count("didPresent m") == 1)
    if kind == .html { #expect(rehearsal.presenter.visibleMessage == delivered) }
    #expect(rehearsal.presenter.visibleMessage?.themes.dark == nil)
    rehearsal.view(.closed(.escape))
    #expect(rehearsal.count("finished m") == 1)
  }

  // Proves: B30
  @Test func `in a large window a full screen message is a dialog, a page is not`() {
    for (kind, covers) in [(InAppMessage.Kind.full, false), (.fullImage, false), (.html, true)] {
      var rehearsal = Rehearsal(platform: PlatformState(width: 1_024, height: 768))
      rehearsal.feed(.deliver(message("m", kind: kind)))
      #expect(rehearsal.shown?.coversScreen == covers)
      #expect(rehearsal.take("statusBar") == (covers ? ["statusBar hidden"] : []))
    }
    var rehearsal = Rehearsal(platform: PlatformState(width: 1_024, height: 599))
    rehearsal.feed(.deliver(message("m", kind: .full)))
    #expect(rehearsal.shown?.coversScreen == true)
    rehearsal.change { $0.height = 600 }
    #expect(rehearsal.shown?.coversScreen == false)
    #expect(rehearsal.take("statusBar") == ["statusBar hidden", "statusBar back"])
  }

  // Proves: B29
  @Test func `the status bar comes back when the message never came, and when people change`() {
    for input in [MessagePresenter.Input.userChanged("u2"), .dataWiped, .pageClosed] {
      var rehearsal = Rehearsal()
      rehearsal.feed(.deliver(message("m", kind: .full)))
      rehearsal.feed(input)
      #expect(rehearsal.take("statusBar") == ["statusBar hidden", "statusBar back"])
    }
    var rehearsal = Rehearsal()
    rehearsal.viewShows = false
    rehearsal.feed(.deliver(message("m", kind: .full)))
    rehearsal.view(.failed(.other))
    #expect(rehearsal.take("statusBar") == ["statusBar hidden", "statusBar back"])
  }

  // Proves: B15, B17, B21, §7.5
  @Test func `colours follow the surroundings, without new events and without a new campaign`() {
    let (light, dark) = (theme(0xFF00_0000), theme(0xFFFF_FFFF))
    let stored = message("m") {
      $0.themes = .init(light: light, dark: dark)
      $0.buttons = [.init(id: "1", text: "Go", themes: .init(light: light, dark: dark))]
    }
    var rehearsal = Rehearsal(platform: PlatformState(colorScheme: .dark))
    rehearsal.prepare = { $0.message.themes.dark = nil }
    rehearsal.feed(.deliver(stored))
    #expect(rehearsal.shown?.theme == light)
    #expect(rehearsal.shown?.theme(of: stored.buttons[0]) == dark)
    _ = rehearsal.take()
    rehearsal.change { $0.colorScheme = .light }
    #expect(rehearsal.take() == ["update m"])
    #expect(rehearsal.shown?.theme(of: stored.buttons[0]) == light)
    rehearsal.change { $0.colorScheme = .dark }
    rehearsal.view(.closed(.button))
    rehearsal.prepare = { $0.message = $0.message.removingDarkThemes() }
    rehearsal.feed(
      .deliver(
        message("n") {
          $0.themes = stored.themes; $0.buttons = stored.buttons
        }))
    #expect(rehearsal.shown?.theme == light)
    #expect(rehearsal.shown?.message.buttons.allSatisfy { $0.themes.dark == nil } == true)
    rehearsal.view(.closed(.button))
    rehearsal.prepare = { _ in }
    rehearsal.feed(.deliver(message("o") { $0.themes = stored.themes }))
    #expect(rehearsal.shown?.theme == dark)
  }

  private func theme(_ argb: UInt32) -> InAppMessage.Theme {
    var theme = InAppMessage.Theme()
    theme.text = Color(argb: argb)
    return theme
  }

  // Proves: F19
  @Test func `an app with a design of its own takes no colours from campaigns`() {
    var settings = PresenterSettings()
    settings.ignoresCampaignColors = true
    var rehearsal = Rehearsal(settings)
    rehearsal.feed(
      .deliver(
        message("m") {
          $0.themes = .init(light: theme(1))
          $0.buttons = [.init(id: "1", text: "Go", themes: .init(light: theme(1)))]
        }))
    #expect(rehearsal.shown?.theme == InAppMessage.Theme())
    #expect(rehearsal.shown?.message.buttons[0].themes == InAppMessage.Themes())
  }

  @Test func `who wants less motion gets none`() {
    var rehearsal = Rehearsal(platform: PlatformState(reducesMotion: true))
    rehearsal.feed(.deliver(message("m")))
    #expect(rehearsal.shown?.isAnimated == false)
    rehearsal.view(.closed(.button))
    #expect(rehearsal.count("dismiss at once") == 1)
    rehearsal.change { $0.reducesMotion = false }
    rehearsal.feed(.deliver(message("n") { $0.animatesIn = false }))
    #expect(rehearsal.shown?.isAnimated == false)
    rehearsal.view(.closed(.button))
    #expect(rehearsal.count("dismiss moving") == 1)
  }

  // Proves: B6, R-23
  @Test func `an app may put another message in its place, but not another's id`() {
    var rehearsal = Rehearsal()
    rehearsal.prepare = { context in
      context.message = InAppMessage(id: "mine", kind: .slideup, body: .text(.init("Mine")))
    }
    rehearsal.feed(.deliver(message("m")))
    let shown = rehearsal.shown?.message
    #expect(shown?.id == "m")
    #expect(shown?.campaign?.id == "cm")
    #expect(shown?.body == .text(.init("Mine")))
    #expect(rehearsal.count("warn m identityChanged") == 1)
    #expect(rehearsal.count("report m impression") == 1)
  }

  // Proves
  @Test func `what an app puts in its place has to be in order as well`() {
    for broken in [
      message("x") { $0.body = .text(.init("")) }, message("x", kind: .control),
      message("x") { $0.extras["view_type"] = .string("video") },
    ] {
      var rehearsal = Rehearsal()
      rehearsal.prepare = { $0.message = broken }
      rehearsal.feed(.deliver(message("m")))
      #expect(rehearsal.count("willPresent") == 0)
      #expect(rehearsal.lines.contains("report m refused(\(refusal(.invalidContent)))"))
    }
  }

  // Proves: A4, A5
  @Test func `a campaign says how far from the edge, and the app has the last word`() {
    var rehearsal = Rehearsal()
    let slideup = message("m", kind: .slideup) { $0.extras["edge_offset"] = .number(24) }
    rehearsal.feed(.deliver(slideup))
    #expect(rehearsal.shown?.edgeOffset == 24)
    rehearsal.view(.closed(.swipe()))
    rehearsal.prepare = { $0.edgeOffset += 8 }
    rehearsal.feed(.deliver(message("n", kind: .slideup) { $0.extras = slideup.extras }))
    #expect(rehearsal.shown?.edgeOffset == 32)
  }
}
