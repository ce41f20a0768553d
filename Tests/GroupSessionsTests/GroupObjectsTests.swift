import GroupSessions
import Naming
import Testing
import Vocabulary

/// What an app keeps in a group.
@Suite struct GroupObjectsTests {
  private var group: Group
  private var limits = Limits()

  init() throws {
    group = Group(id: "g", founder: "ann")
    for name in ["ann", "bob"] {
      try run(.join(Member(device: DeviceID(name), user: UserID(name), name: name)))
    }
  }

  @discardableResult
  private mutating func run(_ command: GroupCommand) throws(GroupRejection) -> [GroupEvent] {
    let events = try group.decide(command, at: Instant(microseconds: 0), limits: limits)
    for event in events { group.evolve(event) }
    return events
  }

  @discardableResult
  private mutating func set(
    _ changes: [String: PayloadValue], in id: ObjectID = "votes", by device: DeviceID = "ann"
  ) throws(GroupRejection) -> [GroupEvent] {
    try run(.updateObject(id, set: changes, by: device))
  }

  /// Why a command is refused; nothing changes.
  private mutating func rejection(of command: GroupCommand) -> GroupRejection? {
    let before = group
    defer { #expect(group == before) }
    do throws(GroupRejection) {
      try run(command)
      return nil
    } catch { return error }
  }

  @Test mutating func `a change names what differs, and the rest stays`() throws {
    try set(["yes": 1, "no": 0])
    let created = group.objects["votes"]?.version
    let events = try set(["yes": 2, "no": 0, "late": ["bob"], "never": .null], by: "bob")
    #expect(events == [.objectUpdated("votes", set: ["yes": 2, "late": ["bob"]], by: "bob")])
    #expect(group.objects["votes"]?.fields == ["yes": 2, "no": 0, "late": ["bob"]])
    #expect(group.objects["votes"]?.version == group.seq && group.seq == created.map { $0 + 1 })
    try set(["no": .null, "late": .null])
    #expect(group.objects["votes"]?.fields == ["yes": 2])
  }

  @Test mutating func `what changes nothing is no event`() throws {
    #expect(try run(.removeObject("votes", by: "ann")).isEmpty)
    try set(["yes": 1])
    #expect(try set(["yes": 1, "no": .null], by: "bob").isEmpty)
    #expect(try set([:], in: "empty").count == 1, "it is created without fields")
    #expect(try set([:], in: "empty").isEmpty)
  }

  @Test mutating func `anybody in the group removes an object, and nobody else`() throws {
    try set(["yes": 1])
    #expect(rejection(of: .removeObject("votes", by: "eve")) == .notMember)
    #expect(rejection(of: .updateObject("votes", set: [:], by: "eve")) == .notMember)
    #expect(try run(.removeObject("votes", by: "bob")) == [.objectRemoved("votes", by: "bob")])
    #expect(group.objects.all.isEmpty && group.objects.byteCount == 0)
  }

  @Test mutating func `a group has so many objects, and one that is removed makes room`() throws {
    limits.objects = 2
    try set([:], in: "a")
    try set([:], in: "b")
    let more = GroupCommand.updateObject("c", set: [:], by: "ann")
    #expect(rejection(of: more) == .tooManyObjects(limit: 2))
    try set(["yes": 1], in: "a")
    try run(.removeObject("b", by: "ann"))
    try set([:], in: "c")
    #expect(group.objects.all.map(\.key) == ["a", "c"])
  }

  @Test mutating func `objects are so large together, and may always become smaller`() throws {
    limits.objectBytes = 400
    try set(["text": .string(String(repeating: "x", count: 200))], in: "a")
    let text = PayloadValue.string(String(repeating: "y", count: 200))
    let more = GroupCommand.updateObject("b", set: ["text": text], by: "bob")
    #expect(rejection(of: more) == .objectsTooLarge(limit: 400))
    // As after a restart with a lower limit.
    limits.objectBytes = 100
    try set(["text": .string(String(repeating: "x", count: 199))], in: "a")
    try set(["text": .null], in: "a")
    #expect(group.objects["a"]?.fields == [:])
  }

  @Test mutating func `their size is counted, and is what a snapshot brings`() throws {
    for (number, id) in (["a", "b", "a", "c", "b"] as [ObjectID]).enumerated() {
      try set(["f\(number % 2)": .string(String(repeating: "é\n", count: number))], in: id)
    }
    try run(.removeObject("c", by: "ann"))
    let objects = GroupObjects(group.objects.all.map { ($0.key, $0.value) })
    #expect(objects == group.objects)
    #expect(group.byteBound > group.withoutContributions.byteBound)
  }
}
