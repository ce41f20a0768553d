import Naming
import Testing
import UserNotifications
import Vocabulary

@Suite struct ArrivalTests {
  /// A phone with nothing in its notes.
  private func phone(
    _ mode: RegistrationMode = .center, _ phase: AppPhase = .foreground,
    handlers: NotificationCenterState.Handlers = [.reception, .willPresent, .userAction],
    _ change: (inout CenterSettings) -> Void = { _ in }
  ) -> Phone {
    var settings = CenterSettings()
    change(&settings)
    var phone = Phone(mode, phase, handlers: handlers, settings: settings)
    _ = phone.take()
    return phone
  }

  // Proves: K21, K22
  @Test func `in front it is shown as the app says`() {
    var phone = phone()
    phone.presents = [.banner, .sound]
    phone.receive("n1")
    #expect(phone.take() == ["W n1", "show n1", "report n1 presented"])
    // There is nothing to hear.
    #expect(phone.shown.last?.options == .banner)
    #expect(phone.shown.last?.category == .groupWatchInvite())
    phone.feed(.acted("n1", action: "ACCEPT_IDENTIFIER"))
    #expect(phone.take("U", "open") == ["U n1 ACCEPT_IDENTIFIER"])
  }

  // Proves: K21
  @Test func `without a word on it it is not shown, and the reception handler hears of it`() {
    var phone = phone(handlers: [.reception, .userAction])
    phone.receive("n1")
    #expect(phone.take() == ["R n1", "report n1 newData"])
    #expect(phone.standing == [])
  }

  // Proves: K21
  @Test func `an app that says alert, as it once was called, means banner and list`() {
    var phone = phone()
    phone.presents = PresentationOptions(rawValue: 4)
    phone.receive("n1")
    #expect(phone.shown.last?.options == [.banner, .list])
    #expect(phone.standing == ["n1"])
  }

  @Test func `none of the options is not at all`() {
    var phone = phone()
    phone.presents = []
    phone.receive("n1")
    #expect(phone.take() == ["W n1", "report n1 notPresented"])
  }

  @Test func `an app that thinks for five seconds does not show it`() {
    var phone = phone()
    phone.presents = nil
    phone.receive("n1")
    phone.pass(.seconds(5) - .microseconds(1))
    #expect(phone.take() == ["W n1"])
    phone.pass(.microseconds(1))
    #expect(
      phone.take() == ["warn n1 handlerSilent(\(quoted(.willPresent)))", "report n1 notPresented"])
    phone.feed(.presented(.all, phone.tokens[0]))
    #expect(phone.take() == [])
    #expect(phone.center.extraCompletions == 1)
  }

  private func quoted(_ handler: NotificationHandler) -> String {
    String(reflecting: handler)
  }

  @Test func `an answer at five seconds is too late, however late the wake-up`() {
    var phone = phone()
    phone.presents = nil
    phone.receive("n1")
    phone.time = phone.time + .seconds(5)
    phone.feed(.presented(.all, phone.tokens[0]))
    #expect(phone.take("show", "report") == ["report n1 notPresented"])
  }

  // Proves: K22
  @Test func `something to fetch goes to the reception handler besides`() {
    var phone = phone()
    phone.receive("n1", Phone.alert(contentAvailable: true))
    #expect(phone.take() == ["W n1", "R n1", "show n1", "report n1 newData"])
    phone.result = nil
    phone.receive("n2", Phone.alert(contentAvailable: true))
    // The server hears of it when both are done.
    #expect(phone.take() == ["W n2", "R n2", "show n2"])
    phone.feed(.completed(phone.tokens[3], .failed))
    #expect(phone.take() == ["report n2 failed"])
  }

  @Test func `a reception handler is given thirty seconds`() {
    var phone = phone()
    phone.result = nil
    phone.receive("n1", .silent([:]))
    phone.pass(.seconds(30) - .microseconds(1))
    #expect(phone.take() == ["R n1"])
    phone.pass(.microseconds(1))
    #expect(
      phone.take() == ["warn n1 handlerSilent(\(quoted(.reception)))", "report n1 timedOut"])
    phone.feed(.completed(phone.tokens[0], .newData))
    #expect(phone.take() == [])
    #expect(phone.center.extraCompletions == 1)
  }

  @Test func `without any handler the server hears what became of it`() {
    var phone = phone(.center, .background, handlers: [])
    phone.receive("n1", .silent([:]))
    phone.receive("n2")
    phone.feed(.phase(.foreground))
    phone.receive("n3")
    #expect(
      phone.take() == [
        "report n1 noData", "show n2", "report n2 presented", "report n3 notPresented",
      ])
  }

  // Proves: §7.15
  @Test func `what comes again is acknowledged again, and not handled again`() {
    var phone = phone(.center, .background)
    phone.receive("n1", Phone.alert(contentAvailable: true))
    _ = phone.take()
    phone.receive("n1", Phone.alert(contentAvailable: true))
    #expect(phone.take() == ["report n1 alreadyDelivered"])
    phone.feed(.tapped("n1"))
    _ = phone.take()
    phone.receive("n1")
    #expect(phone.take() == ["report n1 alreadyDelivered"])
    // While the handler is at work its word is awaited.
    phone.result = nil
    phone.receive("n2", .silent([:]))
    phone.receive("n2", .silent([:]))
    #expect(phone.take() == ["R n2"])
  }

  @Test func `sound, badge and text are shown as far as they are there`() {
    var phone = phone(.center, .background)
    var payload = NotificationPayload()
    payload.badge = 0
    phone.receive("n1", payload)
    #expect(phone.take() == ["badge 0", "report n1 notPresented"])
    payload.sound = .default
    phone.receive("n2", payload)
    #expect(phone.take() == ["badge 0", "show n2", "report n2 presented"])
    #expect(phone.shown.last?.options == .sound)
    #expect(phone.standing == [])
    payload = Phone.alert()
    payload.sound = .default
    payload.badge = 7
    payload.interruptionLevel = .passive
    phone.receive("n3", payload)
    #expect(phone.take() == ["badge 7", "show n3", "report n3 presented"])
    #expect(phone.shown.last?.options == .list)
  }

  // Proves: K10
  @Test func `an unknown category has no actions`() {
    var phone = phone(.center, .background)
    phone.receive("n1", Phone.alert(category: "UNKNOWN"))
    #expect(phone.shown.last?.category == nil)
    // Each registration replaces all.
    phone.feed(.categories([NotificationCategory(id: "UNKNOWN", actions: [])]))
    phone.receive("n2")
    #expect(phone.shown.last?.category == nil)
    phone.receive("n3", Phone.alert(category: "UNKNOWN"))
    #expect(phone.shown.last?.category?.id == "UNKNOWN")
  }

  @Test func `a later one of the same sort takes the place of the one before`() {
    var phone = phone(.center, .background)
    phone.receive("n1", collapseID: "i1")
    phone.receive("n2", collapseID: "i2")
    phone.receive("n3", collapseID: "i1")
    #expect(
      phone.take("show", "remove") == ["show n1", "show n2", "show n3 for [\"n1\"]"])
    #expect(phone.standing == ["n2", "n3"])
    // Also of one that the app has yet to be heard about.
    phone.feed(.phase(.foreground))
    phone.presents = nil
    phone.receive("n4", collapseID: "i2")
    phone.presents = .all
    phone.receive("n5", collapseID: "i2")
    _ = phone.take()
    phone.feed(.presented(.all, phone.tokens[0]))
    #expect(phone.take() == ["report n4 notPresented"])
    #expect(phone.standing == ["n3", "n5"])
  }

  @Test func `a later one of the same sort ends the one before, also if it is not shown`() {
    var phone = phone(.center, .background)
    phone.receive("n1", collapseID: "i1")
    _ = phone.take()
    phone.receive("n2", .silent([:]), collapseID: "i1")
    #expect(phone.take() == ["remove n1", "R n2", "report n2 newData"])
    var sound = NotificationPayload()
    sound.sound = .default
    phone.receive("n3", collapseID: "i1")
    _ = phone.take()
    phone.receive("n4", sound, collapseID: "i1")
    #expect(phone.take() == ["show n4", "remove n3", "report n4 presented"])
    // The app does not want to show it.
    phone.receive("n5", collapseID: "i1")
    phone.feed(.phase(.foreground))
    phone.presents = nil
    phone.receive("n6", collapseID: "i1")
    _ = phone.take()
    #expect(phone.standing == ["n5"])
    phone.feed(.presented([], phone.tokens[1]))
    #expect(phone.take() == ["remove n5", "report n6 notPresented"])
    #expect(phone.standing == [])
    // It is taken back while the app is asked.
    phone.receive("n7", collapseID: "i2")
    phone.feed(.presented(.all, phone.tokens[2]))
    phone.receive("n8", collapseID: "i2")
    _ = phone.take()
    phone.feed(.revoked(["n8"]))
    phone.feed(.presented(.all, phone.tokens[3]))
    #expect(phone.take() == ["remove n7", "report n8 notPresented"])
    #expect(phone.standing == [])
  }

  @Test func `what is taken back is gone, also if the app is still asked about it`() {
    var phone = phone(.center, .background)
    phone.receive("n1")
    phone.receive("n2")
    _ = phone.take()
    phone.feed(.revoked(["n2", "n9"]))
    #expect(phone.take() == ["remove n2"])
    phone.feed(.phase(.foreground))
    phone.presents = nil
    phone.receive("n3")
    phone.receive("n4", .silent(["revoke": ["n1", "n3"]]))
    phone.feed(.presented(.all, phone.tokens[0]))
    #expect(
      phone.take() == [
        "W n3", "remove n1", "R n4", "report n4 newData", "report n3 notPresented",
      ])
    #expect(phone.standing == [])
    // A list takes back what it does not have, but nothing of the device's own.
    phone.receive("n5")
    phone.feed(.schedule(NotificationRequest(id: "l1", content: .init(body: "Dinner"))))
    phone.feed(.listed(standing: []))
    phone.feed(.presented(.all, phone.tokens[2]))
    phone.feed(.presented(.all, phone.tokens[3]))
    #expect(phone.take() == ["W n5", "W l1", "report n5 notPresented", "show l1"])
    #expect(phone.standing == ["l1"])
  }

  @Test func `what is good for nothing any more goes`() {
    var phone = phone(.center, .background)
    phone.receive("n1", expires: .seconds(60))
    phone.receive("n2", expires: .zero)
    #expect(phone.take() == ["show n1", "report n1 presented", "report n2 notPresented"])
    phone.pass(.seconds(60) - .microseconds(1))
    #expect(phone.take() == [])
    phone.pass(.microseconds(1))
    #expect(phone.take() == ["remove n1"])
    // It expires while the app is asked.
    phone.feed(.phase(.foreground))
    phone.presents = nil
    phone.receive("n3", expires: .seconds(1))
    phone.pass(.seconds(2))
    phone.feed(.presented(.all, phone.tokens[0]))
    #expect(phone.take() == ["W n3", "report n3 notPresented"])
  }

  @Test func `what the server lists stands, and nothing else of the server's`() {
    var phone = phone(.center, .background)
    phone.receive("n1")
    phone.receive("n2")
    phone.feed(.schedule(NotificationRequest(id: "l1", content: .init(body: "Dinner"))))
    phone.feed(.tapped("n2"))
    _ = phone.take()
    let listed = (["n0", "n2", "n3"] as [NotificationID]).map {
      RemoteNotification(id: $0, date: phone.instant, payload: Phone.invitation)
    }
    phone.feed(.listed(standing: listed))
    // It was answered here, and the server will hear so.
    #expect(phone.take() == ["remove n1", "show n0", "show n3"])
    #expect(phone.shown.last?.options == .list)
    #expect(phone.standing == ["l1", "n0", "n3"])
    // What the server has no word of yet is handled as if it came now.
    phone.receive("n3")
    #expect(phone.take() == ["show n3 for [\"n3\"]", "report n3 presented"])
    phone.feed(.listed(standing: listed))
    #expect(phone.take() == [])
    // A reply, say, which the server heard, and after which the invitation stands.
    phone.feed(.heard("n2"))
    phone.feed(.listed(standing: listed))
    #expect(phone.take() == ["show n2"])
  }

  @Test func `what the app is asked about is not listed before it has answered`() {
    var phone = phone()
    phone.presents = nil
    phone.receive("n1")
    let n1 = RemoteNotification(id: "n1", date: phone.instant, payload: Phone.invitation)
    phone.feed(.listed(standing: [n1]))
    #expect(phone.take() == ["W n1"])
    phone.feed(.presented([], phone.tokens[0]))
    #expect(phone.take() == ["report n1 notPresented"])
  }

  @Test func `what was answered from the list does not arrive after that`() {
    var phone = phone()
    let n1 = RemoteNotification(id: "n1", date: phone.instant, payload: Phone.invitation)
    phone.feed(.listed(standing: [n1]))
    phone.feed(.tapped("n1"))
    _ = phone.take()
    phone.feed(.arrived(n1))
    #expect(phone.take() == ["report n1 alreadyDelivered"])
  }

  @Test func `what the server lists as new arrives`() {
    var phone = phone()
    phone.receive("n1")
    _ = phone.take()
    let new = (["n1", "n2"] as [NotificationID]).map {
      RemoteNotification(id: $0, date: phone.instant, payload: Phone.invitation)
    }
    phone.feed(.listed(standing: [], new: new))
    #expect(
      phone.take() == ["report n1 alreadyDelivered", "W n2", "show n2", "report n2 presented"])
    #expect(phone.standing == ["n1", "n2"])
  }

  @Test func `the app takes its own away, and the server hears of those it knows`() {
    var phone = phone(.center, .background)
    phone.receive("n1")
    phone.feed(.schedule(NotificationRequest(id: "l1", content: .init(body: "Dinner"))))
    _ = phone.take()
    phone.feed(.remove(["l1", "n1", "n9"]))
    #expect(phone.take() == ["remove n1 l1", "report n1 removed"])
  }

  @Test func `nothing grows for ever`() {
    var phone = phone(.center, .background) {
      ($0.standingLimit, $0.callLimit, $0.memory) = (3, 2, 4)
    }
    for number in 1...5 { phone.receive(NotificationID("n\(number)")) }
    #expect(phone.standing == ["n3", "n4", "n5"])
    #expect(phone.take("warn") == ["warn n1 crowdedOut", "warn n2 crowdedOut"])
    phone.result = nil
    for number in 6...8 { phone.receive(NotificationID("n\(number)"), .silent([:])) }
    #expect(
      phone.take() == [
        "R n6", "R n7", "warn n6 tooManyCalls", "warn n6 handlerSilent(\(quoted(.reception)))",
        "report n6 timedOut", "R n8",
      ])
    // n4 and older are forgotten.
    phone.receive("n5")
    #expect(phone.take() == ["report n5 alreadyDelivered"])
  }

  @Test func `what handlers say for a person who is gone is shown and told to nobody`() {
    var phone = phone()
    phone.receive("n1")
    (phone.presents, phone.result) = (nil, nil)
    phone.receive("n2", Phone.alert(contentAvailable: true))
    phone.feed(.tapped("n1"))
    phone.feed(.userChanged)
    _ = phone.take()
    phone.feed(.presented(.all, phone.tokens[1]))
    phone.feed(.completed(phone.tokens[3]))
    #expect(phone.take() == [])
    // The third says nothing at all. Only the app hears of it, so that its next call is made.
    phone.pass(.seconds(60))
    #expect(phone.take() == ["warn n2 handlerSilent(\(quoted(.reception)))"])
    #expect(phone.standing == [])
    #expect(phone.center.extraCompletions == 0)
  }

  @Test func `another person sees, hears and reports nothing of the one before`() {
    var phone = phone(.center, .background)
    phone.result = nil
    phone.receive("n1", Phone.alert(contentAvailable: true))
    phone.feed(.schedule(Phone.later("l1")))
    phone.feed(.handlers([]))
    phone.receive("n2")
    phone.feed(.tapped("n2"))
    _ = phone.take()
    phone.feed(.userChanged)
    #expect(phone.take() == ["remove n1"])
    phone.feed(.handlers([.userAction, .reception]))
    phone.feed(.completed(phone.tokens[0]))
    phone.pass(.seconds(3_600))
    #expect(phone.take() == [])
    #expect(phone.center.extraCompletions == 0)
    #expect(phone.center.nextDeadline == nil)
    #expect(phone.center.pendingRequests == [])
  }
}

extension Phone {
  /// A local notification that comes in a while.
  static func later(
    _ id: NotificationID,
    _ trigger: NotificationTrigger = .timeInterval(
      .seconds(600), repeats: false)
  ) -> NotificationRequest {
    NotificationRequest(id: id, content: NotificationContent(body: "Dinner"), trigger: trigger)
  }
}
