import Participation
import Testing
import UserNotifications
import Vocabulary
import Wire

/// What becomes of notifications, said to the server: once, in order, whatever connections do.
@Suite struct NotificationReportTests {
  private func report(_ id: String, _ result: DeliveryResult) -> TrayRequest {
    .report(NotificationID(id), .acknowledged(result))
  }

  private func response(_ id: String, _ action: String, _ text: String? = nil) -> TrayRequest {
    .report(NotificationID(id), .responded(actionID: action, text: text))
  }

  /// A client whose app is in the background, with an invitation that the server knows it has.
  private func desk() -> Desk {
    var desk = Desk()
    desk.center(.phase(.background))
    desk.notify("n1")
    desk.answer()
    return desk
  }

  @Test func `each arrival is acknowledged, one at a time and in order`() {
    var desk = Desk()
    desk.center(.phase(.background))
    desk.notify("n1")
    desk.notify("n2")
    desk.center(.phase(.foreground))
    desk.notify("n3")
    #expect(desk.open == [report("n1", .presented)])
    desk.answer()
    #expect(desk.open == [report("n2", .presented)])
    desk.answer()
    #expect(desk.open == [report("n3", .notPresented)])
    desk.answer()
    #expect(desk.open == [])
    #expect(desk.standing == ["n1", "n2"])
  }

  // Proves: K1
  @Test func `what a person did without a connection is said on the next one, and once`() {
    var desk = desk()
    desk.center(.handlers([.userAction]))
    desk.cut()
    desk.center(.acted(NotificationID("n1"), action: ActionIdentifier.decline))
    #expect(desk.open == [])
    desk.pass(.seconds(1))
    desk.welcome(isResumed: true)
    #expect(desk.open == [response("n1", ActionIdentifier.decline)])
    // No answer came before the next cut: it goes again.
    desk.reconnect()
    #expect(desk.open == [response("n1", ActionIdentifier.decline)])
    desk.answer()
    desk.reconnect()
    #expect(desk.open == [])
  }

  @Test func `a request without an answer in time goes again`() {
    var desk = desk()
    desk.center(.acted(NotificationID("n1"), action: ActionIdentifier.reply, text: "Soon"))
    #expect(desk.open.count == 1)
    desk.pass(.seconds(5))
    for _ in 0..<8 {
      desk.hear(
        .pong(Pong(sent: desk.now, heard: desk.serverInstant, answered: desk.serverInstant)))
      desk.pass(.seconds(5))
    }
    #expect(
      desk.open == Array(repeating: response("n1", ActionIdentifier.reply, "Soon"), count: 2))
  }

  @Test func `a notification that comes again is not shown again`() {
    var desk = desk()
    #expect(desk.takeShown() == ["n1"])
    desk.reconnect()
    desk.notify("n1")
    #expect(desk.takeShown() == [])
    #expect(desk.open == [report("n1", .alreadyDelivered)])
    #expect(desk.standing == ["n1"])
  }

  @Test func `what the server lists stands, and nothing else of the server's`() {
    var desk = desk()
    desk.center(
      .schedule(
        NotificationRequest(id: NotificationID("mine"), content: NotificationContent(body: "Mine")))
    )
    desk.reconnect()
    _ = desk.take()
    desk.hear(
      .notifications([
        ListedNotification(desk.remote("old"), isNew: false),
        ListedNotification(desk.remote("aside"), isNew: false, isPutAway: true),
        ListedNotification(desk.remote("new"), isNew: true),
      ]))
    #expect(desk.standing == ["mine", "old", "new"])
    #expect(desk.takeShown() == ["old", "new"])
    #expect(desk.open == [report("new", .presented)])
  }

  @Test(arguments: [true, false])
  func `what was put away without a connection stays away until the server decides`(
    isDismissed: Bool
  ) {
    let n1 = NotificationID("n1")
    let said: TrayRequest =
      isDismissed ? response("n1", ActionIdentifier.dismissAction) : .report(n1, .removed)
    var desk = desk()
    _ = desk.take()
    desk.cut()
    desk.center(isDismissed ? .dismissed(n1) : .remove([n1]))
    desk.pass(.seconds(1))
    desk.welcome(isResumed: true)
    // The server sent this before it got the report.
    desk.hear(.notifications([ListedNotification(desk.remote("n1"), isNew: false)]))
    #expect(desk.takeShown() == [] && desk.standing == [])
    #expect(desk.open == [said])
    desk.answer()
    desk.hear(
      .notifications([ListedNotification(desk.remote("n1"), isNew: false, isPutAway: true)]))
    #expect(desk.takeShown() == [] && desk.standing == [])
    // Now that it has, its list decides.
    desk.hear(.notifications([ListedNotification(desk.remote("n1"), isNew: false)]))
    #expect(desk.takeShown() == ["n1"])
  }

  @Test func `a removal that the server refuses is undone by its next list`() {
    var desk = desk()
    desk.center(.remove([NotificationID("n1")]))
    _ = desk.take()
    desk.refuse(.notificationsUnavailable)
    desk.reconnect()
    desk.hear(.notifications([ListedNotification(desk.remote("n1"), isNew: false)]))
    #expect(desk.takeShown() == ["n1"])
  }

  @Test func `whoever asks for the list is told of what was put away, too`() {
    var desk = desk()
    desk.ask(.list, tag: 7)
    let list = [ListedNotification(desk.remote("aside"), isNew: false, isPutAway: true)]
    desk.hear(.notifications(list))
    _ = desk.take()
    desk.answer { $0 == .notifications(.list) }
    #expect(desk.take() == [.outcome(7, .listed(list))])
  }

  @Test func `a response that is refused is told to the app, and an acknowledgement is not`() {
    var desk = desk()
    desk.center(.acted(NotificationID("n1"), action: ActionIdentifier.accept))
    _ = desk.take()
    desk.refuse(.notificationOver)
    let said = NotificationReport.responded(actionID: ActionIdentifier.accept, text: nil)
    let failure = Client.Failure.refused(ProtocolError(.notificationOver))
    #expect(desk.take() == [.reportLost(NotificationID("n1"), said, failure)])
    desk.notify("n2")
    _ = desk.take()
    desk.refuse(.unknownNotification)
    let lost = desk.take().filter { if case .reportLost = $0 { true } else { false } }
    #expect(lost.count <= 1 && desk.open == [])
  }

  @Test func `a server that is busy hears it later`() {
    var desk = desk()
    desk.center(.dismissed(NotificationID("n1")))
    desk.refuse(.busy, retryAfter: .seconds(2))
    #expect(desk.open == [])
    desk.pass(.seconds(2))
    #expect(desk.open == [response("n1", ActionIdentifier.dismissAction)])
  }

  @Test func `a server that can store nothing for long hears it until it can`() {
    var desk = desk()
    desk.center(.acted(NotificationID("n1"), action: ActionIdentifier.decline))
    desk.storeNothing(for: 100)
    #expect(desk.open == [response("n1", ActionIdentifier.decline)])
    let isLost = desk.take().contains { if case .reportLost = $0 { true } else { false } }
    #expect(!isLost)
    desk.answer()
    #expect(desk.open == [])
  }

  @Test func `as many wait as may, and the oldest is named`() {
    var desk = desk()
    desk.cut()
    for number in 0..<257 {
      desk.center(
        .schedule(
          NotificationRequest(
            id: NotificationID("local"), content: NotificationContent(body: "\(number)"))))
      desk.hear(
        .pong(Pong(sent: desk.now, heard: desk.serverInstant, answered: desk.serverInstant)))
    }
    // What the device makes itself is nothing to the server.
    #expect(desk.take().allSatisfy { if case .reportLost = $0 { false } else { true } })
    desk.pass(.seconds(1))
    desk.welcome(isResumed: true)
    for number in 0..<258 { desk.notify("m\(number)") }
    let lost = desk.take().compactMap {
      if case .reportLost(let id, _, nil) = $0 { id.text } else { nil }
    }
    // The first is on its way.
    #expect(lost == ["m1", "m2"])
  }

  @Test func `a server without notifications is told no more, until the next connection`() {
    var desk = desk()
    desk.notify("n2")
    desk.refuse(.notificationsUnavailable)
    desk.notify("n3")
    #expect(desk.open == [])
    desk.reconnect(isResumed: false)
    #expect(desk.open == [report("n3", .presented)])
  }

  @Test(arguments: [Duration.zero, .seconds(3_600), .seconds(-3_600)])
  func `a notification expires when the server's clock says so`(error: Duration) {
    var desk = Desk()
    desk.center(.clock(DeviceClock(desk.serverInstant + error, at: desk.now)))
    desk.center(.phase(.background))
    desk.notify("n1", expires: .seconds(60))
    #expect(desk.standing == ["n1"])
    desk.pass(.seconds(59))
    #expect(desk.standing == ["n1"])
    desk.pass(.seconds(1))
    #expect(desk.standing == [])
  }

  // Proves: K19
  @Test func `a handler that never says that it is done is done after 30 seconds`() {
    var desk = desk()
    desk.center(.handlers([.userAction]))
    desk.center(.tapped(NotificationID("n1")))
    desk.answer()
    #expect(desk.open == [])
    desk.cut()
    desk.pass(.seconds(30))
    desk.welcome(isResumed: true)
    #expect(desk.open == [report("n1", .timedOut)])
  }

  @Test
  func `a client that the server ended still shows what it scheduled, and names what is lost`() {
    var desk = desk()
    desk.hear(.closing(ProtocolError(.superseded)))
    desk.center(
      .schedule(
        NotificationRequest(
          id: NotificationID("mine"), content: NotificationContent(body: "Mine"),
          trigger: .timeInterval(.seconds(60), repeats: false))))
    _ = desk.take()
    desk.pass(.seconds(60))
    #expect(desk.takeShown() == ["mine"])
    desk.center(.acted(NotificationID("n1"), action: ActionIdentifier.decline))
    desk.pass(.seconds(60))
    let lost = desk.take().compactMap { update -> NotificationID? in
      if case .reportLost(let id, _, .closed) = update { id } else { nil }
    }
    #expect(lost == [NotificationID("n1")])
  }
}
