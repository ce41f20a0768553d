import Participation
import Testing
import UserNotifications
import Vocabulary
import Wire

/// What a device wants of notifications, over connections and servers.
@Suite struct RegistrationTests {
  private let chat = Subscription.topic(TopicID("group/friday/chat"))
  private let register = TrayRequest.register(
    mode: .legacySettings, isDevelopment: true, .apns(token: "t", topic: "app", isSandbox: true))

  private func desk() -> Desk {
    var desk = Desk()
    desk.ask(register)
    desk.ask(.subscribe(chat))
    desk.answer()
    desk.answer()
    #expect(desk.open == [])
    return desk
  }

  // Proves: K6
  @Test func `the calls an app registers with decide which handlers are called`() {
    let desk = desk()
    #expect(desk.participant.center.mode == .legacySettings)
  }

  @Test func `a server that knows the device is asked nothing again`() {
    var desk = desk()
    desk.reconnect(isResumed: true)
    #expect(desk.open == [])
  }

  @Test func `one that does not know it hears all of it, one at a time`() {
    var desk = desk()
    desk.reconnect(isResumed: false)
    #expect(desk.open == [register])
    desk.reconnect(isResumed: false)
    #expect(desk.open == [register], "nothing is said twice")
    desk.answer()
    #expect(desk.open == [.subscribe(chat)])
    desk.answer()
    #expect(desk.open == [])
  }

  @Test func `what was taken back, or refused, is not wanted any more`() {
    var desk = desk()
    desk.ask(.unregister)
    desk.ask(.unsubscribe(chat))
    desk.ask(.subscribe(.topic(TopicID("nobody's"))), tag: 5)
    desk.answer()
    desk.answer()
    desk.refuse(.invalidTopic)
    #expect(
      desk.take().contains(.outcome(5, .failed(.refused(ProtocolError(.invalidTopic))))))
    desk.reconnect(isResumed: false)
    #expect(desk.open == [])
  }

  @Test(arguments: [ErrorCode.busy, .journalUnavailable, .rateLimited])
  func `a refusal for the time being takes back nothing that the server has`(code: ErrorCode) {
    var desk = desk()
    desk.ask(register, tag: 3)
    desk.ask(.subscribe(chat), tag: 4)
    for tag in [3, 4] {
      desk.refuse(code)
      #expect(desk.take().contains(.outcome(tag, .failed(.refused(ProtocolError(code))))))
    }
    desk.reconnect(isResumed: false)
    #expect(desk.open == [register])
    desk.answer()
    #expect(desk.open == [.subscribe(chat)])
  }

  @Test func `a registration that is refused for good leaves the one before`() {
    var desk = desk()
    let other = TrayRequest.register(
      mode: .legacySettings, isDevelopment: true,
      .apns(token: "u", topic: "app", isSandbox: true))
    desk.ask(other, tag: 3)
    desk.refuse(.invalidField)
    desk.reconnect(isResumed: false)
    #expect(desk.open == [register])
  }

  @Test func `a server that can store nothing for long gets in the end what it does not know`() {
    var desk = desk()
    desk.reconnect(isResumed: false)
    desk.storeNothing(for: 100)
    #expect(desk.open == [register])
    desk.answer()
    #expect(desk.open == [.subscribe(chat)])
  }

  @Test func `what was wanted while the server was away is wanted still`() {
    var desk = Desk()
    desk.cut()
    desk.ask(register, tag: 3)
    // Longer than a request waits for its answer.
    desk.pass(.seconds(60))
    #expect(desk.take().contains(.outcome(3, .failed(.timedOut))))
    desk.welcome(isResumed: false)
    #expect(desk.open == [register])
  }

  @Test func `a person who goes is unregistered here, and what they did is said first`() {
    var desk = desk()
    desk.center(.phase(.background))
    desk.notify("n1")
    desk.center(.tapped(NotificationID("n1")))
    desk.feed(.retire(within: .seconds(5)))
    #expect(desk.standing == [])
    #expect(desk.disconnects == 0)
    desk.answer { $0 == .notifications(.report(NotificationID("n1"), .acknowledged(.presented))) }
    desk.answer {
      let action = ActionIdentifier.defaultAction
      return $0
        == .notifications(.report(NotificationID("n1"), .responded(actionID: action, text: nil)))
    }
    #expect(desk.disconnects == 1)
    #expect(desk.open.last == .unregister)
    #expect(desk.participant.nextDeadline == nil)
  }

  @Test(arguments: [true, false])
  func `a person who goes while the connection is down is unregistered once it is up`(
    isResumed: Bool
  ) {
    var desk = desk()
    desk.cut()
    desk.feed(.retire(within: .seconds(5)))
    desk.pass(.seconds(1))
    #expect(desk.disconnects == 0)
    desk.welcome(isResumed: isResumed)
    #expect(desk.open == [.unregister])
    #expect(desk.disconnects == 1)
    #expect(desk.participant.nextDeadline == nil)
  }

  @Test func `a person who goes does not wait for ever for a server that is away`() {
    var desk = desk()
    desk.cut()
    desk.feed(.retire(within: .seconds(5)))
    desk.pass(.seconds(4))
    #expect(desk.participant.nextDeadline != nil)
    desk.pass(.seconds(1))
    #expect(desk.open == [] && desk.participant.nextDeadline == nil)
  }

  @Test func `an app that closes stays registered`() {
    var desk = desk()
    desk.feed(.close)
    #expect(desk.disconnects == 1 && desk.open == [])
  }

  @Test func `as many subscriptions are wanted as a server keeps`() {
    var desk = Desk()
    for number in 0..<200 {
      desk.ask(.subscribe(.topic(TopicID("app/\(number)"))))
      desk.answer()
    }
    desk.reconnect(isResumed: false)
    var said = 0
    while !desk.open.isEmpty {
      said += 1
      desk.answer()
    }
    #expect(said == TrayPolicy().subscriptions)
  }
}
