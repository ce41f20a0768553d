import GroupSessions
import Naming
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// Objects that apps keep in a group: who has them, and who does not.
@Suite struct GroupObjectTests {
  private func objects(of stage: Stage) -> GroupObjects? {
    stage.coordinator.groups.rooms.groups["g"]?.group?.objects
  }

  @Test func `members are told of a change by its fields, and who joins later gets all`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    try stage.ask("ann", .updateObject("votes", set: ["yes": 1, "no": 1]))
    stage.forget()
    try stage.ask("bob", .updateObject("votes", set: ["yes": 2, "no": 1]))
    let told = stage.inbox("ann").compactMap { message -> GroupEvent? in
      if case .groupEvent(_, _, _, let event) = message { event } else { nil }
    }
    #expect(told == [.objectUpdated("votes", set: ["yes": 2], by: "bob")])
    try stage.gather(["cat"])
    let states = stage.inbox("cat").compactMap { message -> GroupObjects? in
      if case .group(let group) = message { group.objects } else { nil }
    }
    #expect(states.last?["votes"]?.fields == ["yes": 2, "no": 1])
    #expect(states.last == objects(of: stage))
  }

  @Test func `they are there after a crash, and go with the group`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    try stage.ask("ann", .updateObject("votes", set: ["yes": 1]))
    let before = objects(of: stage)
    stage.crash()
    #expect(objects(of: stage) == before && before?["votes"] != nil)
    try stage.gather(["cat"], in: "h")
    #expect(stage.coordinator.groups.rooms.groups["h"]?.group?.objects == GroupObjects())
  }

  @Test func `a status does not show them`() throws {
    var stage = Stage()
    try stage.gather(["ann"])
    try stage.ask("ann", .updateObject("votes", set: ["secret": 1]))
    _ = stage.post(.status(), from: "ann")
    let groups = stage.inbox("ann").flatMap { message in
      if case .status(_, let report) = message { report.groups } else { [] as [Group] }
    }
    #expect(groups.map(\.id) == ["g"] && groups.allSatisfy(\.objects.all.isEmpty))
  }

  @Test func `a group without room says what is full`() throws {
    var limits = Limits()
    (limits.objects, limits.objectBytes) = (1, 200)
    var stage = Stage(limits: limits)
    try stage.gather(["ann"])
    try stage.ask("ann", .updateObject("votes", set: ["yes": 1]))
    let many = try stage.refusal("ann", .updateObject("list", set: [:]))
    #expect(many == ProtocolError(.objectsFull, limit: 1))
    let text = PayloadValue.string(String(repeating: "x", count: 200))
    let large = try stage.refusal("ann", .updateObject("votes", set: ["no": text]))
    #expect(large == ProtocolError(.objectsFull, field: "bytes", limit: 200))
  }

  // MARK: People who follow an object

  private let votes = ServerObject.own("votes", of: "g")

  /// Ann and Bob in a group with an object; Cat has fetched it on her phone, and has left the group.
  private func scene() throws -> (stage: Stage, copy: ObjectCopy) {
    var stage = try Stage.notifying()
    try stage.gather(["ann", "bob"])
    try stage.ask("ann", .updateObject("votes", set: ["yes": 1, "no": 1]))
    try stage.install("phone", as: "cat", in: "g")
    try stage.notify("phone", .subscribe(.object(votes)))
    try stage.ask("phone", .leaveGroup)
    var copy = ObjectCopy(votes)
    try copy.fetch(&stage, on: "phone")
    return (stage, copy)
  }

  private func last(_ stage: Stage, _ change: ObjectChange.Kind) -> ReceivedMessage? {
    stage.notifications("phone").map { ReceivedMessage($0.payload) }.last { $0.change == change }
  }

  // Proves: K7, K16
  @Test(arguments: [nil, 0, 1, 2, 3])
  func `who follows is kept up by differences, whichever is lost`(lost: Int?) throws {
    var (stage, copy) = try scene()
    for number in 1...4 as ClosedRange<Int64> {
      try stage.ask(
        "bob", .updateObject("votes", set: ["yes": .integer(number), "n\(number)": "x"]))
      try copy.follow(&stage, on: "phone") { $0 == lost }
    }
    try stage.ask("ann", .updateObject("votes", set: ["n1": .null]))
    try copy.follow(&stage, on: "phone")
    #expect(copy.mirror.fields == objects(of: stage)?["votes"]?.fields)
    #expect(copy.mirror.version == objects(of: stage)?["votes"].map { Int64($0.version) })
    #expect(copy.fetches == (lost == nil ? 1 : 2))
    let message = try #require(last(stage, .objectUpdated))
    #expect(message.serverObject == votes && message.kind == .pushToApp)
    // Another object is nothing to them.
    let count = stage.notifications("phone").count
    try stage.ask("ann", .updateObject("list", set: ["a": 1]))
    #expect(stage.notifications("phone").count == count)
  }

  // Proves: K16
  @Test func `an object that is removed, and one of a group that is over, ends for all`() throws {
    for isOver in [false, true] {
      var (stage, _) = try scene()
      try stage.ask("ann", isOver ? .closeGroup() : .removeObject("votes"))
      let kind = isOver ? ObjectChange.Kind.bucketDeleted : .objectDeleted
      let message = try #require(last(stage, kind))
      #expect(message.ends(votes) && !message.ends(.own("list", of: "g")) == !isOver)
      #expect(!message.ends(.own("votes", of: "h")) && !message.ends(.part(.state, of: "g")))
      #expect(stage.tray("cat")?.subscriptions == [])
      #expect(
        try stage.refusal("phone", .notifications(.objectState(votes))).code == .unknownObject)
    }
  }

  @Test func `a group that goes by the same name later is told of anew`() throws {
    var stage = try Stage.notifying()
    for device in ["ann", "bob"] as [DeviceID] { stage.connect(as: device) }
    try stage.install("phone", as: "cat")
    let ids = try (1...2).map { _ in
      stage.advance(.seconds(1))
      stage.forget()
      for device in ["ann", "bob", "phone"] as [DeviceID] { try stage.ask(device, .joinGroup("g")) }
      try stage.ask("ann", .updateObject("votes", set: ["yes": 1]))
      try stage.notify("phone", .subscribe(.object(votes)))
      try stage.ask("bob", .updateObject("votes", set: ["yes": 2]))
      try stage.ask("ann", .closeGroup())
      return stage.notifications("phone").map(\.id)
    }
    #expect(ids.map(\.count) == [2, 2] && Set(ids.joined()).count == 4, "\(ids)")
  }

  // Proves: K7
  @Test func `a server that died tells again`() throws {
    var (stage, copy) = try scene()
    stage.crash()
    stage.resume("ann")
    stage.connect(as: "phone", user: "cat")
    let told = try #require(stage.tray("cat")?.entries.first?.notification)
    #expect(ReceivedMessage(told.payload).serverObject == votes && StateDelta(told.payload) == nil)
    try stage.ask("ann", .updateObject("votes", set: ["yes": 3]))
    try copy.fetch(&stage, on: "phone")
    #expect(copy.mirror.fields == ["yes": 3, "no": 1])
  }

  @Test func `a change costs what is kept of it, the followers' copies, too`() throws {
    var limits = Limits()
    (limits.userJournalBytes, limits.groupJournalBytes) = (1 << 20, 20_000)
    let counts = try [0, 1].map { followers in
      var stage = try Stage.notifying(limits: limits)
      try stage.gather(["ann", "bob"])
      try stage.ask("ann", .updateObject("votes", set: [:]))
      try stage.notify("bob", .register())
      if followers == 1 { try stage.notify("bob", .subscribe(.object(votes))) }
      for number in 0... {
        let text = PayloadValue.string("\(number)" + String(repeating: "x", count: 900))
        let request = stage.post(.updateObject("votes", set: ["text": text]), from: "ann")
        guard case .failure(let error)? = stage["ann"].answers[request]?.first else { continue }
        #expect(error.code == .rateLimited && error.reason == "group")
        return number
      }
      return 0
    }
    #expect(counts[0] > 10 && counts[1] == counts[0] / 2, "\(counts)")
  }

  @Test func `only members begin to follow, and only what is there`() throws {
    var (stage, _) = try scene()
    try stage.install("desk", as: "dan")
    for request in [TrayRequest.subscribe(.object(votes)), .objectState(votes)] {
      #expect(try stage.refusal("desk", .notifications(request)).code == .unknownObject)
    }
    let none = ServerObject.own("none", of: "g")
    for object in [none, .own("votes", of: "nowhere")] {
      let error = try stage.refusal("ann", .notifications(.subscribe(.object(object))))
      #expect(error == ProtocolError(.unknownObject))
    }
    let followed = stage.coordinator.groups.told.subscribers(in: .group("g"))
    #expect(Set(followed.values.joined()) == [votes])
    try stage.notify("phone", .unsubscribe(.object(votes)))
    #expect(!stage.coordinator.groups.told.hasSubscribers(.group("g")))
  }

  @Test func `who is removed for good follows no more`() throws {
    var door = try KeyedDoor()
    try door.found()
    try door.enter("bob")
    try door.stage.ask("ann", .updateObject("votes", set: ["yes": 1]))
    try door.stage.notify("bob", .register())
    try door.stage.notify("bob", .subscribe(.object(votes)))
    #expect(door.stage.coordinator.groups.told.hasSubscribers(.group("g")))
    door.stage.isHeld = true
    _ = door.stage.post(.removeUser("bob"), from: "ann")
    door.stage.release(1)
    // His tray has not stored it, and he hears nothing more all the same.
    #expect(door.stage.tray("bob")?.subscriptions.isEmpty == false)
    #expect(!door.stage.coordinator.groups.told.hasSubscribers(.group("g")))
    door.stage.isHeld = false
    door.stage.release()
    // Even if the server dies before his tray hears of it.
    #expect(!door.stage.coordinator.groups.rooms.maySubscribe(.object(votes), "bob"))
    #expect(!door.stage.coordinator.groups.told.hasSubscribers(.group("g")))
    #expect(door.stage.tray("bob")?.subscriptions == [])
  }
}
