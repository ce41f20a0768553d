import MatineeClient
import Server
import Testing

/// The library's notifications against a real server: what an app sees and does.
@Suite(.serialized, .hangLimit) struct UserNotificationCenterTests {
  private let topic = TopicID("user/u-Ann/chores")

  /// One person who is registered and hears of a topic of their own.
  private func with(
    _ mode: RegistrationMode = .center,
    _ body: (GroupWatchClient, ServerThread) async throws -> Void
  ) async throws {
    let server = try await ServerThread()
    defer { server.stop() }
    let client = try await Gathering.connect("Ann", to: server)
    defer { client.close() }
    try await client.notifications.register(mode)
    try await client.notifications.subscribe(to: topic)
    try await body(client, server)
  }

  private func publish(_ text: String?, from client: GroupWatchClient) async throws {
    try await client.notifications.publish(
      to: topic, text.map { NotificationPayload.Alert(body: .init($0)) }, data: ["n": 1])
  }

  // Proves: K16, K22
  @Test func `the sender's own device hears it, and is asked how to show it`() async throws {
    try await with { client, _ in
      let bell = Doorbell()
      client.notifications.install(bell)
      var events = client.notifications.events.makeAsyncIterator()
      try await publish("Dishes", from: client)
      guard case .shown(let shown)? = await events.next() else {
        Issue.record("it was not shown")
        return
      }
      #expect(shown.notification.content.body == "Dishes")
      #expect(shown.options == [.list, .banner] && shown.category == nil)
      let message = ReceivedMessage(userInfo: shown.notification.content.userInfo)
      #expect(message.kind == .pushToUser && message.topicID == topic)
      #expect(message.sender == UserID("u-Ann") && message.value(of: "n") == 1)
      #expect(bell.lines == ["W Dishes"])
    }
  }

  @Test func `an app that answers and goes on is asked about the next one in time`() async throws {
    try await with { client, _ in
      let center = client.notifications
      center.delegate = Straggler(center)
      let ids = [NotificationID("n-1"), NotificationID("n-2")]
      for id in ids {
        var content = NotificationContent()
        content.title = "Metropolis"
        try await center.schedule(NotificationRequest(id: id, content: content))
      }
      let delivered = await center.delivered.becomes { $0.count == 2 }
      #expect(delivered?.map(\.id) == ids)
      center.delegate = nil
    }
  }

  @Test func `a notification's category is found as long as the app has set it`() async throws {
    try await with { client, _ in
      let center = client.notifications
      center.delegate = Doorbell()
      let review = NotificationCategory(
        id: "REVIEW", actions: [NotificationAction(id: "GOOD", title: "Good")])
      center.setCategories([.groupWatchInvite(), review])
      for (id, category) in [("n-1", "REVIEW"), ("n-2", "UNSET"), ("n-3", nil)] {
        var content = NotificationContent()
        (content.title, content.categoryID) = ("Metropolis", category)
        try await center.schedule(NotificationRequest(id: NotificationID(id), content: content))
      }
      let delivered = await center.delivered.becomes { $0.count == 3 }
      #expect(delivered?.map { center.category(of: $0) } == [review, nil, nil])
      center.setCategories([.groupWatchInvite()])
      #expect(delivered?.first.flatMap { center.category(of: $0) } == nil)
    }
  }

  // Proves: K21
  @Test func `without a say it is not shown in front, and the receiver hears of it`()
    async throws
  {
    try await with { client, _ in
      let bell = Doorbell()
      client.notifications.receiver = bell
      try await publish("Dishes", from: client)
      await bell.waits(for: "R Dishes")
      #expect(client.notifications.delivered.current == [])
      // What is for the app alone is told it, too.
      try await publish(nil, from: client)
      await bell.waits(for: "R ")
      #expect(client.notifications.delivered.current == [])
    }
  }

  // Proves: K20
  @Test func `what was done before there was a delegate is told to the one that comes`()
    async throws
  {
    try await with { client, _ in
      let notifications = client.notifications
      notifications.phase = .background
      var events = notifications.events.makeAsyncIterator()
      try await publish("Dishes", from: client)
      notifications.tap(try #require(await notifications.stands("Dishes")))
      var warned = false
      while !warned, let event = await events.next() {
        if case .warning(let warning, _) = event { warned = warning.kind == .noHandler }
      }
      let bell = Doorbell()
      notifications.delegate = bell
      await bell.waits(for: "U Dishes tap")
    }
  }

  // Proves: K19
  @Test func `a handler is done once, whatever it says`() async throws {
    try await with { client, _ in
      let notifications = client.notifications
      let bell = Doorbell { $0.completes = false }
      notifications.install(bell)
      notifications.phase = .background
      for text in ["Dishes", "Dust"] {
        try await publish(text, from: client)
        notifications.tap(try #require(await notifications.stands(text)))
        await bell.waits(for: "U \(text) tap")
      }
      #expect(await notifications.extraCompletions() == 0)
      let completions = bell.completions
      completions[0]()
      #expect(await notifications.extraCompletions() == 0)
      completions[0]()
      completions[0]()
      #expect(await notifications.extraCompletions() == 2)
      completions[1]()
      #expect(await notifications.extraCompletions() == 2)
    }
  }

  // Proves: K8, K27
  @Test func `what the device makes itself comes by its trigger, and stays on the device`()
    async throws
  {
    try await with { client, _ in
      let notifications = client.notifications
      let bell = Doorbell()
      notifications.install(bell)
      notifications.phase = .background
      let hour = NotificationTrigger.calendar(DateMatch(minute: 59, second: 59), repeats: true)
      for (id, trigger) in [
        ("soon", NotificationTrigger.timeInterval(.milliseconds(1), repeats: false)),
        ("now", .none), ("later", hour),
      ] {
        try await notifications.schedule(
          NotificationRequest(
            id: NotificationID(id), content: NotificationContent(body: id), trigger: trigger))
      }
      let soon = try #require(await notifications.stands("soon"))
      _ = try #require(await notifications.stands("now"))
      #expect(await notifications.scheduled().map(\.id.text).contains("later"))
      notifications.unschedule([NotificationID("later")])
      #expect(await notifications.scheduled() == [])
      notifications.tap(soon)
      await bell.waits(for: "U soon tap")
      #expect(bell.responses.first?.isRemote == false)
      #expect(bell.responses.first?.invitationAnswer == nil)
      #expect(try await notifications.list() == [])
    }
  }

  @Test func `a request that can never come is refused`() async throws {
    try await with { client, _ in
      for (trigger, fault) in [
        (NotificationTrigger.push, NotificationRequest.Fault.push),
        (.timeInterval(.zero, repeats: false), .interval),
        (.timeInterval(.seconds(30), repeats: true), .interval),
        (.calendar(DateMatch(month: 4, day: 31), repeats: false), .date),
      ] {
        let request = NotificationRequest(
          id: NotificationID("x"), content: NotificationContent(body: "x"), trigger: trigger)
        await #expect(throws: fault) { try await client.notifications.schedule(request) }
      }
    }
  }

  @Test func `what may not travel is refused with a code`() async throws {
    try await with { client, _ in
      let notifications = client.notifications
      let long = String(repeating: "x", count: 4_096)
      let tooLarge = await refusal { () throws(GroupWatchError) in
        try await notifications.publish(to: topic, nil, data: ["long": .string(long)])
      }
      #expect(tooLarge == .payloadTooLarge)
      let notHers = await refusal { () throws(GroupWatchError) in
        try await notifications.publish(to: TopicID("user/u-Bob"), nil)
      }
      #expect(notHers == .notYourTopic)
      let none = await refusal { () throws(GroupWatchError) in
        try await notifications.subscribe(to: TopicID("weather"))
      }
      #expect(none == .invalidTopic)
    }
  }

  /// Waits for a version after another one.
  private func version(of mirror: Observed<StateMirror?>, after version: Int64) async -> Int64 {
    for await value in mirror.values {
      if let next = value?.version, next > version { return next }
    }
    Issue.record("it ended")
    return version
  }

  // Proves: K7
  @Test func `a part of a session is followed, and ends with it`() async throws {
    try await Gathering.with { room in
      let sessions = try await room.watch()
      let bob = room.bob.notifications
      try await bob.register()
      let object = ServerObject.part(.queue, of: sessions[0].id)
      let queue = try await bob.follow(object)
      let before = await version(of: queue, after: 0)
      let fields = queue.current?.fields
      try await sessions[0].queue.add(MediaItem(item: ItemID("next"), url: "next.mp4"))
      _ = await version(of: queue, after: before)
      #expect(queue.current?.fields != fields)
      try await sessions[0].end()
      await queue.becomes { $0 == nil }
    }
  }

  /// Ann keeps an object in a group, and Bob, who is registered, follows it.
  private func withVotes(
    _ body: (Gathering, ServerObject, Observed<StateMirror?>) async throws -> Void
  ) async throws {
    try await Gathering.with { room in
      try await room.ann.updateObject(ObjectID("votes"), set: ["yes": 1])
      try await room.bob.notifications.register()
      let object = ServerObject.own(ObjectID("votes"), of: GroupID("room"))
      try await body(room, object, try await room.bob.notifications.follow(object))
    }
  }

  // Proves: K7, K16
  @Test func `an app's own object is followed from outside, and ends with it`() async throws {
    try await withVotes { room, _, followed in
      try await room.bob.leaveGroup()
      try await room.ann.updateObject(ObjectID("votes"), set: ["yes": 2])
      await followed.becomes { $0?.fields == ["yes": 2] }
      try await room.ann.removeObject(ObjectID("votes"))
      await followed.becomes { $0 == nil }
    }
  }

  // Proves: K7
  @Test func `who unfollows an object is told no more of it`() async throws {
    try await withVotes { room, object, followed in
      await followed.becomes { $0?.fields == ["yes": 1] }
      try await room.bob.notifications.unfollow(object)
      for await _ in followed.values {}
      let again = try await room.bob.notifications.follow(object)
      await again.becomes { $0?.fields == ["yes": 1] }
    }
  }

  @Test func `nothing comes without a subscription or a registration`() async throws {
    try await with { client, _ in
      let center = client.notifications
      center.phase = .background
      try await publish("Dishes", from: client)
      _ = try #require(await center.stands("Dishes"))
      try await center.unsubscribe(from: topic)
      try await publish("Floor", from: client)
      try await center.subscribe(to: topic)
      try await publish("Windows", from: client)
      _ = try #require(await center.stands("Windows"))
      #expect(try await center.list().map(\.content.body) == ["Dishes", "Windows"])
      try await center.unregister()
      try await publish("Stove", from: client)
      _ = try await client.status()
      #expect(!center.delivered.current.contains { $0.content.body == "Stove" })
      // It waited for the person.
      try await center.register()
      _ = try #require(await center.stands("Stove"))
    }
  }

  @Test func `a notification is answered from the list, once, or removed from all devices`()
    async throws
  {
    try await with { client, _ in
      let center = client.notifications
      center.phase = .background
      for text in ["Dishes", "Floor"] {
        try await publish(text, from: client)
        _ = try #require(await center.stands(text))
      }
      let listed = try await center.list()
      try await center.respond(to: listed[0].id, ActionIdentifier.defaultAction)
      #expect(try await center.list().map(\.content.body) == ["Floor"])
      let again = await refusal { () throws(GroupWatchError) in
        try await center.respond(to: listed[0].id, ActionIdentifier.defaultAction)
      }
      #expect(again == .notificationOver)
      try await center.removeEverywhere([listed[1].id])
      await center.delivered.becomes { $0.isEmpty }
      #expect(try await center.list().isEmpty)
    }
  }

  @Test func `what was registered stands when the server begins anew`() async throws {
    try await with { client, server in
      let notifications = client.notifications
      notifications.phase = .background
      server.stop()
      await client.connection.becomes { if case .reconnecting = $0 { true } else { false } }
      let second = try await ServerThread(at: server.endpoint)
      defer { second.stop() }
      await client.connection.becomes { $0 == .online }
      // Nothing says when the server has heard of the subscription but that it works.
      repeat {
        try await publish("Dishes", from: client)
      } while notifications.delivered.current.isEmpty
      #expect(notifications.delivered.current.first?.content.body == "Dishes")
    }
  }

  @Test func `nothing of one person is shown to the next`() async throws {
    try await with { client, _ in
      client.notifications.phase = .background
      let bell = Doorbell()
      client.notifications.install(bell)
      try await publish("Dishes", from: client)
      _ = try #require(await client.notifications.stands("Dishes"))
      var options = ClientOptions()
      options.connectTimeout = .seconds(900)
      let bob = try await client.changeUser(
        to: UserID("u-Bob"), name: "Bob", options: options, within: .seconds(900))
      defer { bob.close() }
      #expect(bob.notifications.delivered.current == [])
      #expect(bob.notifications.delegate != nil && bob.notifications.phase == .background)
      try await bob.notifications.register()
      #expect(try await bob.notifications.list() == [])
      let again = try await bob.changeUser(
        to: UserID("u-Ann"), name: "Ann", options: options, within: .seconds(900))
      defer { again.close() }
      try await again.notifications.register()
      _ = try #require(await again.notifications.stands("Dishes"))
    }
  }
}

/// A delegate that answers at once, and goes on until two notifications are shown.
private struct Straggler: NotificationPresentationDelegate {
  private let center: UserNotificationCenter

  init(_ center: UserNotificationCenter) { self.center = center }

  func willPresent(
    _ notification: UserNotification, completion: HandlerCompletion<PresentationOptions>
  ) async {
    completion(.all)
    _ = await center.delivered.becomes { $0.count == 2 }
  }
}
