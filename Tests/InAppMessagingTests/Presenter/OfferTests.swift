import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct OfferTests {
  // Proves: R-13
  @Test func `a message for somebody else is refused before the app hears of it`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m", user: "u2")))
    #expect(rehearsal.count("choice") == 0)
    #expect(rehearsal.count("finished m refused(InAppMessaging.InAppMessage.Refusal.userMism") == 1)
    rehearsal.feed(.present(local("l")))
    #expect(rehearsal.presenter.visibleMessage?.id == "l")
  }

  // Proves: R-14
  @Test func `while the app wants none, messages are refused or wait, as it says`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.suppress(.discard))
    rehearsal.feed(.deliver(message("m")))
    #expect(rehearsal.count("report m refused(InAppMessaging.InAppMessage.Refusal.supp") == 1)
    rehearsal.feed(.suppress(.queue))
    rehearsal.feed(.deliver(message("n")))
    #expect(
      rehearsal.take("report") == ["report m refused(\(refusal(.suppressed)))", "report n waiting"])
    rehearsal.feed(.suppress(.none))
    #expect(rehearsal.take() == [])
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["n"])
  }

  // Proves
  @Test func `messages that waited come when the app wants them, if the stack drains by itself`() {
    var settings = PresenterSettings()
    settings.drainPolicy = .onSlotFree
    var rehearsal = Rehearsal(settings)
    rehearsal.feed(.suppress(.queue))
    for id in ["m", "n"] { rehearsal.feed(.deliver(message(id))) }
    rehearsal.feed(.suppress(.none))
    #expect(rehearsal.presenter.visibleMessage?.id == "n")
    rehearsal.view(.closed(.button))
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
  }

  // Proves: R-14
  @Test func `suppressed while the app thought or images loaded, a message is not shown`() throws {
    var rehearsal = Rehearsal()
    rehearsal.assets = []
    rehearsal.feed(.deliver(message("m", kind: .modalImage)))
    let token = rehearsal.presenter.currentToken
    rehearsal.feed(.suppress(.discard))
    if let token { rehearsal.feed(.assets(.loaded, token)) }
    #expect(rehearsal.count("prepare") == 0)
    #expect(rehearsal.lines.contains("report m refused(\(refusal(.suppressed)))"))
    #expect(rehearsal.lines.contains("release"))
    rehearsal.feed(.suppress(.none))
    rehearsal.choice = { _ in nil }
    rehearsal.feed(.deliver(message("n")))
    rehearsal.feed(.suppress(.discard))
    rehearsal.feed(.chose(.now, try #require(rehearsal.tokens["n"])))
    #expect(rehearsal.lines.contains("report n refused(\(refusal(.suppressed)))"))
  }

  // Proves
  @Test func `suppressed while the app prepared it, a message is not shown`() throws {
    var rehearsal = Rehearsal()
    rehearsal.prepare = nil
    let offered = message("m")
    rehearsal.feed(.deliver(offered))
    let token = try #require(rehearsal.presenter.currentToken)
    rehearsal.feed(.suppress(.queue))
    rehearsal.feed(.prepared(PresentationContext(message: offered), token))
    #expect(rehearsal.count("willPresent") == 0)
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["m"])
  }

  // Proves: R-15, F17
  @Test func `before there is a display messages are held, and then come in their order`() {
    var rehearsal = Rehearsal(platform: PlatformState(hasDisplay: false))
    for id in ["m", "n"] { rehearsal.feed(.deliver(message(id))) }
    #expect(rehearsal.take() == [])
    rehearsal.change { $0.hasDisplay = true }
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["n"])
  }

  // Proves: R-15, F18
  @Test func `held for longer than it is good for, a message is refused`() {
    var rehearsal = Rehearsal(platform: PlatformState(hasDisplay: false))
    rehearsal.feed(.deliver(message("m"), timeToLive: .seconds(60)))
    rehearsal.feed(.deliver(message("n")))
    rehearsal.pass(.seconds(60))
    #expect(rehearsal.lines == [])
    rehearsal.pass(.milliseconds(1))
    #expect(rehearsal.take("report") == ["report m refused(\(refusal(.noDisplay)))"])
    rehearsal.pass(.seconds(241))
    #expect(rehearsal.take("report") == ["report n refused(\(refusal(.noDisplay)))"])
  }

  // Proves
  @Test func `of two the app thinks about, the first it wants has the screen`() throws {
    var rehearsal = Rehearsal()
    rehearsal.choice = { _ in nil }
    for id in ["m", "n"] { rehearsal.feed(.deliver(message(id))) }
    #expect(rehearsal.count("choice") == 2)
    rehearsal.feed(.chose(.now, try #require(rehearsal.tokens["n"])))
    rehearsal.feed(.chose(.now, try #require(rehearsal.tokens["m"])))
    #expect(rehearsal.presenter.visibleMessage?.id == "n")
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["m"])
  }

  // Proves: R-16
  @Test func `of equal ones on the stack the newer stays`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m")))
    rehearsal.feed(.deliver(message("a", campaign: "c")))
    rehearsal.feed(.deliver(message("b")))
    rehearsal.feed(.deliver(message("d", campaign: "c")))
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["d", "b"])
    #expect(rehearsal.lines.contains("finished a refused(\(refusal(.replaced)))"))
    for id in ["x", "y"] { rehearsal.feed(.present(sameText(id))) }
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["y", "d", "b"])
    #expect(rehearsal.lines.contains("finished x refused(\(refusal(.replaced)))"))
    rehearsal.feed(.present(local("other", kind: .slideup)))
    rehearsal.feed(.present(sameText("y")))
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["y", "other", "d", "b"])
    #expect(rehearsal.count("finished y") == 0)
  }

  private func sameText(_ id: String) -> InAppMessage {
    InAppMessage(id: MessageID(id), kind: .modal, body: .text(.init("The same")))
  }

  // Proves: R-17
  @Test func `who is writing is not disturbed, except by a page`() {
    var rehearsal = Rehearsal(platform: PlatformState(isTextInputFocused: true))
    rehearsal.feed(.deliver(message("m")))
    #expect(rehearsal.take() == ["report m waiting"])
    rehearsal.feed(.deliver(message("p", kind: .html)))
    #expect(rehearsal.presenter.visibleMessage?.id == "p")
  }

  // Proves: R-17
  @Test func `what is on screen stays when somebody begins to write`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(.deliver(message("m")))
    rehearsal.change { $0.isTextInputFocused = true }
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
    #expect(rehearsal.count("willDismiss") == 0)
  }

  // Proves
  @Test func `hidden for writing it comes again, counts once, and ends once`() {
    var settings = PresenterSettings()
    settings.hidesOnTextInput = true
    settings.drainPolicy = .onSlotFree
    var rehearsal = Rehearsal(settings)
    rehearsal.feed(.deliver(message("m")))
    rehearsal.change { $0.isTextInputFocused = true }
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["m"])
    #expect(rehearsal.lines.last == "report m waiting")
    rehearsal.change { $0.isTextInputFocused = false }
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
    rehearsal.view(.closed(.button))
    #expect(rehearsal.count("willPresent m") == 2)
    #expect(rehearsal.count("didDismiss m") == 2)
    #expect(rehearsal.count("impression m") == 1)
    // The server holds it for waiting until then.
    #expect(rehearsal.count("report m started") == 2)
    #expect(rehearsal.count("finished m") == 1)
  }

  // Proves: R-17
  @Test(arguments: [true, false])
  func `hidden for writing and not wanted again, it was shown all the same`(goes: Bool) {
    var settings = PresenterSettings()
    settings.hidesOnTextInput = true
    var rehearsal = Rehearsal(settings)
    rehearsal.viewGoes = goes
    rehearsal.feed(.deliver(message("m")))
    rehearsal.change { $0.isTextInputFocused = true }
    rehearsal.feed(goes ? .revoke(["m"]) : .pageClosed)
    let reason = "InAppMessaging.InAppMessage.DismissReason.textInput"
    #expect(rehearsal.take("finished") == ["finished m presented(dismissedBy: \(reason))"])
    #expect(!rehearsal.presenter.isScreenTaken)
    #expect(rehearsal.presenter.stackedMessages == [])
  }

  // Proves: R-19, B31
  @Test func `an app that does not choose within five seconds has the message shown`() {
    var rehearsal = Rehearsal()
    rehearsal.choice = { _ in nil }
    rehearsal.feed(.deliver(message("m")))
    rehearsal.pass(.milliseconds(4_999))
    #expect(rehearsal.presenter.visibleMessage == nil)
    rehearsal.pass(.milliseconds(1))
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
  }

  // Proves: B33, B36, B37, R-19
  @Test func `put back, messages wait with the last on top, and are not used up`() {
    var rehearsal = Rehearsal()
    rehearsal.choice = { _ in .reenqueue }
    for id in ["a", "b", "c"] { rehearsal.feed(.deliver(message(id))) }
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["c", "b", "a"])
    #expect(
      rehearsal.take("report") == ["report a waiting", "report b waiting", "report c waiting"])
    rehearsal.choice = { _ in .now }
    rehearsal.feed(.presentNext(PresentNextTag(1)))
    #expect(rehearsal.presenter.visibleMessage?.id == "c")
  }

  // Proves: B35, R-22
  @Test func `discarded, a message is gone, and so are its like on the stack`() {
    var rehearsal = Rehearsal()
    rehearsal.choice = { $0.id == "b" ? .discard : .reenqueue }
    rehearsal.feed(.deliver(message("a", campaign: "c")))
    rehearsal.feed(.deliver(message("b", campaign: "c")))
    #expect(rehearsal.presenter.stackedMessages == [])
    let refused = "refused(\(refusal(.choice)))"
    #expect(
      rehearsal.take("report", "finished", "impression") == [
        "report a waiting", "report a \(refused)", "finished a \(refused)", "report b \(refused)",
        "finished b \(refused)",
      ])
  }

  // Proves: B36
  @Test func `on a quiet screen messages wait`() {
    var settings = PresenterSettings()
    settings.quietScreens = ["game"]
    settings.drainPolicy = .onSlotFree
    var rehearsal = Rehearsal(settings, platform: PlatformState(screen: "game"))
    rehearsal.feed(.deliver(message("m")))
    #expect(rehearsal.presenter.stackedMessages.map(\.id) == ["m"])
    rehearsal.change { $0.screen = "menu" }
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
  }

  // Proves: F28
  @Test func `an app's own pop-up and messages share one screen`() {
    var settings = PresenterSettings()
    settings.drainPolicy = .onSlotFree
    var rehearsal = Rehearsal(settings)
    rehearsal.feed(.acquireLease(LeaseTag(1)))
    rehearsal.feed(.acquireLease(LeaseTag(2)))
    rehearsal.feed(.deliver(message("m")))
    #expect(rehearsal.take() == ["lease 1 true", "lease 2 false", "report m waiting"])
    rehearsal.feed(.releaseLease(LeaseTag(2)))
    #expect(rehearsal.presenter.visibleMessage == nil)
    rehearsal.feed(.releaseLease(LeaseTag(1)))
    #expect(rehearsal.presenter.visibleMessage?.id == "m")
    rehearsal.feed(.acquireLease(LeaseTag(3)))
    #expect(rehearsal.lines.last == "lease 3 false")
  }

  // Proves: R-18, F33
  @Test(arguments: [
    InAppMessage.ClickAction.open(url: "javascript:alert(1)", inApp: true),
    .open(url: "data:text/html,x", inApp: false), .deepLink("javascript:alert(1)"),
    .sequence([.close, .deepLink("JavaScript:x")]), .open(url: "/only/a/path", inApp: true),
  ])
  func `a message that leads into code is not shown`(action: InAppMessage.ClickAction) {
    var rehearsal = Rehearsal()
    rehearsal.feed(
      .deliver(message("m") { $0.buttons = [.init(id: "1", text: "Go", clickAction: action)] }))
    rehearsal.feed(.deliver(message("n") { $0.clickAction = action }))
    #expect(rehearsal.count("choice") == 0)
    for id in ["m", "n"] {
      #expect(rehearsal.lines.contains("report \(id) refused(\(refusal(.invalidContent)))"))
    }
  }

  // Proves: R-18
  @Test func `an image that is nowhere to be had safely, and a text that says nothing`() {
    var rehearsal = Rehearsal()
    rehearsal.feed(
      .deliver(
        message("m", kind: .fullImage) {
          $0.body = .image(.init(url: "http://example.com/a.png"), landscape: nil)
        }))
    rehearsal.feed(.deliver(message("n") { $0.body = .text(.init("")) }))
    rehearsal.feed(.deliver(message("o", kind: .html) { $0.body = .html(.init("")) }))
    #expect(rehearsal.count("choice") == 0)
    #expect(rehearsal.count("finished") == 3)
    rehearsal.feed(.deliver(message("p") { $0.body = .text(.init("", header: "Only a header")) }))
    #expect(rehearsal.presenter.visibleMessage?.id == "p")
  }

  @Test func `who may be notified already is not asked for it`() {
    var rehearsal = Rehearsal(platform: PlatformState(hasPushPermission: true))
    rehearsal.feed(.deliver(message("m") { $0.extras["view_type"] = .string("permission") }))
    rehearsal.feed(.deliver(message("n") { $0.clickAction = .requestPushPermission }))
    #expect(rehearsal.count("choice") == 0)
    #expect(rehearsal.lines.contains("report n refused(\(refusal(.audience)))"))
    rehearsal.change { $0.hasPushPermission = false }
    rehearsal.feed(.deliver(message("o") { $0.extras["view_type"] = .string("permission") }))
    #expect(rehearsal.presenter.visibleMessage?.id == "o")
  }
}

/// How a refusal is written in an output's line.
func refusal(_ refusal: InAppMessage.Refusal) -> String {
  "InAppMessaging.InAppMessage.Refusal.\(refusal)"
}
