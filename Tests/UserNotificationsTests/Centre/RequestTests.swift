import Naming
import Testing
import UserNotifications
import Vocabulary

@Suite struct RequestTests {
  private func phone(offset: Duration = .zero) -> Phone {
    var phone = Phone(.center, .background, offset: offset)
    _ = phone.take()
    return phone
  }

  /// When it came, in seconds after the beginning, within so many of them.
  private func times(_ phone: inout Phone, within seconds: Int) -> [Int] {
    (1...seconds).flatMap { second in
      phone.pass(.seconds(1))
      return phone.take("show").map { _ in second }
    }
  }

  @Test func `without a trigger it comes at once`() {
    var phone = phone()
    phone.feed(.schedule(NotificationRequest(id: "l1", content: .init(body: "Dinner"))))
    #expect(phone.take() == ["show l1"])
    #expect(phone.center.standingNotifications.first?.date == Phone.evening)
    #expect(phone.center.nextDeadline == nil)
  }

  @Test func `after a time it comes once`() {
    var phone = phone()
    phone.feed(.schedule(Phone.later("l1", .timeInterval(.seconds(10), repeats: false))))
    #expect(phone.center.pendingRequests.map(\.id) == ["l1"])
    #expect(times(&phone, within: 30) == [10])
    #expect(phone.center.pendingRequests == [])
    #expect(phone.center.standingNotifications.first?.date == Phone.evening + .seconds(10))
    #expect(phone.shown.last?.notification.trigger == .timeInterval(.seconds(10), repeats: false))
  }

  @Test func `repeated it comes each time so much later, once however many were missed`() {
    var phone = phone()
    phone.feed(.schedule(Phone.later("l1", .timeInterval(.seconds(60), repeats: true))))
    #expect(times(&phone, within: 130) == [60, 120])
    // A laptop sleeps.
    phone.time = phone.time + .seconds(120)
    phone.feed(.clockAdvanced)
    #expect(phone.take("show") == ["show l1 for [\"l1\"]"])
    #expect(phone.center.nextDeadline == Phone.start + .seconds(300))
    phone.feed(.unschedule(["l1"]))
    #expect(phone.center.nextDeadline == nil)
    #expect(phone.standing == ["l1"])
  }

  @Test func `at a date it comes by the clock on the wall`() {
    var phone = phone(offset: .seconds(3600))
    // 21:15:00 here.
    let trigger = NotificationTrigger.calendar(
      DateMatch(hour: 21, minute: 15, second: 20), repeats: false)
    phone.feed(.schedule(Phone.later("l1", trigger)))
    #expect(times(&phone, within: 60) == [20])
    #expect(phone.center.pendingRequests == [])
  }

  @Test func `repeated it comes at each date that matches`() {
    var phone = phone()
    phone.feed(.schedule(Phone.later("l1", .calendar(DateMatch(second: 30), repeats: true))))
    #expect(times(&phone, within: 200) == [30, 90, 150])
    phone.feed(
      .schedule(Phone.later("l1", .calendar(DateMatch(year: 2027), repeats: true))))
    phone.pass(.seconds(50 * 86_400))
    // There is but one such year.
    #expect(phone.take("show") == ["show l1 for [\"l1\"]"])
    #expect(phone.center.pendingRequests == [])
  }

  @Test func `a clock that is put right takes the dates along`() {
    var phone = phone()
    phone.feed(.schedule(Phone.later("l1", .calendar(DateMatch(hour: 21), repeats: true))))
    phone.feed(.schedule(Phone.later("l2", .timeInterval(.seconds(100), repeats: false))))
    #expect(phone.center.nextDeadline == Phone.start + .seconds(100))
    // An hour ahead: nine o'clock was a quarter of an hour ago.
    phone.feed(.clock(DeviceClock(Phone.evening + .seconds(3600), at: phone.time)))
    #expect(phone.take("show") == ["show l1"])
    phone.pass(.seconds(100))
    #expect(phone.take("show") == ["show l2"])
    // In summer nine comes an hour earlier.
    phone.feed(
      .clock(DeviceClock(Phone.evening, at: Phone.start, offset: .seconds(3600))))
    #expect(phone.center.nextDeadline == Phone.start + .seconds(23 * 3600 + 45 * 60))
    phone.feed(
      .clock(DeviceClock(Phone.evening, at: Phone.start, offset: .zero)))
    #expect(phone.center.nextDeadline == Phone.start + .seconds(45 * 60))
  }

  @Test(arguments: [
    // Summer time ends; a time server puts the clock right.
    (1_800, Duration.zero, Duration.seconds(-3_600)), (1, .seconds(-2), .zero),
  ])
  func `a date that a clock shows again when it goes back brings nothing again`(
    later: Int, step: Duration, turn: Duration
  ) {
    let offset = Duration.seconds(7_200)
    var phone = phone(offset: offset)
    let trigger = NotificationTrigger.calendar(DateMatch(hour: 22, minute: 30), repeats: true)
    phone.feed(.schedule(Phone.later("l1", trigger)))
    phone.pass(.seconds(900))
    #expect(phone.take("show") == ["show l1"])
    phone.pass(.seconds(later))
    let instant = Phone.evening + .seconds(900 + later) + step
    phone.feed(.clock(DeviceClock(instant, at: phone.time, offset: offset + turn)))
    #expect(phone.center.nextDeadline == Phone.start + .seconds(900 + 86_400) - turn - step)
    phone.pass(.seconds(86_400))
    phone.pass(.seconds(3_602))
    #expect(phone.take("show") == ["show l1 for [\"l1\"]"])
  }

  @Test(
    arguments: [
      (.push, .push), (.timeInterval(.zero, repeats: false), .interval),
      (.timeInterval(.nanoseconds(1), repeats: true), .interval),
      (.timeInterval(.seconds(-1), repeats: false), .interval),
      (.timeInterval(.seconds(60) - .microseconds(1), repeats: true), .interval),
      (.calendar(DateMatch(), repeats: true), .date),
      (.calendar(DateMatch(year: 2025), repeats: false), .date),
      (.calendar(DateMatch(month: 2, day: 30), repeats: true), .date),
    ] as [(NotificationTrigger, NotificationRequest.Fault)])
  func `what can never come is refused`(
    trigger: NotificationTrigger, fault: NotificationRequest.Fault
  ) {
    var phone = phone()
    phone.feed(.schedule(Phone.later("l1", trigger)))
    #expect(phone.take() == ["refuse l1 \(fault.rawValue)"])
    #expect(phone.center.pendingRequests == [])
  }

  @Test func `64 wait, and another of the same name takes its place`() {
    var phone = phone()
    for number in 1...65 { phone.feed(.schedule(Phone.later(NotificationID("l\(number)")))) }
    #expect(phone.take() == ["refuse l65 tooMany"])
    phone.feed(.schedule(Phone.later("l1", .timeInterval(.seconds(5), repeats: false))))
    #expect(phone.take() == [])
    #expect(phone.center.pendingRequests.count == 64)
    phone.pass(.seconds(5))
    #expect(phone.take() == ["show l1"])
    // A wish that is not in order leaves the one before.
    phone.feed(.schedule(Phone.later("l2", .push)))
    #expect(phone.center.pendingRequests.contains { $0.id == "l2" })
  }

  // Proves: K8, K27
  @Test func `in front the app is asked, and by the older calls hears nothing`() {
    var phone = phone()
    phone.feed(.phase(.foreground))
    phone.feed(.schedule(NotificationRequest(id: "l1", content: .init(body: "Dinner"))))
    #expect(phone.take() == ["W l1", "show l1"])
    phone.feed(.tapped("l1"))
    #expect(phone.take() == ["remove l1", "U l1 \(ActionIdentifier.defaultAction)"])
    #expect(phone.responses.last?.isRemote == false)
    phone.feed(.handlers([.reception, .userAction]))
    phone.feed(.schedule(NotificationRequest(id: "l2", content: .init(body: "Dinner"))))
    phone.feed(.register(.legacySettings))
    phone.feed(.handlers([.reception, .willPresent, .legacyAction]))
    phone.feed(.schedule(NotificationRequest(id: "l3", content: .init(body: "Dinner"))))
    #expect(phone.take() == [])
  }

  @Test func `a local one and one of the server's never take each other's word`() {
    var phone = phone()
    phone.feed(.phase(.foreground))
    phone.result = nil
    phone.presents = nil
    phone.receive("x", Phone.alert(contentAvailable: true))
    phone.feed(.schedule(NotificationRequest(id: "x", content: .init(body: "Dinner"))))
    phone.feed(.presented(.all, phone.tokens[2]))
    #expect(phone.take() == ["W x", "R x", "W x", "show x"])
    phone.feed(.presented(.all, phone.tokens[0]))
    phone.feed(.completed(phone.tokens[1]))
    #expect(phone.take() == ["report x noData"])
  }
}
