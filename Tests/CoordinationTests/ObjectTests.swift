import GroupSessions
import Naming
import Playback
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// What people hear of a session without taking part.
@Suite struct ObjectTests {
  /// Ann and Bob watch; Cat, of the same group, follows on two devices.
  private func scene() throws -> (stage: Stage, session: SessionID) {
    var stage = try Stage.notifying()
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann")
    for device in ["ann", "bob"] as [DeviceID] { try stage.join(device, id) }
    try stage.install("phone", as: "cat", in: "g")
    try stage.install("tv", as: "cat")
    return (stage, id)
  }

  private func now(_ object: ServerObject, _ stage: Stage) -> [String: PayloadValue]? {
    stage.coordinator.groups.rooms.state(of: object)?.fields
  }

  // Proves: K7, K16
  @Test func `who fetched once is kept up by differences, on every device`() throws {
    var (stage, id) = try scene()
    let object = ServerObject.part(.state, of: id)
    try stage.notify("phone", .subscribe(.object(object)))
    var copies = ["phone", "tv"].map { (device: DeviceID($0), copy: ObjectCopy(object)) }
    for place in copies.indices { try copies[place].copy.fetch(&stage, on: copies[place].device) }
    try stage.play("film", ["ann", "bob"])
    try stage.ask("bob", .playback(nil, .seek("film", to: .seconds(90))))
    try stage.ask("bob", .leave(nil))
    for place in copies.indices {
      try copies[place].copy.follow(&stage, on: copies[place].device)
      #expect(copies[place].copy.mirror.fields == now(object, stage))
      #expect(copies[place].copy.fetches == 1)
    }
    let last = try #require(stage.notifications("tv").last)
    let message = ReceivedMessage(last.payload)
    #expect(last.payload.isSilent && message.kind == .pushToApp)
    #expect(message.change == .objectUpdated && message.bucketID == id.text)
    #expect(message.objectID == "state" && message.sourceGroup == "g")
    #expect(copies[0].copy.mirror.fields["mediaTime"] == .integer(90_000_000))
    #expect(copies[0].copy.mirror.fields["names"] == .list(["ann"]))
  }

  // Proves: K7
  @Test func `a difference that is lost is made good by fetching, whichever it is`() throws {
    for lost in 0..<6 {
      var (stage, id) = try scene()
      let object = ServerObject.part(.queue, of: id)
      try stage.notify("phone", .subscribe(.object(object)))
      var copy = ObjectCopy(object)
      try copy.fetch(&stage, on: "phone")
      for number in 0..<6 {
        try stage.ask("ann", .queue(nil, .insert([Stage.media("f\(number)")], at: .end)))
        try copy.follow(&stage, on: "phone") { $0 == lost }
      }
      try stage.ask("ann", .queue(nil, .clear))
      try copy.follow(&stage, on: "phone")
      #expect(copy.mirror.fields == now(object, stage), "lost: \(lost)")
      #expect(copy.fetches == 2, "lost: \(lost)")
    }
  }

  // Proves: K7
  @Test func `a device that was away finds the last change, and fetches`() throws {
    var (stage, id) = try scene()
    let object = ServerObject.part(.queue, of: id)
    try stage.notify("phone", .subscribe(.object(object)))
    var copy = ObjectCopy(object)
    try copy.fetch(&stage, on: "tv")
    stage.disconnect("tv")
    for name in ["one", "two", "three"] {
      try stage.ask("ann", .queue(nil, .insert([Stage.media(name)], at: .end)))
    }
    stage.connect(as: "tv", user: "cat")
    #expect(stage.listed("tv")?.count == 1)
    let listed = try #require(stage.tray("cat")?.entries.first?.notification)
    let delta = try #require(StateDelta(listed.payload))
    #expect(copy.mirror.apply(delta) == .gap)
    try copy.fetch(&stage, on: "tv")
    #expect(copy.mirror.fields == now(object, stage))
  }

  // Proves: K7
  @Test func `a server that died tells again, so that whatever was missed is fetched`() throws {
    var (stage, id) = try scene()
    let object = ServerObject.part(.queue, of: id)
    try stage.notify("phone", .subscribe(.object(object)))
    var copy = ObjectCopy(object)
    try copy.fetch(&stage, on: "phone")
    // The session's event is kept, and then the server died.
    stage.isHeld = true
    stage.post(.queue(nil, .insert([Stage.media("next")], at: .end)), from: "ann")
    stage.release(1)
    stage.isHeld = false
    stage.crash()
    stage.resume("ann")
    stage.connect(as: "tv", user: "cat")
    let listed = try #require(stage.tray("cat")?.entries.first?.notification)
    #expect(stage.listed("tv") == [listed.id])
    #expect(StateDelta(listed.payload) == nil)
    try copy.fetch(&stage, on: "tv")
    #expect(copy.mirror.fields == now(object, stage))
    #expect(copy.mirror.fields["order"]?.list?.count == 2)
    // From there on differences fit again.
    try stage.ask("ann", .queue(nil, .setRepeat(.all)))
    try copy.follow(&stage, on: "tv")
    #expect(copy.mirror.fields == now(object, stage) && copy.fetches == 2)
  }

  @Test func `a difference that is too large is left out`() throws {
    var (stage, id) = try scene()
    let object = ServerObject.part(.queue, of: id)
    try stage.notify("phone", .subscribe(.object(object)))
    var copy = ObjectCopy(object)
    try copy.fetch(&stage, on: "phone")
    let media = (0..<60).map { Stage.media("a-film-with-a-long-name-\($0)") }
    try stage.ask("ann", .queue(nil, .insert(media, at: .end)))
    let change = try #require(stage.notifications("phone").last)
    #expect(StateDelta(change.payload) == nil)
    #expect(ReceivedMessage(change.payload).serverObject == object)
    try copy.follow(&stage, on: "phone")
    #expect(copy.mirror.fields == now(object, stage))
  }

  @Test func `what is not followed costs nothing, and what nobody follows is forgotten`() throws {
    var (stage, id) = try scene()
    let count = stage.journal.everything.count
    try stage.ask("ann", .queue(nil, .setRepeat(.all)))
    #expect(stage.journal.everything.count == count + 1)
    #expect(!stage.coordinator.groups.told.hasSubscribers(.session(id)))
    for part in SessionPart.allCases {
      try stage.notify("phone", .subscribe(.object(.part(part, of: id))))
    }
    #expect(stage.coordinator.groups.told.subscribers(in: .session(id)).map(\.key) == ["cat"])
    for part in SessionPart.allCases {
      try stage.notify("tv", .unsubscribe(.object(.part(part, of: id))))
    }
    #expect(!stage.coordinator.groups.told.hasSubscribers(.session(id)))
  }

  // Proves: K16
  @Test func `a session's end is told, and nobody follows it any more`() throws {
    var (stage, id) = try scene()
    for part in SessionPart.allCases {
      try stage.notify("phone", .subscribe(.object(.part(part, of: id))))
    }
    stage.forget()
    try stage.ask("ann", .end(nil))
    let told = stage.notifications("phone").map { ReceivedMessage($0.payload) }
    #expect(told.map(\.change) == [.bucketDeleted])
    #expect(told.first?.bucketID == id.text && told.first?.containsObject == false)
    #expect(stage.tray("cat")?.subscriptions == [])
    let error = try stage.refusal(
      "phone", .notifications(.objectState(ServerObject.part(.state, of: id))))
    #expect(error == ProtocolError(.sessionEnded, reason: "endedBy"))
  }

  @Test func `members follow, and go on following; to others there is no such session`() throws {
    var (stage, id) = try scene()
    let object = ServerObject.part(.queue, of: id)
    try stage.install("desk", as: "dan")
    for request in [TrayRequest.subscribe(.object(object)), .objectState(object)] {
      #expect(try stage.refusal("desk", .notifications(request)).code == .unknownSession)
    }
    try stage.notify("phone", .subscribe(.object(object)))
    try stage.ask("phone", .leaveGroup)
    try stage.notify("phone", .objectState(object))
    try stage.ask("ann", .queue(nil, .setRepeat(.all)))
    #expect(stage.notifications("phone").count == 1)
  }

  @Test func `only so many follow a part`() throws {
    var stage = try Stage.notifying { $0.policy.objectSubscribers = 1 }
    try stage.gather(["ann", "bob"])
    let object = ServerObject.part(.queue, of: try stage.activate("ann"))
    try stage.notify("ann", .subscribe(.object(object)))
    let error = try stage.refusal("bob", .notifications(.subscribe(.object(object))))
    #expect(error == ProtocolError(.tooManySubscriptions, limit: 1, reason: "subscribers"))
  }

  @Test func `while a journal is slow one change of a part waits, the latest`() throws {
    var (stage, id) = try scene()
    try stage.notify("phone", .subscribe(.object(.part(.queue, of: id))))
    stage.isHeld = true
    stage.post(.notifications(.report("n", .removed)), from: "phone")
    for mode in [RepeatMode.all, .one, .off, .all] {
      stage.post(.queue(nil, .setRepeat(mode)), from: "ann")
      stage.release(1)
    }
    #expect(stage.coordinator.people.trays["cat"]?.lane.waitingCount ?? 0 <= 1)
    stage.isHeld = false
    stage.release()
    let delta = try #require(stage.notifications("phone").last.flatMap { StateDelta($0.payload) })
    #expect(delta.changes["repeat"] == "all")
  }
}
