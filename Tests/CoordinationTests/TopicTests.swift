import GroupSessions
import Naming
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// Whose topics are whose, and what is said there; and what only the administrator may say.
@Suite struct TopicTests {
  private func scene() throws -> Stage {
    var stage = try Stage.notifying()
    try stage.install("a", as: "ann", in: "g")
    try stage.install("b", as: "bob")
    try stage.install("b2", as: "bob")
    return stage
  }

  private func publication(
    to topic: TopicID, _ text: String = "Hi", data: [String: PayloadValue] = [:],
    key: String? = nil
  ) -> TrayRequest {
    .publish(
      TopicPublication(to: topic, alert: .init(body: .init(text)), data: data, key: key))
  }

  // Proves: K16
  @Test func `what is said to a topic comes to all devices of all who want it, the sender's too`()
    throws
  {
    var stage = try scene()
    for device in ["a", "b"] as [DeviceID] {
      try stage.ask(device, .joinGroup("g"))
      try stage.notify(device, .subscribe(.topic("group/g/talk")))
    }
    try stage.notify("a", publication(to: "group/g/talk", data: ["n": 1]))
    for device in ["a", "b", "b2"] as [DeviceID] {
      let notification = try #require(stage.notifications(device).first)
      let message = ReceivedMessage(notification.payload)
      #expect(message.kind == .pushToUser)
      #expect(message.topicID == "group/g/talk" && message.sourceGroup == "g")
      #expect(message.sender == "ann" && message.alertBody == "Hi")
      #expect(message.value(of: "n") == 1)
    }
    try stage.notify("b2", .unsubscribe(.topic("group/g/talk")))
    try stage.notify("a", publication(to: "group/g/talk"))
    #expect(stage.notifications("a").count == 2)
    #expect(stage.notifications("b").count == 1)
  }

  // Proves: K10
  @Test func `a member's message offers the actions of a category, but never invites`() throws {
    var stage = try scene()
    for device in ["a", "b"] as [DeviceID] {
      try stage.ask(device, .joinGroup("g"))
      try stage.notify(device, .subscribe(.topic("group/g")))
    }
    var publication = TopicPublication(
      to: "group/g", alert: .init(body: "A film?"), category: "MESSAGE_CATEGORY",
      data: ["film": "Sintel"])
    try stage.notify("a", .publish(publication))
    let payload = try #require(stage.notifications("b").first).payload
    #expect(payload.categoryID == "MESSAGE_CATEGORY")
    #expect(ReceivedMessage(payload).value(of: "film") == "Sintel")
    publication.category = NotificationCategory.groupWatchInviteID
    let refusal = try stage.refusal("a", .notifications(.publish(publication)))
    #expect(refusal.code == .invalidField && refusal.field == "category")
    #expect(stage.notifications("b").count == 1)
  }

  @Test
  func
    `members speak in their group, people to themselves, and whoever was in a group may listen to it`()
    throws
  {
    var stage = try scene()
    try stage.subscribe("b")
    func refusal(_ device: DeviceID, _ request: TrayRequest) throws -> ErrorCode {
      try stage.refusal(device, .notifications(request)).code
    }
    #expect(try refusal("b", publication(to: "group/g")) == .notYourTopic)
    #expect(try refusal("b", publication(to: "user/ann")) == .notYourTopic)
    #expect(try refusal("b", .subscribe(.topic("user/ann"))) == .notYourTopic)
    try stage.notify("b", .subscribe(.topic("user/bob")))
    try stage.notify("b", .subscribe(.topic("user/bob/notes")))
    try stage.notify("b2", publication(to: "user/bob/notes"))
    #expect(stage.notifications("b").count == 1 && stage.notifications("b2").count == 1)
    for topic in [
      "", "g", "group", "group/", "group//x", "group/g/x/y", "user/", "app", "app/", "app/x/y",
      "thing/x", "Group/g", "/group/g",
    ] {
      #expect(try refusal("a", publication(to: TopicID(topic))) == .invalidTopic)
      #expect(try refusal("a", .subscribe(.topic(TopicID(topic)))) == .invalidTopic)
    }
  }

  // Proves: K16
  @Test func `only who has the key speaks to the app's topics, and to anybody`() throws {
    var stage = try scene()
    try stage.notify("b", .subscribe(.topic("app/news")))
    let key = Stage.administratorKey
    let push = DirectPush(
      to: "bob", NotificationPayload(.init(body: "Hi"), custom: ["mine": 1]), key: key)
    try stage.notify("a", .push(push))
    let direct = try #require(stage.notifications("b").first)
    #expect(ReceivedMessage(direct.payload).kind == .directPush)
    #expect(direct.payload == push.payload)
    try stage.notify("a", publication(to: "app/news", key: key))
    let news = try #require(stage.notifications("b").last)
    #expect(ReceivedMessage(news.payload).scope == .app)
    #expect(ReceivedMessage(news.payload).sender == nil)
    for wrong in ["", key + "x", String(key.dropLast())] {
      let request = Request.notifications(publication(to: "app/news", key: wrong))
      #expect(try stage.refusal("a", request).code == .wrongKey)
      var push = push
      push.key = wrong
      #expect(try stage.refusal("a", .notifications(.push(push))).code == .wrongKey)
    }
    #expect(stage.notifications("b").count == 2)
    var keyless = try Stage.notifying { $0.administratorKey = nil }
    keyless.connect(as: "a")
    #expect(
      try keyless.refusal("a", .notifications(.push(push))).code == .noAdministrator)
    #expect(
      try keyless.refusal("a", .notifications(publication(to: "app/news", key: key))).code
        == .noAdministrator)
  }

  @Test(arguments: [false, true])
  func `the key is not taken where others read it, and waits after many wrong ones`(
    isPush: Bool
  ) throws {
    var stage = try Stage.notifying()
    func request(_ key: String) -> Request {
      guard isPush else { return .notifications(publication(to: "app/news", key: key)) }
      let payload = NotificationPayload(.init(body: "Hi"))
      return .notifications(.push(DirectPush(to: "bob", payload, key: key)))
    }
    let key = Stage.administratorKey
    let peer = stage.connect(as: "eve", from: KeyedDoor.address(1))
    #expect(try stage.refusal("eve", request(key)).code == .tlsRequired)
    stage.handle(.secured(peer))
    for _ in 0..<Limits().guesses {
      #expect(try stage.refusal("eve", request("guess")).code == .wrongKey)
    }
    // Otherwise whoever guesses on would learn which one is right.
    #expect(try stage.refusal("eve", request(key)).code == .tooManyGuesses)
    stage.advance(.seconds(13))
    try stage.ask("eve", request(key))
  }

  @Test func `who shows no key guesses none`() throws {
    var stage = try Stage.notifying()
    stage.connect(as: "eve", from: KeyedDoor.address(0, isLoopback: true))
    let payload = NotificationPayload(.init(body: "Hi"))
    for _ in 0...Limits().guesses {
      for request in [
        publication(to: "app/news"), .push(DirectPush(to: "bob", payload, key: nil)),
      ] {
        let refusal = try stage.refusal("eve", .notifications(request))
        #expect(refusal.code == .forbidden && refusal.reason == "administrator")
      }
    }
    try stage.ask("eve", .notifications(publication(to: "app/news", key: Stage.administratorKey)))
  }

  // MARK: People who are removed for good

  /// Bob, in Ann's group with Cat, subscribes to two of its topics, and to one of the app.
  private func keyedScene() throws -> KeyedDoor {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("bob", "cat")
    try door.stage.notify("bob", .register())
    for topic in ["group/g", "group/g/talk", "app/news"] as [TopicID] {
      try door.stage.notify("bob", .subscribe(.topic(topic)))
    }
    return door
  }

  @Test func `who is removed for good is invited no more, and hears nothing of the group's topics`()
    throws
  {
    var door = try keyedScene()
    try door.stage.ask("ann", .removeUser("bob"))
    #expect(door.stage.tray("bob")?.subscriptions == [.topic("app/news")])
    let id = try door.stage.activate("ann")
    #expect(door.stage.session(id)?.invitations["bob"] == nil)
    let refusal = try door.stage.refusal("ann", .invite(nil, ["dora", "bob"], lifetime: nil))
    #expect(refusal.code == .forbidden && refusal.reason == "removed" && refusal.field == "users")
    #expect(door.stage.session(id)?.invitations["dora"] == nil)
  }

  @Test func `who is removed for good is no longer invited, and nobody hears that they come`()
    throws
  {
    var door = try keyedScene()
    let id = try door.stage.activate("ann")
    try door.stage.join("ann", id)
    try door.stage.ask("bob", .leaveGroup)
    #expect(door.stage.standing("bob").count == 1)
    try door.stage.ask("ann", .removeUser("bob"))
    #expect(door.stage.session(id)?.invitations["bob"]?.state == .expired)
    #expect(door.stage.standing("bob").isEmpty)
    let answer = Request.answerInvitation(id, .accepted, seq: nil)
    #expect(try door.stage.refusal("bob", answer).code == .invitationOver)
  }

  @Test func `a server that dies before the session hears of the removal makes it good`() throws {
    var door = try keyedScene()
    let id = try door.stage.activate("ann")
    try door.stage.join("ann", id)
    door.stage.isHeld = true
    door.stage.post(.removeUser("bob"), from: "ann")
    door.stage.release(1)
    #expect(door.stage.session(id)?.invitations["bob"]?.state == .pending)
    door.stage.isHeld = false
    door.stage.crash()
    #expect(door.stage.session(id)?.invitations["bob"]?.state == .expired)
    #expect(door.stage.standing("bob").isEmpty)
  }

  @Test func `a server that dies before the tray hears of the removal makes it good`() throws {
    var door = try keyedScene()
    door.stage.isHeld = true
    door.stage.post(.removeUser("bob"), from: "ann")
    door.stage.release(1)
    #expect(door.group?.entry?.removed == ["bob"])
    #expect(door.stage.tray("bob")?.subscriptions.count == 3)
    door.stage.isHeld = false
    door.stage.crash()
    #expect(door.stage.tray("bob")?.subscriptions == [.topic("app/news")])
  }

  @Test func `a tray that cannot be written hears of the removal later`() throws {
    var door = try keyedScene()
    door.stage.journal.failures = 1
    _ = try door.stage.refusal("bob", .notifications(.unsubscribe(.topic("app/news"))))
    try door.stage.ask("ann", .removeUser("bob"))
    #expect(door.stage.tray("bob")?.subscriptions.count == 3)
    let id = try door.stage.activate("ann")
    #expect(door.stage.session(id)?.invitations["bob"] == nil)
    door.stage.advance(Limits().journalRetry)
    #expect(door.stage.tray("bob")?.subscriptions == [.topic("app/news")])
  }

  @Test func `a subscription that is stored after the removal ends at once`() throws {
    var door = try keyedScene()
    door.stage.isHeld = true
    door.stage.post(.removeUser("bob"), from: "ann")
    door.stage.post(.notifications(.subscribe(.topic("group/g/late"))), from: "bob")
    door.stage.isHeld = false
    door.stage.release()
    #expect(door.stage.tray("bob")?.subscriptions == [.topic("app/news")])
  }

  @Test func `what is too large, nested or named as the message's own fields is refused`() throws {
    var stage = try scene()
    let key = Stage.administratorKey
    func refusal(_ request: TrayRequest) throws -> ProtocolError {
      try stage.refusal("a", .notifications(request))
    }
    let long = String(repeating: "x", count: 4_096)
    let tooLarge = ProtocolError(.payloadTooLarge, limit: 4_096)
    #expect(try refusal(publication(to: "group/g", long)) == tooLarge)
    #expect(
      try refusal(.push(DirectPush(to: "bob", .init(.init(body: .init(long))), key: key)))
        == tooLarge)
    var options = PushOptions()
    options.transports[.webPush] = .init(data: ["x": .string(long)])
    let publication = TopicPublication(to: "group/g", data: [:], options: options)
    #expect(try refusal(.publish(publication)) == tooLarge)
    #expect(
      try refusal(self.publication(to: "group/g", data: ["x": ["y": 1]])).field == "data.x")
    #expect(try refusal(self.publication(to: "group/g", data: ["to": "x"])).field == "data.to")
    let forged: [(String, PayloadValue)] = [
      ("revoke", ["n1"]), ("s", "bob"), ("aps", ["badge": 1]),
    ]
    for (name, value) in forged {
      for transport in TransportKind.allCases {
        var options = PushOptions()
        options.transports[transport] = .init(data: [name: value])
        let publication = TopicPublication(to: "group/g", options: options)
        #expect(
          try refusal(.publish(publication)).field
            == "options.transports.\(transport.rawValue).data.\(name)")
      }
    }
    let push = DirectPush(to: "bob", .init(.init(body: "x")), timeToLive: .zero, key: key)
    #expect(try refusal(.push(push)).field == "timeToLive")
    #expect(stage.tray("bob")?.entries.isEmpty == true)
  }

  @Test func `a person wants only so much, and a topic has only so many who do`() throws {
    var stage = try Stage.notifying {
      $0.policy.subscriptions = 2
      $0.policy.topicSubscribers = 1
    }
    try stage.install("a", as: "ann")
    try stage.install("b", as: "bob")
    try stage.notify("a", .subscribe(.topic("app/1")))
    try stage.notify("a", .subscribe(.topic("app/2")))
    try stage.notify("a", .subscribe(.topic("app/2")))
    let many = try stage.refusal("a", .notifications(.subscribe(.topic("app/3"))))
    #expect(many == ProtocolError(.tooManySubscriptions, limit: 2))
    let full = try stage.refusal("b", .notifications(.subscribe(.topic("app/1"))))
    #expect(full == ProtocolError(.tooManySubscriptions, limit: 1, reason: "subscribers"))
    try stage.notify("a", .unsubscribe(.topic("app/1")))
    try stage.notify("b", .subscribe(.topic("app/1")))
  }

  @Test func `a publication is kept with its answer, or not at all`() throws {
    var stage = try scene()
    try stage.subscribe("b")
    stage.journal.failures = 1
    let request = stage.post(.notifications(publication(to: "group/g")), from: "a")
    #expect(stage.notifications("b").isEmpty)
    guard case .failure(let error)? = stage["a"].answers[request]?.first else {
      throw ProtocolError(.busy)
    }
    #expect(error.code == .journalUnavailable)
    stage.advance(.seconds(2))
    stage.say(.request(request, .notifications(publication(to: "group/g"))), from: "a")
    #expect(stage.notifications("b").count == 1)
    stage.say(.request(request, .notifications(publication(to: "group/g"))), from: "a")
    #expect(stage.notifications("b").count == 1)
  }

  @Test func `a publication that waits for a tray comes there, though the tray's journal fails`()
    throws
  {
    var stage = try scene()
    try stage.subscribe("b")
    stage.isHeld = true
    let failing = stage.post(.notifications(.subscribe(.topic("app/x"))), from: "b")
    let request = stage.post(.notifications(publication(to: "group/g")), from: "a")
    stage.journal.failures = 1
    stage.isHeld = false
    stage.release()
    guard case .failure? = stage["b"].answers[failing]?.first else { throw ProtocolError(.busy) }
    _ = try #require(stage["a"].answers[request]?.first).get()
    #expect(stage.notifications("b").isEmpty)
    let late = try stage.refusal("a", .notifications(publication(to: "group/g", "Late")))
    #expect(late.code == .journalUnavailable)
    stage.advance(Limits().journalRetry)
    #expect(stage.notifications("b").count == 1)
  }

  @Test func `while a journal is slow only so much waits for a person`() throws {
    var limits = Limits()
    limits.pendingCommands = 3
    limits.messageBurst = 1_000
    var stage = try Stage.notifying(limits: limits)
    try stage.install("a", as: "ann", in: "g")
    try stage.install("b", as: "bob")
    try stage.subscribe("b")
    stage.isHeld = true
    for _ in 0..<20 { stage.post(.notifications(publication(to: "group/g")), from: "a") }
    #expect(stage.coordinator.people.trays["bob"]?.lane.pendingCount == 3)
    #expect(try stage.refusal("b", .notifications(.remove([]))).code == .busy)
    stage.isHeld = false
    stage.release()
    #expect(stage.notifications("b").count == 3)
  }
}
