import GroupSessions
import InAppMessaging
import Naming
import Playback
import Testing
import UserNotifications
import Vocabulary
import Wire

@testable import Coordination

/// Everybody gets the same, whether commands are kept one by one or many in one go.
@Suite struct BatchTests {
  /// What becomes of the appends of a turn that is held back, by their order in each stream.
  enum Weather: CaseIterable {
    case fair
    case firstFails
    case secondFails
    case firstIsPreceded
    case secondIsPreceded
  }

  /// Whose commands wait for the journal: what two aggregates do to each other depends on which of
  /// them is quicker.
  enum Lane: CaseIterable {
    case session
    case group
    case messages
    case tray

    func serves(_ request: Request) -> Bool {
      switch request {
      case .joinGroup, .leaveGroup, .setSharing, .setPreferredDevice, .updateObject,
        .removeObject:
        self == .group
      case .messaging: self == .messages
      case .notifications: self == .tray
      case .activate, .stage, .activateStaged, .withdraw, .closeGroup, .status: false
      default: self == .session
      }
    }
  }

  /// The same evening on two stages: one keeps up to 64 commands in one go, the other each alone.
  struct Twins {
    var batched: Stage
    var single: Stage
    private let lane: Lane
    private var verbs: RandomVerbs
    private let devices: [DeviceID] = ["ann", "bob", "cat", "dan", "eve"]
    private(set) var longest = 0

    init(_ lane: Lane, seed: UInt64) throws {
      self.lane = lane
      batched = try Self.stage(seed, commands: 64)
      single = try Self.stage(seed, commands: 1)
      verbs = RandomVerbs(random: SplitMix64(seed: seed &* 31 &+ 5))
    }

    private static func stage(_ seed: UInt64, commands: Int) throws -> Stage {
      var limits = Limits()
      limits.messageBurst = 1_000_000
      limits.batchedCommands = commands
      var stage = Stage(limits: limits, seed: seed)
      stage.handle(.campaigns(try CampaignSet([.sample("never", on: "nothing")])))
      try stage.gather(["ann", "bob", "cat", "dan", "eve"])
      return stage
    }

    /// All say what they want at once, and then the journal answers.
    mutating func turn(_ weather: Weather) throws {
      if lane == .session, batched.coordinator.groups.rooms.sessions.isEmpty {
        try Self.begin(on: &batched)
        try Self.begin(on: &single)
      }
      var wishes: [(DeviceID, Request)] = []
      for _ in 0..<Int.random(in: 10...60, using: &verbs.random) {
        let device = verbs.pick(devices)
        let request = request(device)
        if lane.serves(request) { wishes.append((device, request)) }
      }
      longest = max(longest, Self.play(wishes, weather, on: &batched))
      _ = Self.play(wishes, weather, on: &single)
    }

    private mutating func request(_ device: DeviceID) -> Request {
      switch lane {
      case .session: verbs.request(batched, device)
      case .group: groupRequest(device)
      case .messages: .messaging(messagingRequest())
      case .tray: .notifications(trayRequest())
      }
    }

    /// What a person says of themselves; a wipe ends a batch.
    private mutating func messagingRequest() -> MessagingRequest {
      let name = verbs.pick(["a", "b", "c"])
      return verbs.pick([
        .setAttributes([name: verbs.chance(70) ? .number(Double(verbs.pick([1, 2, 3]))) : nil]),
        .setMembership(list: name, verbs.chance(50)), .setCollection(verbs.chance(80)),
        .pause(verbs.chance(50)), .logEvent(name, [:], sequence: nil), .wipe,
      ])
    }

    private mutating func trayRequest() -> TrayRequest {
      let topic = Subscription.topic(TopicID(verbs.pick(["app/a", "app/b", "group/g"])))
      return verbs.pick([
        .register(), .register(), .unregister, .subscribe(topic), .subscribe(topic),
        .unsubscribe(topic), .remove(["n"]), .report("n", .removed), .wipe,
      ])
    }

    private mutating func groupRequest(_ device: DeviceID) -> Request {
      verbs.pick([
        .joinGroup("g"), .joinGroup("g"), .leaveGroup, .setSharing(verbs.chance(50)),
        .setPreferredDevice(verbs.chance(50) ? device : nil), verbs.object(),
      ])
    }

    private static func begin(on stage: inout Stage) throws {
      let id = try stage.activate("ann")
      for device in ["ann", "bob", "cat"] as [DeviceID] { try stage.join(device, id) }
    }

    private static func play(
      _ wishes: [(DeviceID, Request)], _ weather: Weather, on stage: inout Stage
    ) -> Int {
      stage.forget()
      stage.isHeld = true
      for (device, request) in wishes { stage.post(request, from: device) }
      stage.isHeld = false
      let kept = stage.journal.everything.count
      stage.journal.weather = JournalWeather(weather, at: stage.now)
      stage.release()
      stage.journal.weather = nil
      stage.advance(.seconds(2))
      return stage.journal.everything[kept...].map(\.steps.count).max() ?? 0
    }

    /// - Returns: whether both are alike.
    func check(_ comment: Comment) -> Bool {
      for stage in [batched, single] { stage.checkMirrors() }
      let differences = devices.flatMap { device in
        let (one, other) = (batched[device], single[device])
        return [
          one.answers == other.answers ? nil : "\(device) was answered otherwise",
          one.mirror == other.mirror ? nil : "\(device) has another session",
          one.isOut == other.isOut ? nil : "\(device) is out of another session",
          told(device, on: batched) == told(device, on: single)
            ? nil : "\(device) was told otherwise",
        ].compactMap { $0 }
      }
      #expect(differences == [], comment)
      let isAlike =
        batched.coordinator.groups.rooms.groups.compactMapValues(\.group)
        == single.coordinator.groups.rooms.groups.compactMapValues(\.group)
        && batched.coordinator.groups.rooms.sessions.compactMapValues(\.session)
          == single.coordinator.groups.rooms.sessions.compactMapValues(\.session)
        && Self.people(of: batched) == Self.people(of: single)
        && Self.trays(of: batched) == Self.trays(of: single)
      #expect(isAlike, comment)
      return isAlike && differences.isEmpty
    }

    private static func people(of stage: Stage) -> [UserID: UserMessaging] {
      Dictionary(
        uniqueKeysWithValues: stage.coordinator.people.users.rooms.map {
          ($0.key, $0.value.messaging)
        })
    }

    private static func trays(of stage: Stage) -> [UserID: NotificationTray] {
      Dictionary(
        uniqueKeysWithValues: stage.coordinator.people.trays.rooms.map {
          ($0.key, $0.value.lane.state.tray)
        })
    }

    /// What a device was told beside its answers, in order.
    ///
    /// Of one that joined only what no state has in it: the other events may have come before its
    /// snapshot, and be in it.
    private func told(_ device: DeviceID, on stage: Stage) -> [ServerMessage] {
      let hasJoined = (batched.inbox(device) + single.inbox(device)).contains {
        switch $0 {
        case .snapshot, .group: true
        default: false
        }
      }
      return stage.inbox(device).filter { message in
        switch message {
        case .event(_, _, _, .messageSent), .event(_, _, _, .ended): true
        case .event, .withheld, .groupEvent: !hasJoined
        case .sessionOver, .sessionLeft, .closing: true
        default: false
        }
      }
    }
  }

  @Test(arguments: Lane.allCases, 1...60)
  func `everybody gets the same with batches of 64 as with batches of one`(
    _ lane: Lane, _ seed: Int
  ) throws {
    var twins = try Twins(lane, seed: UInt64(seed))
    for turn in 0..<12 {
      let weather = Weather.allCases[(seed + turn) % Weather.allCases.count]
      try twins.turn(weather)
      guard twins.check("seed \(seed), turn \(turn), \(weather)") else { return }
    }
    #expect(twins.longest > 3)
  }

  @Test func `a batch ends where people's texts have filled it`() throws {
    var limits = Limits()
    limits.batchedBytes = 4_096
    var stage = Stage(limits: limits)
    stage.handle(.campaigns(try CampaignSet([.sample("never", on: "nothing")])))
    try stage.gather(["ann"])
    let text = String(repeating: "x", count: 400)
    for (count, value) in [(6, text), (15, "x")] {
      let kept = stage.journal.everything.count
      stage.isHeld = true
      for number in 0..<30 {
        stage.post(
          .messaging(.setAttributes(["a\(number)": .string(value)])), from: "ann")
      }
      stage.isHeld = false
      stage.release()
      // The first is kept alone, because nothing else waits then.
      let batches = stage.journal.everything[kept...].map(\.steps.count).dropFirst()
      #expect(abs((batches.first ?? 0) - count) <= 1, "\(batches)")
    }
  }

  @Test func `joiners of one batch get one state, and none of its events`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob", "cat", "dan"])
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    stage.forget()
    stage.isHeld = true
    stage.post(.setReadyToStart(nil, true, of: nil), from: "ann")
    for device in ["bob", "cat", "dan"] as [DeviceID] {
      stage.post(.join(id, handoffFrom: nil), from: device)
    }
    stage.isHeld = false
    stage.release()
    #expect(stage.journal.everything.last?.steps.count == 3)
    for device in ["bob", "cat", "dan"] as [DeviceID] {
      #expect(stage.events(device) == [])
      #expect(stage[device].mirror == stage.session(id))
    }
    #expect(stage.events("ann").count == 4)
    stage.checkMirrors()
  }

  @Test func `whoever joins hears messages, leavings and the end of what is behind the join`()
    throws
  {
    var stage = Stage()
    try stage.gather(["ann", "bob", "cat"])
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    stage.isHeld = true
    stage.post(.setReadyToStart(nil, true, of: nil), from: "ann")
    stage.post(.join(id, handoffFrom: nil), from: "bob")
    stage.post(.send(nil, JSONText(validated: "1"), to: .all), from: "ann")
    stage.post(.join(id, handoffFrom: nil), from: "cat")
    stage.post(.leave(nil), from: "cat")
    stage.post(.end(nil), from: "ann")
    stage.isHeld = false
    stage.release()
    #expect(stage.events("bob").contains { if case .messageSent = $0 { true } else { false } })
    #expect(stage.events("bob").contains { if case .ended = $0 { true } else { false } })
    #expect(stage.events("cat").contains { if case .left = $0 { true } else { false } })
    stage.checkMirrors()
  }
}

/// What a device asks right behind its joining of the group.
@Suite struct DeferredRequestTests {
  /// A session, and Cat's requests to join its group, it and to say something, all at once.
  private func stage(
    _ weather: BatchTests.Weather = .fair
  ) throws -> (Stage, session: SessionID, requests: [RequestID]) {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    stage.connect(as: "cat")
    stage.isHeld = true
    let requests: [RequestID] = [
      stage.post(.joinGroup("g"), from: "cat"),
      stage.post(.join(id, handoffFrom: nil), from: "cat"),
      stage.post(.send(nil, JSONText(validated: "1"), to: .all), from: "cat"),
    ]
    stage.isHeld = false
    stage.journal.weather = JournalWeather(weather, at: stage.now)
    return (stage, id, requests)
  }

  @Test func `it waits for the joining, and is carried out in order`() throws {
    var (stage, id, requests) = try stage()
    #expect(stage["cat"].answers.isEmpty, "nothing is stored yet")
    stage.release()
    for request in requests { _ = try #require(stage["cat"].answers[request]?.first).get() }
    #expect(stage.session(id)?.participants.values.contains { $0.device == "cat" } == true)
    #expect(stage.events("ann").contains { if case .messageSent = $0 { true } else { false } })
    stage.checkMirrors()
  }

  @Test func `it fails with the joining`() throws {
    var (stage, id, requests) = try stage(.firstFails)
    stage.release()
    for request in requests {
      guard case .failure(let error)? = stage["cat"].answers[request]?.first else {
        Issue.record("\(stage["cat"].answers)")
        continue
      }
      #expect(error.code == .journalUnavailable)
    }
    #expect(stage.session(id)?.participants.count == 1)
  }

  @Test func `what a device asks for next does not count as one of the group's waiting commands`()
    throws
  {
    var limits = Limits()
    limits.pendingCommands = 150
    limits.deferredRequests = 3
    var stage = Stage(limits: limits)
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    let devices = (0..<70).map { DeviceID("d\($0)") }
    for device in devices { stage.connect(as: device) }
    stage.isHeld = true
    var requests: [DeviceID: [RequestID]] = [:]
    for device in devices {
      requests[device] = [
        stage.post(.joinGroup("g"), from: device),
        // More joins than the random numbers that are at hand for one input.
        stage.post(.join(id, handoffFrom: nil), from: device),
        stage.post(.join(id, handoffFrom: nil), from: device),
      ]
    }
    let more = (0..<2).map { _ in stage.post(.leave(nil), from: "d0") }
    let refusal = #expect(throws: ProtocolError.self) {
      try stage["d0"].answers[more[1]]?.first?.get()
    }
    #expect(refusal?.code == .busy && refusal?.limit == 3, "the fourth does not wait")
    stage.isHeld = false
    stage.release()
    for (device, requests) in requests {
      for request in requests { _ = try #require(stage[device].answers[request]?.first).get() }
    }
    stage.checkMirrors()
  }

  @Test func `a device that starts over leaves its requests behind`() throws {
    var (stage, id, _) = try stage()
    stage.disconnect("cat")
    stage.connect(as: "cat")
    stage.post(.joinGroup("g"), from: "cat")
    stage.release()
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.members["cat"] != nil)
    #expect(stage.session(id)?.participants.count == 1)
    stage.checkMirrors()
  }
}

/// What becomes of the appends of each stream, by their order.
struct JournalWeather {
  private let weather: BatchTests.Weather
  private let now: Instant
  private var counts: [AggregateID: Int] = [:]

  init(_ weather: BatchTests.Weather, at now: Instant) {
    self.weather = weather
    self.now = now
  }

  enum Verdict {
    case keep
    case fail
    /// This came first.
    case precede(RecordedEvent)
  }

  mutating func verdict(on append: Append, behind stream: [RecordedEvent]) -> Verdict {
    // A wipe empties a person's stream, which goes on after it.
    guard !stream.isEmpty || append.aggregate.isOfPerson else { return .keep }
    counts[append.aggregate, default: 0] += 1
    let count = counts[append.aggregate]
    switch weather {
    case .firstFails where count == 1, .secondFails where count == 2: return .fail
    case .firstIsPreceded where count == 1, .secondIsPreceded where count == 2:
      guard case .session = append.aggregate else { return .keep }
      return .precede(
        RecordedEvent(
          at: now, event: .session(.playback(.waitingPolicySet(.together, by: "somebody")))))
    default: return .keep
    }
  }
}

extension AggregateID {
  fileprivate var isOfPerson: Bool {
    switch self {
    case .user, .tray: true
    default: false
    }
  }
}
