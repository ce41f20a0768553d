import GroupSessions
import Naming
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// Where a person's notifications go, what devices say of them, and who hears of nothing.
@Suite struct NotificationTests {
  private func push(
    _ stage: inout Stage, to user: UserID = "bob", _ text: String = "Hello", collapse: String? = nil
  ) throws {
    if stage.coordinator.front.devices["admin"]?.peer == nil { stage.connect(as: "admin") }
    let payload = NotificationPayload(.init(body: .init(text)))
    try stage.notify(
      "admin",
      .push(
        DirectPush(to: user, payload, collapseID: collapse, key: Stage.administratorKey)))
  }

  private func scene() throws -> Stage {
    var stage = try Stage.notifying()
    try stage.install("phone", as: "bob")
    try stage.install("tablet", as: "bob")
    return stage
  }

  @Test func `a notification comes once it is kept, with the answer to whoever sent it`() throws {
    var stage = try scene()
    stage.connect(as: "admin")
    stage.isHeld = true
    let payload = NotificationPayload(.init(body: "Hello"))
    let request = stage.post(
      .notifications(.push(DirectPush(to: "bob", payload, key: Stage.administratorKey))),
      from: "admin")
    #expect(stage.notifications("phone").isEmpty && stage["admin"].answers.isEmpty)
    stage.release()
    #expect(stage["admin"].answers[request] == [.success(.done(seq: nil))])
    #expect(stage.notifications("phone").map(\.payload) == [payload])
    #expect(stage.notifications("tablet").map(\.payload) == [payload])
  }

  @Test func `whoever comes is told what stands, and what it has not told of is new to it`() throws
  {
    var stage = try scene()
    stage.disconnect("tablet")
    try push(&stage)
    let id = try #require(stage.notifications("phone").first?.id)
    try stage.notify("phone", .report(id, .acknowledged(.presented)))
    stage.connect(as: "tablet", user: "bob")
    #expect(stage.listed("tablet") == [id])
    stage.disconnect("phone")
    stage.connect(as: "phone", user: "bob")
    let listed = stage.inbox("phone").compactMap { message -> [ListedNotification]? in
      if case .notifications(let listed) = message { listed } else { nil }
    }
    #expect(listed.map { $0.map(\.isNew) } == [[false]])
    stage.forget()
    try stage.notify("tablet", .list)
    #expect(stage.listed("tablet") == [id])
    // A device that registered for nothing is told nothing, and may ask.
    stage.connect(as: "watch", user: "bob")
    #expect(stage.listed("watch") == nil)
    try stage.notify("watch", .list)
    #expect(stage.listed("watch") == [])
  }

  @Test func `what is dealt with on one device goes on the others; dealt with twice it is over`()
    throws
  {
    var stage = try scene()
    try push(&stage)
    try push(&stage, "Again")
    let ids = stage.notifications("phone").map(\.id)
    try stage.respond("phone", ids[0], ActionIdentifier.defaultAction)
    #expect(stage.revoked("tablet") == [ids[0]] && stage.revoked("phone").isEmpty)
    let late = try stage.refusedResponse("tablet", ids[0], ActionIdentifier.defaultAction)
    #expect(late.code == .notificationOver)
    try stage.notify("tablet", .remove([ids[1]]))
    #expect(stage.revoked("phone") == [ids[1]])
    #expect(stage.tray("bob")?.entries.isEmpty == true)
    let error = try stage.refusedResponse("tablet", "nothing", ActionIdentifier.defaultAction)
    #expect(error.code == .unknownNotification)
  }

  @Test func `nobody answers what is another person's`() throws {
    var stage = try scene()
    try stage.install("tv", as: "cat")
    stage.connect(as: "dan")
    try push(&stage)
    let id = try #require(stage.notifications("phone").first?.id)
    for device in ["tv", "dan"] as [DeviceID] {
      let error = try stage.refusedResponse(device, id, ActionIdentifier.defaultAction)
      #expect(error.code == .unknownNotification)
      try stage.notify(device, .remove([id]))
      try stage.notify(device, .report(id, .acknowledged(.presented)))
    }
    #expect(stage.tray("bob")?.entries.count == 1)
    #expect(stage.tray("bob")?[id]?.response == nil)
    #expect(stage.tray("dan") == nil)
  }

  @Test func `a device that becomes another person's hears of its person's only`() throws {
    var stage = try scene()
    stage.disconnect("phone")
    stage.connect(as: "phone", user: "cat")
    #expect(stage.tray("bob")?.installations.map(\.device) == ["tablet"])
    try stage.notify("phone", .register())
    try push(&stage)
    #expect(stage.notifications("phone").isEmpty)
    try push(&stage, to: "cat")
    #expect(stage.notifications("phone").count == 1)
    try stage.notify("phone", .unregister)
    #expect(stage.tray("cat") == nil || stage.tray("cat")?.installations.isEmpty == true)
    try push(&stage, to: "cat")
    #expect(stage.notifications("phone").count == 1)
  }

  // Proves: K16
  @Test func `the last who registers with a token has it, whoever had it before`() throws {
    var stage = try Stage.notifying()
    try stage.install("phone", as: "bob", .browser("one"))
    try stage.install("tv", as: "cat", .browser("one"))
    #expect(stage.tray("bob") == nil)
    #expect(stage.tray("cat")?.installations.map(\.device) == ["tv"])
    stage.disconnect("phone")
    stage.disconnect("tv")
    try push(&stage)
    #expect(stage.pushes.isEmpty)
    try push(&stage, to: "cat")
    #expect(stage.pushes.map(\.attempt.user) == ["cat"])
  }

  @Test func `an address that nobody may connect to is refused`() throws {
    var stage = try Stage.notifying { $0.endpointFlaw = { _ in "privateHost" } }
    stage.connect(as: "phone")
    let error = try stage.refusal("phone", .notifications(.register(.browser("one"))))
    #expect(error == ProtocolError(.invalidEndpoint, reason: "privateHost"))
    #expect(stage.tray("phone") == nil)
    try stage.notify("phone", .register())
  }

  @Test func `what nothing stands in is kept nowhere`() throws {
    var stage = try scene()
    try stage.subscribe("phone")
    #expect(stage.journal.live[.tray("bob")]?.isEmpty == false)
    try stage.notify("phone", .unregister)
    try stage.notify("tablet", .unregister)
    #expect(stage.tray("bob") != nil)
    try stage.notify("tablet", .unsubscribe(.topic("group/g")))
    #expect(stage.tray("bob") == nil)
    #expect(stage.journal.live[.tray("bob")] == nil)
    #expect(stage.coordinator.people.trays.index == TrayIndex())
    // What comes next begins a stream anew.
    try stage.install("phone2", as: "bob")
    try stage.notify("phone2", .wipe)
    #expect(stage.tray("bob") == nil && stage.journal.live[.tray("bob")] == nil)
    stage.crash()
    #expect(stage.coordinator.people.trays.rooms.isEmpty)
  }

  @Test func `a token that another person took over stays theirs`() {
    func installation(_ device: DeviceID, _ token: String) -> Installation {
      Installation(device: device, endpoint: .browser(token), registered: .start)
    }
    let (nobody, phone) = (NotificationTray("ann"), installation("phone", "shared"))
    let before = NotificationTray("ann", installations: [phone])
    var index = TrayIndex()
    index.update("ann", from: nobody, to: before)
    let tablet = NotificationTray("bob", installations: [installation("tablet", "shared")])
    index.update("bob", from: NotificationTray("bob"), to: tablet)
    // Ann registers another device before her tray hears of the first one's end.
    let tv = installation("tv", "own")
    let both = NotificationTray("ann", installations: [phone, tv])
    index.update("ann", from: before, to: both)
    index.update("ann", from: both, to: NotificationTray("ann", installations: [tv]))
    #expect(index.owners == ["tablet": "bob", "tv": "ann"])
    #expect(
      index.tokens == ["https://push.example/shared": "bob", "https://push.example/own": "ann"])
  }

  // MARK: Bounds

  @Test func `what was not delivered is kept within bounds, the oldest going first`() throws {
    var stage = try Stage.notifying { $0.policy.notifications = 3 }
    try stage.install("phone", as: "bob")
    stage.disconnect("phone")
    for number in 1...5 { try push(&stage, "\(number)") }
    let texts = stage.tray("bob")?.entries.map { $0.notification.payload.alert?.body?.text }
    #expect(texts == ["3", "4", "5"])
    for number in 1...5 { try push(&stage, "c\(number)", collapse: "c") }
    #expect(stage.tray("bob")?.entries.count == 3)
    stage.connect(as: "phone", user: "bob")
    #expect(stage.listed("phone")?.count == 3)
    stage.advance(TrayPolicy().timeToLive)
    #expect(stage.tray("bob")?.entries.isEmpty == true)
  }

  @Test func `as many people have a tray as may; whoever was not seen for longest makes room`()
    throws
  {
    var stage = try Stage.notifying { $0.policy.trays = 2 }
    for (device, user) in [("a", "ann"), ("b", "bob")] as [(DeviceID, UserID)] {
      try stage.install(device, as: user)
      stage.disconnect(device)
      stage.advance(.seconds(86_400))
    }
    stage.connect(as: "c", user: "cat")
    let register = Request.notifications(.register())
    #expect(try stage.refusal("c", register) == ProtocolError(.traysFull, limit: 2))
    stage.advance(Limits().userAbsence - .seconds(86_400))
    stage.connect(as: "c2", user: "cat")
    try stage.ask("c2", register)
    #expect(Set(stage.coordinator.people.trays.rooms.keys) == ["bob", "cat"])
    #expect(stage.journal.live[.tray("ann")] == nil)
  }

  @Test func `who comes and goes while nothing is kept waits once, and hears all in the end`()
    throws
  {
    var stage = try scene()
    stage.isHeld = true
    stage.post(.notifications(.subscribe(.topic("app/x"))), from: "tablet")
    for _ in 0..<20 {
      stage.disconnect("phone")
      stage.connect(as: "phone", user: "bob")
    }
    #expect(stage.coordinator.people.trays["bob"]?.lane.waitingCount == 1)
    stage.isHeld = false
    stage.release()
    #expect(stage.listed("phone") == [])
  }

  // MARK: Push services

  @Test func `a device is pushed to once it is not expected back, and told when it is`() throws {
    var stage = try Stage.notifying()
    try stage.install("phone", as: "bob", .browser("one"), in: "g")
    stage.disconnect("phone")
    try push(&stage)
    #expect(stage.pushes.isEmpty)
    stage.advance(Limits().resumeGrace + .seconds(1))
    let (order, attempt) = try #require(stage.pushes.first)
    #expect(stage.pushes.count == 1)
    #expect(order.endpoint == .browser("one") && order.attempt == 1)
    #expect(attempt.notification == order.notification.id && attempt.device == "phone")
    stage.handle(.pushEnded(attempt, .retry(after: .seconds(30))))
    stage.advance(.seconds(31))
    #expect(stage.pushes.map(\.order.attempt) == [1, 2])
    stage.handle(.pushEnded(stage.pushes[1].attempt, .delivered))
    stage.handle(.pushEnded(attempt, .refused))
    stage.advance(.seconds(3_600))
    #expect(stage.pushes.count == 2)
    stage.connect(as: "phone", user: "bob")
    #expect(stage.listed("phone") == [order.notification.id])
  }

  @Test func `a push that says nothing is asked for again, also by the next server`() throws {
    var stage = try Stage.notifying()
    try stage.install("phone", as: "bob", .browser("one"))
    stage.disconnect("phone")
    try push(&stage)
    #expect(stage.pushes.count == 1)
    stage.crash()
    stage.advance(TrayPolicy().pushPatience + .seconds(1))
    #expect(stage.pushes.map(\.order.attempt) == [1, 2])
    stage.handle(.pushEnded(stage.pushes[1].attempt, .forget(since: stage.now)))
    #expect(stage.tray("bob")?.installations.isEmpty == true)
    #expect(stage.coordinator.people.trays.index == TrayIndex())
    // Of people who are not known any more it means nothing.
    stage.handle(.pushEnded(stage.pushes[1].attempt, .delivered))
    try push(&stage)
    #expect(stage.pushes.count == 2)
  }
}
