import GroupSessions
import Naming
import Playback
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// What requests cost, and whom.
@Suite struct CostTests {
  /// 40 KiB, which cost 172 KiB among three.
  private static let large = JSONText(validated: "\"\(String(repeating: "x", count: 40 * 1024))\"")

  private static func limits(
    user: Int = 1 << 30, address: Int = 1 << 30, group: Int = 1 << 30
  ) -> Limits {
    var limits = Limits()
    (limits.addressCostPerSecond, limits.addressCostBurst) = (address / 4, address)
    (limits.userCostPerSecond, limits.userCostBurst) = (user / 4, user)
    (limits.groupCostPerSecond, limits.groupCostBurst) = (group / 4, group)
    return limits
  }

  @Test func `a person's messages stop at the allowance, and go on when it has filled up`() throws {
    var (stage, _) = try Stage.watching(["ann", "bob", "cat"], limits: Self.limits(user: 1 << 20))
    let send = Request.send(nil, Self.large, to: .all)
    for _ in 0..<5 { try stage.ask("ann", send) }
    let request = stage.post(send, from: "ann")
    guard case .failure(let refusal)? = stage["ann"].answers[request]?.first else {
      Issue.record("nothing was refused")
      return
    }
    #expect(refusal.code == .rateLimited && refusal.reason == "user")
    try stage.ask("bob", send)
    stage.advance(try #require(refusal.retryAfter))
    // The same request may be sent again.
    stage.say(.request(request, send), from: "ann")
    #expect(try stage["ann"].answers[request]?.last?.get().isDone == true)
  }

  @Test func `a group's allowance counts what all of its people do`() throws {
    var (stage, _) = try Stage.watching(["ann", "bob", "cat"], limits: Self.limits(group: 1 << 20))
    let send = Request.send(nil, Self.large, to: .all)
    for device in ["ann", "bob", "cat", "ann", "bob"] as [DeviceID] { try stage.ask(device, send) }
    let refusal = try stage.refusal("cat", send)
    #expect(refusal.code == .rateLimited && refusal.reason == "group")
    // What costs little is not counted.
    try stage.ask("cat", .playback(nil, .transition(to: "film")))
    try stage.ask("cat", .leave(nil))
  }

  /// A stage with a group of forty, of which each change costs 170 KiB.
  private static func crowd(_ limits: Limits) throws -> Stage {
    var stage = Stage(limits: limits)
    for device in (0..<40).map({ DeviceID("d\($0)") }) {
      stage.connect(as: device)
      try stage.ask(device, .joinGroup("crowd", key: nil))
    }
    return stage
  }

  /// Names cost nothing, so an address has an allowance, too.
  @Test func `an address's allowance counts all names that its people go by`() throws {
    func address(_ bits: UInt64, isLoopback: Bool = false) -> PeerAddress {
      PeerAddress(bits: bits, isIPv6: false, isLoopback: isLoopback)
    }
    var stage = try Self.crowd(Self.limits(address: 1 << 20))
    let near = (0..<6).map { DeviceID("near\($0)") }
    for device in near { stage.connect(as: device, from: address(1)) }
    for device in near.dropLast() { try stage.ask(device, .joinGroup("crowd", key: nil)) }
    let refusal = try stage.refusal(near[5], .joinGroup("crowd", key: nil))
    #expect(refusal.code == .rateLimited && refusal.reason == "address")
    stage.connect(as: "far", from: address(2))
    stage.connect(as: "local", from: address(1, isLoopback: true))
    for device in ["far", "local"] as [DeviceID] {
      try stage.ask(device, .joinGroup("crowd", key: nil))
    }
    // Nobody is kept in a group.
    try stage.ask(near[0], .leaveGroup)
  }

  @Test func `who joins and leaves again and again stops at the allowance`() throws {
    var stage = try Self.crowd(Self.limits(user: 1 << 20))
    stage.connect(as: "ann")
    for _ in 0..<6 {
      try stage.ask("ann", .joinGroup("crowd", key: nil))
      try stage.ask("ann", .leaveGroup)
    }
    #expect(try stage.refusal("ann", .joinGroup("crowd", key: nil)).reason == "user")
  }

  @Test func `what ends something is possible with nothing left`() throws {
    var stage = try Self.crowd(Self.limits(user: 1 << 20))
    for number in 0..<6 { try stage.ask("d0", .setSharing(number % 2 == 1)) }
    #expect(try stage.refusal("d0", .setSharing(true)).reason == "user")
    try stage.ask("d0", .closeGroup())
  }

  /// All keepers go by one name, so an allowance of it would let one room's people shut all others.
  @Test func `the server's own keepers have no allowance in common`() throws {
    var limits = Self.limits()
    limits.userJournalBytes = 1_024
    var stage = Stage(limits: limits)
    for room in (0..<8).map({ "room\($0)" }) {
      let peer = stage.connectSilently()
      let device = DeviceID("keeper of \(room)")
      let hello = Hello(
        user: "keeper", device: device, name: "Matinee", isKeeper: true, features: [.sessions])
      stage.say(.hello(hello), on: peer)
      stage.peers[device] = peer
      try stage.ask(device, .joinGroup(GroupID(room), key: nil))
    }
    stage.connect(as: "ann")
    for room in (0..<2).map({ "own\($0)" }) {
      try stage.ask("ann", .joinGroup(GroupID(room), key: nil))
      try stage.ask("ann", .leaveGroup)
    }
    #expect(try stage.refusal("ann", .joinGroup("own2", key: nil)).reason == "user")
  }

  @Test func `a droppable message over the allowance is dropped`() throws {
    var (stage, _) = try Stage.watching(["ann", "bob", "cat"], limits: Self.limits(user: 1 << 20))
    stage.forget()
    for _ in 0..<20 {
      stage.say(.droppable(DroppableMessage(payload: Self.large)), from: "ann")
    }
    #expect(stage.inbox("bob").count == 5)
    #expect(stage["ann"].closedWith == nil)
  }

  @Test func `what changes nothing costs nothing`() throws {
    var (stage, _) = try Stage.watching(["ann", "bob", "cat"], limits: Self.limits(user: 1 << 20))
    var activity = Stage.movie("other")
    activity.payload = JSONText(validated: "\"\(String(repeating: "x", count: 30 * 1024))\"")
    for _ in 0..<50 { try stage.ask("ann", .setActivity(nil, activity, ifRevision: nil)) }
    for _ in 0..<50 {
      let conflict = Request.setActivity(nil, activity, ifRevision: 99)
      #expect(try stage.refusal("ann", conflict).code == .conflict)
    }
  }

  // MARK: Bytes a day

  private static func journalLimits(user: Int = 1 << 40, group: Int = 1 << 40) -> Limits {
    var limits = Limits()
    (limits.userJournalBytes, limits.groupJournalBytes) = (user, group)
    return limits
  }

  @Test func `what a person's messages leave in the journal has an allowance for a day`() throws {
    let limits = Self.journalLimits(user: 100 * 1024)
    var (stage, _) = try Stage.watching(["ann", "bob"], limits: limits)
    let send = Request.send(nil, Self.large, to: .all)
    for _ in 0..<2 { try stage.ask("ann", send) }
    let refusal = try stage.refusal("ann", send)
    #expect(refusal.code == .rateLimited && refusal.reason == "user")
    let wait = try #require(refusal.retryAfter)
    // A fifth of the allowance is missing, so it takes some hours.
    #expect(wait > .seconds(3 * 3_600) && wait < .seconds(7 * 3_600))
    try stage.ask("bob", send)
    for _ in 0..<2 {
      try stage.ask("ann", .playback(nil, .transition(to: "film")))
      try stage.ask("ann", .playback(nil, .transition(to: nil)))
    }
    try stage.ask("ann", .end(nil))
  }

  @Test func `a group's day counts the messages of all its people`() throws {
    let limits = Self.journalLimits(group: 130 * 1024)
    var (stage, _) = try Stage.watching(["ann", "bob"], limits: limits)
    let send = Request.send(nil, Self.large, to: .all)
    for device in ["ann", "bob", "ann"] as [DeviceID] { try stage.ask(device, send) }
    let refusal = try stage.refusal("bob", send)
    #expect(refusal.code == .rateLimited && refusal.reason == "group")
  }

  @Test func `what is not kept is not counted`() throws {
    let limits = Self.journalLimits(user: 100 * 1024)
    var (stage, _) = try Stage.watching(["ann", "bob"], limits: limits)
    var activity = Stage.movie("other")
    activity.payload = JSONText(validated: "\"\(String(repeating: "x", count: 30 * 1024))\"")
    for _ in 0..<20 { try stage.ask("ann", .setActivity(nil, activity, ifRevision: nil)) }
    for _ in 0..<20 {
      let conflict = Request.setActivity(nil, activity, ifRevision: 99)
      #expect(try stage.refusal("ann", conflict).code == .conflict)
    }
    activity.type = "third"
    for _ in 0..<20 {
      let refusal = try stage.refusal("ann", .activate(Activation(activity)))
      #expect(refusal.code == .activityInProgress)
    }
  }

  @Test func `who has nothing left for the day still watches and leaves`() throws {
    let limits = Self.journalLimits(user: 4 * 1024)
    var (stage, _) = try Stage.watching(["ann", "bob"], limits: limits)
    for device in ["ann", "bob"] as [DeviceID] {
      #expect(try stage.refusal(device, .send(nil, Self.large, to: .all)).code == .rateLimited)
    }
    for device in ["ann", "bob"] as [DeviceID] {
      try stage.ask(device, .playback(nil, .transition(to: "film")))
      try stage.ask(device, .playback(nil, .pause("film")))
      try stage.ask(device, .leave(nil))
    }
  }

  /// The examples with which the limits are explained.
  @Test func `ordinary use stays within the allowances`() {
    let limits = Limits()
    let pause = SessionCommand.playback(.pause(ItemID(String(repeating: "i", count: 100))), by: "p")
    let payload = JSONText(validated: String(repeating: "1", count: 200))
    let message = SessionCommand.send(payload, to: .all, by: "p")
    let paused = Cost.passing(pause.passedBytes ?? .max, to: 5_000)
    let sent = Cost.passing(message.passedBytes ?? .max, to: 100)
    #expect(paused * 10 < limits.userCostBurst)
    #expect(paused * 5 < limits.userCostPerSecond)
    #expect(paused * 40 < limits.groupCostBurst)
    #expect(sent * 100 < limits.userCostPerSecond)
    #expect(sent * 400 < limits.userCostBurst)
  }

  @Test func `all who pause at the same time are answered`() throws {
    let devices = (0..<40).map { DeviceID("d\($0)") }
    // Six pauses use it up.
    var (stage, _) = try Stage.watching(devices, limits: Self.limits(group: 1 << 20))
    try stage.play("film", devices)
    for device in devices { try stage.ask(device, .playback(nil, .pause("film"))) }
  }

  @Test func `a status costs what it sends, and several cost no more than their answers`() throws {
    var limits = Self.limits(user: 1 << 20)
    limits.userCostPerSecond = 1 << 20
    var (stage, _) = try Stage.watching(["ann", "bob"], limits: limits)
    for round in 0..<2 {
      let media = (0..<10).map {
        MediaItem(item: ItemID("\(round) \($0)"), url: String(repeating: "u", count: 1_900))
      }
      try stage.ask("ann", .queue(nil, .insert(media, at: .end)))
    }
    stage.forget()
    var refusals = 0
    for _ in 0..<40 {
      let request = stage.post(.status(), from: "bob")
      if case .failure(let error)? = stage["bob"].answers[request]?.first {
        #expect(error.code == .rateLimited)
        refusals += 1
      }
    }
    let statuses = stage.inbox("bob").filter { if case .status = $0 { true } else { false } }
    #expect(statuses.count == 2 && refusals == 38)
    stage.advance(.seconds(1))
    stage.forget()
    stage.post(.status(), from: "bob")
    #expect(stage.inbox("bob").contains { if case .status = $0 { true } else { false } })
  }

  @Test func `the state of an object costs what it sends`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"], limits: Self.limits(user: 1 << 20))
    for round in 0..<2 {
      let media = (0..<10).map {
        MediaItem(item: ItemID("\(round) \($0)"), url: String(repeating: "u", count: 1_900))
      }
      try stage.ask("ann", .queue(nil, .insert(media, at: .end)))
    }
    let question = Request.notifications(.objectState(.part(.queue, of: id)))
    for _ in 0..<2 { stage.post(question, from: "bob") }
    let states = stage.inbox("bob").filter { if case .objectState = $0 { true } else { false } }
    #expect(states.count == 2)
    #expect(try stage.refusal("bob", question).code == .rateLimited)
  }
}

extension Answer {
  fileprivate var isDone: Bool { if case .done = self { true } else { false } }
}
