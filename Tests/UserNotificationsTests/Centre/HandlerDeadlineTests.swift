import Naming
import Testing
import UserNotifications
import Vocabulary

/// How long calls are waited for when several are made at once: an app makes those of one queue one
/// at a time.
@Suite struct HandlerDeadlineTests {
  /// A phone whose handlers say nothing by themselves, with nothing in its notes.
  private func phone(
    _ phase: AppPhase = .foreground,
    handlers: NotificationCenterState.Handlers = [.reception, .willPresent, .userAction]
  ) -> Phone {
    var phone = Phone(.center, phase, handlers: handlers)
    (phone.presents, phone.result) = (nil, nil)
    _ = phone.take()
    return phone
  }

  /// What is said of a handler that ran out of time.
  private func silence(_ handler: NotificationHandler, _ id: String, _ result: String) -> [String] {
    ["warn \(id) handlerSilent(\(String(reflecting: handler)))", "report \(id) \(result)"]
  }

  private let moment = Duration.microseconds(1)

  @Test func `of three that come at once each has five seconds of its own`() {
    var phone = phone()
    let ids: [NotificationID] = ["n1", "n2", "n3"]
    let new = ids.map { RemoteNotification(id: $0, date: phone.instant, payload: Phone.invitation) }
    phone.feed(.listed(standing: [], new: new))
    #expect(phone.take() == ["W n1", "W n2", "W n3"])
    for (id, token) in zip(ids, phone.tokens) {
      phone.pass(.seconds(5) - moment)
      phone.feed(.presented(.all, token))
      #expect(phone.take() == ["show \(id)", "report \(id) presented"])
    }
    #expect(phone.center.extraCompletions == 0)
    #expect(phone.center.nextDeadline == nil)
  }

  @Test func `two silent ones are given up one after the other`() {
    var phone = phone()
    phone.receive("n1")
    phone.receive("n2")
    _ = phone.take()
    for id in ["n1", "n2"] {
      phone.pass(.seconds(5) - moment)
      #expect(phone.take() == [])
      phone.pass(moment)
      #expect(phone.take() == silence(.willPresent, id, "notPresented"))
    }
    #expect(phone.center.nextDeadline == nil)
  }

  @Test func `kept responses, too, are given up one after the other`() {
    var phone = phone(.background, handlers: [])
    for id in ["n1", "n2"] as [NotificationID] {
      phone.receive(id)
      phone.feed(.tapped(id))
    }
    phone.feed(.handlers(.userAction))
    #expect(phone.take("U").count == 2)
    for id in ["n1", "n2"] {
      phone.pass(.seconds(30) - moment)
      #expect(phone.take() == [])
      phone.pass(moment)
      #expect(phone.take() == silence(.userAction, id, "timedOut"))
    }
  }

  @Test func `the second one has all its time, however late the wake-up for the first`() {
    var phone = phone()
    phone.receive("n1")
    phone.receive("n2")
    _ = phone.take()
    phone.time = phone.time + .seconds(100)
    phone.feed(.clockAdvanced)
    #expect(phone.take() == silence(.willPresent, "n1", "notPresented"))
    phone.pass(.seconds(5) - moment)
    phone.feed(.presented(.all, phone.tokens[1]))
    #expect(phone.take() == ["show n2", "report n2 presented"])
  }

  @Test func `an answer out of turn changes nothing for the one before it`() {
    var phone = phone()
    for id in ["n1", "n2", "n3"] as [NotificationID] { phone.receive(id) }
    phone.pass(.seconds(3))
    phone.feed(.presented([], phone.tokens[1]))
    _ = phone.take()
    phone.pass(.seconds(2))
    #expect(phone.take() == silence(.willPresent, "n1", "notPresented"))
    phone.pass(.seconds(5) - moment)
    #expect(phone.take() == [])
    phone.pass(moment)
    #expect(phone.take() == silence(.willPresent, "n3", "notPresented"))
  }

  @Test func `a call waits for no other kind`() {
    var phone = phone()
    phone.receive("n1", .silent([:]))
    phone.receive("n2")
    #expect(phone.take() == ["R n1", "W n2"])
    phone.pass(.seconds(5))
    #expect(phone.take() == silence(.willPresent, "n2", "notPresented"))
    phone.pass(.seconds(25))
    #expect(phone.take() == silence(.reception, "n1", "timedOut"))
  }

  @Test func `the actions of both generations of calls take turns`() {
    #expect(NotificationHandler.userAction.queue == NotificationHandler.legacyAction.queue)
    let queues = NotificationHandler.allCases.compactMap(\.queue)
    #expect(Set(queues) == [.presentation, .reception, .response])
  }
}
