import Naming
import Testing
import UserNotifications
import Vocabulary

@Suite struct CenterResponseTests {
  /// A phone on which an invitation and a chore stand.
  private func phone(
    _ mode: RegistrationMode = .center, _ phase: AppPhase = .background,
    handlers: NotificationCenterState.Handlers = [
      .reception, .willPresent, .userAction, .launch, .legacyAction,
    ], settings: CenterSettings = CenterSettings()
  ) -> Phone {
    var phone = Phone(mode, .background, handlers: handlers, settings: settings)
    phone.receive("n1")
    phone.receive("n2", Phone.alert(category: "CHORES"))
    phone.feed(.phase(phase))
    _ = phone.take()
    return phone
  }

  // Proves: K1, K9, K12
  @Test func `a tap removes it, opens the app and tells its handler`() {
    var phone = phone()
    phone.feed(.tapped("n1"))
    let action = ActionIdentifier.defaultAction
    #expect(
      phone.take() == [
        "remove n1", "report n1 \(action)", "open n1", "U n1 \(action)", "report n1 completed",
      ])
    #expect(phone.responses.last?.invitationAnswer == nil)
  }

  // Proves: K10
  @Test func `an action in the app opens it, one in the background does not`() {
    var phone = phone()
    phone.feed(.acted("n1", action: "DECLINE_IDENTIFIER"))
    #expect(phone.take("open", "U") == ["U n1 DECLINE_IDENTIFIER"])
    #expect(phone.responses.last?.invitationAnswer == .decline)
    phone.feed(.acted("n2", action: "OPEN"))
    #expect(phone.take("open", "U") == ["open n2", "U n2 OPEN"])
  }

  // Proves: K13
  @Test func `a dismissal is heard of where the category asks for it`() {
    var phone = phone()
    phone.feed(.dismissed("n1"))
    let action = ActionIdentifier.dismissAction
    #expect(
      phone.take() == [
        "remove n1", "report n1 \(action)", "U n1 \(action)", "report n1 completed",
      ])
    phone.feed(.dismissed("n2"))
    #expect(phone.take() == ["remove n2", "report n2 removed"])
    // What the server has yet to hear of does not come back with its list.
    let listed = (["n1", "n2"] as [NotificationID]).map {
      RemoteNotification(id: $0, date: phone.instant, payload: Phone.invitation)
    }
    phone.feed(.listed(standing: listed))
    #expect(phone.standing == [])
    phone.feed(.heard("n1"))
    phone.feed(.listed(standing: listed))
    #expect(phone.standing == ["n1"])
    // Nor what the app removed.
    phone.feed(.remove(["n1"]))
    phone.feed(.listed(standing: listed))
    #expect(phone.standing == [])
    phone.feed(.heard("n1"))
    phone.feed(.heard("n2"))
    phone.feed(.listed(standing: listed))
    #expect(phone.standing == ["n1", "n2"])
  }

  // Proves: K13
  @Test func `no handler of the older calls hears of a dismissal, though the server does`() {
    var phone = phone(.legacySettings)
    phone.feed(.dismissed("n1"))
    phone.feed(.dismissed("n2"))
    #expect(
      phone.take() == [
        "remove n1", "report n1 \(ActionIdentifier.dismissAction)", "remove n2",
        "report n2 removed",
      ])
  }

  // Proves: K11, K14
  @Test func `an action that its category does not have is heard of, and opens nothing`() {
    var phone = phone()
    phone.feed(.acted("n2", action: "ACCEPT_IDENTIFIER"))
    #expect(
      phone.take() == [
        "remove n2", "warn n2 unknownAction(\"ACCEPT_IDENTIFIER\")",
        "report n2 ACCEPT_IDENTIFIER", "U n2 ACCEPT_IDENTIFIER", "report n2 completed",
      ])
    #expect(phone.responses.last?.invitationAnswer == nil)
  }

  // Proves: K14
  @Test func `the two actions of every notification may come by their names`() {
    var phone = phone()
    phone.feed(.acted("n1", action: ActionIdentifier.dismissAction))
    phone.feed(.acted("n2", action: ActionIdentifier.defaultAction))
    #expect(
      phone.take("U", "open") == [
        "U n1 \(ActionIdentifier.dismissAction)", "open n2",
        "U n2 \(ActionIdentifier.defaultAction)",
      ])
  }

  // Proves: K23
  @Test(arguments: RegistrationMode.allCases)
  func `no action is nothing`(mode: RegistrationMode) {
    var phone = phone(mode)
    phone.feed(.acted("n1", action: nil))
    #expect(phone.take() == ["warn n1 noAction"])
    #expect(phone.standing == ["n1", "n2"])
  }

  // Proves: K3, K23, K24, K25
  @Test func `the older calls have their own handler of actions, with the text written`() {
    var phone = phone(.legacySettings)
    phone.feed(.acted("n1", action: "REPLY_IDENTIFIER", text: "Be right there"))
    #expect(
      phone.take() == [
        "remove n1", "report n1 REPLY_IDENTIFIER “Be right there”", "A n1 REPLY_IDENTIFIER",
        "report n1 completed",
      ])
    #expect(phone.responses.last?.userText == "Be right there")
    let userInfo = phone.responses.last?.notification.content.userInfo ?? [:]
    #expect(ReceivedMessage(userInfo: userInfo).kind == .directPush)
  }

  // Proves: K24
  @Test func `a text comes with actions that ask for one, and with no other`() {
    var phone = phone()
    phone.feed(.acted("n2", action: "DONE", text: "psst"))
    #expect(phone.responses.last?.userText == nil)
    phone.feed(.acted("n1", action: "REPLY_IDENTIFIER"))
    #expect(phone.responses.last?.userText == "")
  }

  // Proves: K24
  @Test func `a text that is too long is not sent, and can be written again`() {
    var phone = phone()
    let long = String(repeating: "ü", count: 2_049)
    phone.feed(.acted("n1", action: "REPLY_IDENTIFIER", text: long))
    #expect(phone.take() == ["warn n1 replyTooLong(bytes: 4098, limit: 4096)"])
    phone.feed(.acted("n1", action: "REPLY_IDENTIFIER", text: String(long.dropLast())))
    #expect(phone.take("U") == ["U n1 REPLY_IDENTIFIER"])
  }

  // Proves: K19
  @Test func `a handler is done once`() {
    var phone = phone()
    phone.result = nil
    phone.feed(.tapped("n1"))
    _ = phone.take()
    phone.feed(.completed(phone.tokens[0]))
    #expect(phone.take() == ["report n1 completed"])
    phone.feed(.completed(phone.tokens[0]))
    phone.feed(.presented(.all, phone.tokens[0]))
    #expect(phone.take() == [])
    #expect(phone.center.extraCompletions == 2)
  }

  // Proves: K19, §7.14
  @Test func `a handler that never says so is done after thirty seconds`() {
    var phone = phone()
    phone.result = nil
    phone.feed(.acted("n1", action: "ACCEPT_IDENTIFIER"))
    _ = phone.take()
    phone.pass(.seconds(30))
    let handler = String(reflecting: NotificationHandler.userAction)
    #expect(phone.take() == ["warn n1 handlerSilent(\(handler))", "report n1 timedOut"])
    phone.feed(.completed(phone.tokens[0]))
    #expect(phone.take() == [])
    #expect(phone.center.extraCompletions == 1)
  }

  // Proves: K20
  @Test(arguments: RegistrationMode.allCases, [true, false])
  func `a response waits until there is a handler for it`(
    mode: RegistrationMode, isAction: Bool
  ) {
    let handler: NotificationHandler =
      mode == .center ? .userAction : isAction ? .legacyAction : .reception
    var phone = phone(mode, .notRunning, handlers: .launch)
    phone.feed(isAction ? .acted("n1", action: "ACCEPT_IDENTIFIER") : .tapped("n1"))
    let action = isAction ? "ACCEPT_IDENTIFIER" : ActionIdentifier.defaultAction
    // The server hears at once; a device may be gone before its app is ready.
    #expect(
      phone.take() == [
        "remove n1", "report n1 \(action)", "open n1", "L n1",
        "warn n1 noHandler(\(String(reflecting: handler)))",
      ])
    #expect(phone.center.keptResponses == 1)
    phone.feed(.handlers([.launch, .willPresent]))
    #expect(phone.take("U", "A", "R") == [])
    phone.feed(.phase(.foreground))
    phone.feed(.handlers([.reception, .userAction, .legacyAction]))
    #expect(phone.take("U", "A", "R", "L").count == 1)
    #expect(phone.center.keptResponses == 0)
  }

  // Proves: K20
  @Test func `64 responses wait, in their order, and the oldest makes way`() {
    var phone = Phone(.center, .background, handlers: [])
    for number in 1...66 {
      phone.receive(NotificationID("n\(number)"))
      phone.feed(.tapped(NotificationID("n\(number)")))
    }
    #expect(
      phone.take("warn").filter { $0.contains("Dropped") } == [
        "warn n1 responseDropped", "warn n2 responseDropped",
      ])
    #expect(phone.center.keptResponses == 64)
    phone.feed(.handlers(.userAction))
    let action = ActionIdentifier.defaultAction
    #expect(phone.take("U") == (3...66).map { "U n\($0) \(action)" })
  }

  // Proves: K26
  @Test func `an app is told once why it was started`() {
    var phone = phone(.center, .notRunning)
    phone.feed(.tapped("n1"))
    phone.feed(.acted("n2", action: "OPEN"))
    #expect(phone.take("L", "U").map { $0.prefix(4) } == ["L n1", "U n1", "U n2"])
    // A page that was closed starts anew.
    phone.feed(.phase(.foreground))
    phone.feed(.phase(.notRunning))
    phone.receive("n3")
    phone.feed(.tapped("n3"))
    #expect(phone.take("L") == ["L n3"])
  }

  // Proves: K26
  @Test func `an app that was closed before it came in sight is told again why it starts`() {
    var phone = phone(.center, .notRunning)
    phone.feed(.tapped("n1"))
    phone.feed(.phase(.notRunning))
    phone.feed(.tapped("n2"))
    #expect(phone.take("L") == ["L n1", "L n2"])
  }

  @Test func `who has yet to show who they are is asked first`() {
    var phone = phone()
    phone.feed(.locked(true))
    phone.feed(.acted("n2", action: "PAY"))
    #expect(phone.take() == ["unlock n2"])
    #expect(phone.standing == ["n1", "n2"])
    phone.feed(.unlockRefused("n2"))
    phone.feed(.locked(false))
    #expect(phone.take() == [])
    phone.feed(.locked(true))
    phone.feed(.acted("n2", action: "PAY"))
    phone.feed(.acted("n2", action: "PAY"))
    phone.feed(.locked(false))
    #expect(
      phone.take() == [
        "unlock n2", "unlock n2", "remove n2", "report n2 PAY", "U n2 PAY", "report n2 completed",
      ])
    // What needs no name is done at once.
    phone.feed(.locked(true))
    phone.feed(.acted("n1", action: "DECLINE_IDENTIFIER"))
    #expect(phone.take("U") == ["U n1 DECLINE_IDENTIFIER"])
  }

  @Test func `an action waits two minutes for that, and not for what is gone`() {
    var settings = CenterSettings()
    settings.lockedLimit = 1
    var phone = phone(settings: settings)
    phone.feed(.locked(true))
    phone.feed(.acted("n2", action: "PAY"))
    phone.pass(.seconds(120))
    #expect(phone.take() == ["unlock n2", "warn n2 unlockForgotten"])
    phone.feed(.acted("n2", action: "PAY"))
    phone.receive("n3", Phone.alert(category: "CHORES"))
    phone.feed(.acted("n3", action: "PAY"))
    #expect(phone.take("unlock", "warn") == ["unlock n2", "unlock n3", "warn n2 unlockForgotten"])
    phone.feed(.revoked(["n3"]))
    _ = phone.take()
    // Another in its place is another.
    phone.receive("n4", Phone.alert(category: "CHORES"), collapseID: "c")
    phone.feed(.acted("n4", action: "PAY"))
    phone.receive("n5", Phone.alert(category: "CHORES"), collapseID: "c")
    _ = phone.take()
    phone.feed(.locked(false))
    #expect(phone.take() == [])
  }
}
