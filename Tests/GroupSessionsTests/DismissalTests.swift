import GroupSessions
import Naming
import Testing
import Vocabulary

/// What a dismissal does to a session: every policy, whoever dismisses, whoever else is there.
@Suite struct DismissalTests {
  /// Who dismisses: Ann is the initiator; `ann2` is her television, Bob is a guest.
  enum Person: ParticipantID, CaseIterable {
    case initiator = "ann"
    case initiatorsOtherDevice = "ann2"
    case guest = "bob"
  }

  /// Who else takes part.
  enum Company: CaseIterable { case nobody, present, away }

  /// Those of whom a dismissal ends the session for all.
  static let enders: [DismissalPolicy: Set<Person>] = [
    .endsWithInitiator: [.initiator, .initiatorsOtherDevice],
    .endsForEveryone: Set(Person.allCases),
    .leavesOnly: [],
  ]

  struct Row: CustomStringConvertible {
    let policy: DismissalPolicy
    let person: Person
    let company: Company
    let isAway: Bool

    var description: String {
      "\(policy): \(person)\(isAway ? ", away" : ""), others: \(company)"
    }
  }

  static let rows = DismissalPolicy.allCases.flatMap { policy in
    Person.allCases.flatMap { person in
      Company.allCases.flatMap { company in
        [false, true].map {
          Row(policy: policy, person: person, company: company, isAway: $0)
        }
      }
    }
  }

  private static func joiner(_ id: ParticipantID) -> Joiner {
    let name = id == "ann2" ? "ann" : id.text
    return Joiner(
      id: id,
      identity: Identity(user: UserID(name), device: DeviceID(id.text + "-phone"), name: name))
  }

  private static func scene(
    _ policy: DismissalPolicy, _ people: [ParticipantID], lifetime: LifetimePolicy = .automatic
  ) throws -> Scene {
    var scene = Scene(Scene.beginning(dismissal: policy, lifetime: lifetime))
    for id in people { try scene.run(.join(joiner(id))) }
    return scene
  }

  @Test(arguments: rows)
  func `a dismissal ends it for all or is a leaving, as the policy says`(_ row: Row) throws {
    let id = row.person.rawValue
    let others = Person.allCases.map(\.rawValue).filter { $0 != id }
    var scene = try Self.scene(row.policy, row.company == .nobody ? [id] : [id] + others)
    if row.company == .away { for other in others { try scene.run(.lose(other)) } }
    if row.isAway { try scene.run(.lose(id)) }

    let events = try scene.run(.dismiss(id))
    if try #require(Self.enders[row.policy]).contains(row.person) {
      #expect(events == [.ended(.dismissedBy(id))])
    } else {
      #expect(events.first == .left(id, .dismissed))
      if row.company == .nobody {
        #expect(events.dropFirst() == [.ended(.empty)])
      } else {
        #expect(scene.session.state == .open)
        #expect(Set(scene.session.participants.keys) == Set(others))
        #expect(scene.session.participants.values.contains { $0.role == .host })
      }
    }
    #expect(try scene.run(.dismiss(id)).isEmpty, "a repeat changes nothing")
  }

  @Test(arguments: DismissalPolicy.allCases)
  func `one after the other, the last one out ends it`(_ policy: DismissalPolicy) throws {
    var scene = try Self.scene(policy, ["bob", "cat", "dan"])
    var ends = 0
    for id in ["cat", "bob", "cat", "dan", "bob"] as [ParticipantID] {
      for case .ended in try scene.run(.dismiss(id)) { ends += 1 }
    }
    #expect(ends == 1)
    let reason: EndReason = policy == .endsForEveryone ? .dismissedBy("cat") : .empty
    #expect(scene.session.state == .ended(reason))
  }

  @Test func `once the initiator has gone, whoever is host instead only leaves`() throws {
    var scene = try Self.scene(.endsWithInitiator, ["ann", "bob", "cat"])
    try scene.run(.leave("ann"))
    #expect(scene.session.participants["bob"]?.role == .host)
    #expect(try scene.run(.dismiss("bob")).first == .left("bob", .dismissed))
    try scene.run(.join(Self.joiner("ann")))
    #expect(try scene.run(.dismiss("ann")) == [.ended(.dismissedBy("ann"))])
  }

  @Test func `a role is not what counts: an initiator made a guest ends it, a host does not`()
    throws
  {
    var scene = try Self.scene(.endsWithInitiator, ["ann", "bob", "cat"])
    for host in ["bob", "cat"] as [ParticipantID] {
      try scene.run(.setRole(host, .host, by: "ann"))
    }
    try scene.run(.setRole("ann", .guest, by: "bob"))
    #expect(try scene.run(.dismiss("bob")).first == .left("bob", .dismissed))
    #expect(scene.session.participants["ann"]?.role == .guest)
    #expect(try scene.run(.dismiss("ann")) == [.ended(.dismissedBy("ann"))])
  }

  @Test func `an initiator who went on with another device ends it from there`() throws {
    var scene = try Self.scene(.endsWithInitiator, ["ann", "bob"])
    try scene.join("ann", device: "ann-tv", handoffFrom: "ann")
    #expect(try scene.run(.dismiss("ann")).isEmpty, "its place was taken")
    #expect(try scene.run(.dismiss("ann2")) == [.ended(.dismissedBy("ann2"))])
  }

  @Test func `of a staged session, whoever activated it is the initiator`() throws {
    var scene = Scene(Scene.beginning(staged: true))
    #expect(try scene.run(.dismiss("ann")).isEmpty, "nobody takes part")
    let bob = Initiator(user: "bob", device: "bob-phone", name: "Bob")
    try scene.run(.activate(by: bob))
    for name in ["ann", "bob", "cat"] { try scene.join(name) }
    #expect(try scene.run(.dismiss("ann")).first == .left("ann", .dismissed))
    #expect(try scene.run(.dismiss("bob")) == [.ended(.dismissedBy("bob"))])
  }

  @Test(arguments: ControlPolicy.allCases)
  func `who staged what hosts control is a host, whoever activated it`(_ control: ControlPolicy)
    throws
  {
    var scene = Scene(Scene.beginning(staged: true, control: control))
    try scene.run(.activate(by: Initiator(user: "bob", device: "bob-phone", name: "Bob")))
    for name in ["cat", "ann", "bob"] { try scene.join(name) }
    #expect(scene.session.stagedBy == (control == .hostsOnly ? "ann" : nil))
    let role: Role = control == .hostsOnly ? .host : .guest
    #expect(scene.session.participants["ann"]?.role == role)
    #expect(scene.session.participants["bob"]?.role == .host)
    #expect(scene.session.participants["cat"]?.role == .guest)
    #expect(scene.session.initiator.user == "bob")
    // Neither hosts who take over the control nor another role make them a host when they come again.
    try scene.run(.setControl(.hostsOnly, by: "bob"))
    try scene.run(.setRole("ann", .guest, by: "bob"))
    try scene.run(.leave("ann"))
    try scene.join("ann")
    #expect(scene.session.participants["ann"]?.role == .guest)
  }

  @Test func `a dismissal is a leaving to an activity that lives with its initiator`() throws {
    var scene = try Self.scene(
      .leavesOnly, ["ann", "bob"], lifetime: .endsWhenInitiatorLeaves)
    #expect(
      try scene.run(.dismiss("ann")) == [.left("ann", .dismissed), .ended(.initiatorLeft)])
  }

  @Test func `guests of hosts who steer may dismiss, and end it where the policy says so`() throws {
    for policy in DismissalPolicy.allCases {
      var scene = Scene(Scene.beginning(control: .hostsOnly, dismissal: policy))
      for name in ["ann", "bob"] { try scene.join(name) }
      #expect(scene.rejection(.end(by: "bob")) == .forbidden(.endSession))
      try scene.run(.dismiss("bob"))
      #expect((scene.session.state == .open) == (policy != .endsForEveryone))
    }
  }

  @Test func `being lost, resuming, being removed and a silent server are no dismissals`() throws {
    var scene = try Self.scene(.endsForEveryone, ["ann", "bob", "cat"])
    try scene.run(.lose("ann"))
    try scene.run(.resume("ann"))
    try scene.run(.interrupt)
    for id in ["ann", "cat"] as [ParticipantID] { try scene.run(.resume(id)) }
    _ = try scene.advance(scene.limits.resumeGrace)
    try scene.run(.remove("cat", isBanned: false, by: "ann"))
    #expect(scene.session.state == .open)
    #expect(Array(scene.session.participants.keys) == ["ann"])
  }

  @Test func `the policy is the initiator's and the hosts' to change, and holds from then on`()
    throws
  {
    var scene = try Self.scene(.endsForEveryone, ["ann", "bob", "cat"])
    let byGuest = scene.rejection(.setDismissalPolicy(.leavesOnly, by: "bob"))
    #expect(byGuest == .forbidden(.manageParticipants))
    let set = SessionEvent.dismissalPolicySet(.leavesOnly, by: "ann")
    #expect(try scene.run(.setDismissalPolicy(.leavesOnly, by: "ann")) == [set])
    #expect(try scene.run(.setDismissalPolicy(.leavesOnly, by: "ann")).isEmpty)
    #expect(scene.session.dismissalPolicy == .leavesOnly)
    try scene.run(.dismiss("ann"))
    #expect(scene.session.state == .open)
    try scene.run(.setDismissalPolicy(.endsForEveryone, by: "bob"))
    #expect(try scene.run(.dismiss("cat")) == [.ended(.dismissedBy("cat"))])
  }

  // MARK: Small worlds

  static let moves: [SessionCommand] = [
    .dismiss("ann"), .dismiss("ann2"), .dismiss("bob"), .leave("bob"), .lose("bob"),
    .resume("bob"), .join(joiner("ann2")), .join(joiner("bob")),
    .setDismissalPolicy(.leavesOnly, by: "ann"), .setDismissalPolicy(.endsForEveryone, by: "bob"),
  ]

  /// Every story of four moves, under every policy.
  @Test(arguments: DismissalPolicy.allCases)
  func `everyone leaves once, it ends once, and a replay ends the same`(
    _ policy: DismissalPolicy
  ) throws {
    let start = try Self.scene(policy, ["ann", "bob"])
    var stories = 0
    try tell(start, start.session, [], depth: 4, &stories)
    #expect(stories == 10 * 10 * 10 * 10)
  }

  private func tell(
    _ scene: Scene, _ first: GroupSession, _ events: [SessionEvent], depth: Int,
    _ stories: inout Int
  ) throws {
    guard depth > 0 else {
      stories += 1
      var replayed = first
      for event in events { replayed.evolve(event, at: scene.now) }
      return #expect(replayed == scene.session)
    }
    for move in Self.moves {
      var next = scene
      var new: [SessionEvent] = []
      do throws(SessionRejection) { new = try next.run(move) } catch {}
      if case .dismiss(let id) = move { check(new, of: id, before: scene.session) }
      try tell(next, first, events + new, depth: depth - 1, &stories)
    }
  }

  private func check(_ events: [SessionEvent], of id: ParticipantID, before: GroupSession) {
    guard before.participants[id] != nil else { return #expect(events.isEmpty) }
    let goings = events.count { $0 == .left(id, .dismissed) || $0 == .ended(.dismissedBy(id)) }
    #expect(goings == 1)
    #expect(events.count { if case .ended = $0 { true } else { false } } <= 1)
  }
}
