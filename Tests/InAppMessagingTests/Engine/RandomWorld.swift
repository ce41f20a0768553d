import InAppMessaging
import Naming
import Vocabulary

/// A person to whom anything happens, and a plain account of what they were shown.
///
/// The account knows nothing of the engine's state: it follows the events as a journal's reader would,
/// and knows of each delivery when it was reserved, seen and ended.
struct RandomWorld {
  struct Account {
    let campaign: CampaignID
    let isTest: Bool
    let isBound: Bool
    var isSeen = false
    var hasEnded = false
    /// Whether it was taken back, and may be told of late.
    var isLate = false
    var wasSeenLate = false
  }

  private var generator: SplitMix64
  private(set) var user: UserMessaging
  private var replayed: UserMessaging
  private var now = Instant(microseconds: 1_000_000_000)
  private var policy = MessagingPolicy()
  private let all: [Campaign]
  private var campaigns: CampaignSet
  private var devices: [DevicePresence] = []
  private var sequences: [DeviceID: Int] = [:]
  private var epochs: [DeviceID: UInt64] = [:]
  private(set) var deliveries: [MessageID: Account] = [:]
  private var impressions: [CampaignID: [Instant]] = [:]
  private var sessionStart: Instant?
  /// When a message last came on the screen that others keep their distance from.
  private var lastStart: Instant?
  private(set) var problems: [String] = []
  private(set) var ends: Set<String> = []
  /// Which phases led to which.
  private(set) var steps: Set<[String]> = []

  init(seed: UInt64) throws(CampaignProblem) {
    generator = SplitMix64(seed: seed)
    // Half of them are in a control group.
    user = UserMessaging(UserID("ann\(seed)"))
    replayed = user
    policy.intervals = seed % 2 == 0 ? [] : [.braze]
    all = Self.campaigns
    campaigns = try CampaignSet(all)
  }

  static let campaigns: [Campaign] = [
    .sample("once") { $0.reEligibility = .never },
    .sample("capped") {
      $0.caps = [
        .init(2, per: .session), .init(3, per: .rolling(.seconds(900))), .init(9, per: .ever),
      ]
    },
    .sample("late") {
      $0.delay = .seconds(20)
      $0.priority = .init(.high)
      $0.reEligibility = .after(.seconds(120))
      $0.variants = [.init(id: "a", .message(.sample("{{event.title}}")))]
    },
    .sample("player", on: "watch") { $0.bindsSession = true },
    .sample("half", on: "watch") {
      $0.variants = [.init(id: "a", .message(.sample())), .init(id: "c", .control)]
      $0.timeToLive = .seconds(10)
      $0.interval = .ignore
    },
    .sample("open") {
      $0.triggers = [.foreground, .sessionStart]
      $0.caps = [.init(1, per: .session)]
    },
    .sample("after") { $0.triggers = [.messageClicked(campaign: "once", button: nil)] },
  ]
}

// MARK: What happens

extension RandomWorld {
  mutating func step() throws {
    now = now + .milliseconds(Int.random(in: 0..<20_000, using: &generator))
    while let deadline = user.nextDeadline(under: policy), deadline <= now, problems.isEmpty {
      try run(.clockAdvanced, at: deadline)
    }
    try run(command(), at: now)
  }

  /// Nobody is there any more: whatever is under way has to end by itself.
  mutating func finish() throws {
    devices = []
    try run(.interrupted, at: now)
    var count = 0
    while let deadline = user.nextDeadline(under: policy), count < 200 {
      now = max(now, deadline)
      try run(.clockAdvanced, at: now)
      count += 1
    }
    if !user.deliveries.isEmpty { problems.append("\(user.deliveries.count) never ended") }
    for (id, account) in deliveries where !account.hasEnded { problems.append("\(id) has no end") }
  }

  private mutating func chance(_ part: Double) -> Bool {
    Double.random(in: 0..<1, using: &generator) < part
  }

  private mutating func device() -> DeviceID {
    ["phone", "tablet"].randomElement(using: &generator) ?? "phone"
  }

  private mutating func command() throws -> MessagingCommand {
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<40: return .log(occurrence())
    case 40..<72: return report()
    case 72..<78: return connection()
    case 78..<80: return .presenceChanged
    case 80: return .hidden(device())
    case 81: return .vanished(device())
    case 82..<85: return .sessionOver("s1", on: chance(0.5) ? device() : nil)
    case 85..<88:
      var some = chance(0.7) ? all : Array(all.shuffled(using: &generator).dropFirst(2))
      if chance(0.1) { some[0].state = .recalled }
      campaigns = try CampaignSet(some)
      return .campaignsChanged
    case 88..<91: return .setPaused(chance(0.2))
    case 91..<93: return .setCollection(chance(0.8))
    case 93..<95: return .test("once", variant: nil, on: device(), nil)
    case 95: return .interrupted
    case 96: return .released(device())
    case 97: return chance(0.2) ? .wipe : .clockAdvanced
    case 98: return .forget("once")
    default: return .setAttributes(["x": chance(0.5) ? .number(1) : nil])
    }
  }

  private mutating func occurrence() -> Occurrence {
    let device = device()
    let events: [AppEvent] = [
      .launch, .foreground, .sessionStart, .event(name: "go", properties: [:]),
      .event(name: "go", properties: ["title": .string("Heat")]),
      .event(name: "watch", properties: [:]), .event(name: "watch", properties: [:]),
    ]
    let sequence = (sequences[device] ?? 0) + (chance(0.1) ? 0 : 1)
    sequences[device] = sequence
    return Occurrence(
      events.randomElement(using: &generator) ?? .launch,
      identity: chance(0.8) ? EventIdentity(.client(device), sequence) : nil,
      on: chance(0.9) ? device : nil,
      in: [nil, "s1", "s2"].randomElement(using: &generator) ?? nil)
  }

  private mutating func report() -> MessagingCommand {
    // Mostly of what is under way or has lapsed; now and then of what is long over.
    let open = user.deliveries.map(\.id) + user.lapsed.map(\.id)
    let all = open.isEmpty || chance(0.1) ? deliveries.keys.sorted() : open
    let id = all.randomElement(using: &generator) ?? "none"
    let reports: [MessageReport] = [
      .waiting, .waiting, .started, .started, .impression, .clicked(button: nil),
      .dismissed(.closeButton), .refused(.orientation), .refused(.choice), .refused(.assets),
    ]
    return .report(reports.randomElement(using: &generator) ?? .waiting, of: id)
  }

  private mutating func connection() -> MessagingCommand {
    let device = device()
    if devices.contains(where: { $0.device == device }), chance(0.6) {
      devices.removeAll { $0.device == device }
      return .disconnected(device)
    }
    devices.removeAll { $0.device == device }
    devices.append(DevicePresence(device, isVisible: chance(0.8), lastActive: now))
    if chance(0.6) {
      epochs[device, default: 0] += 1
      sequences[device] = 0
    }
    return .connected(device, epoch: epochs[device] ?? 0)
  }
}

// MARK: What must hold

extension RandomWorld {
  private mutating func run(_ command: MessagingCommand, at now: Instant) throws {
    let conditions = MessagingConditions(campaigns: campaigns, policy: policy, devices: devices)
    let before = user
    let decision: MessagingDecision
    do {
      decision = try user.decide(command, at: now, under: conditions)
    } catch {
      if user != before { problems.append("\(command) was refused and changed something") }
      return
    }
    if try user.decide(command, at: now, under: conditions) != decision {
      problems.append("\(command) was decided in two ways")
    }
    for event in decision.events {
      account(event, at: now)
      let phases = user.phases
      user.evolve(event, at: now)
      // A wipe takes everything away, and is no step of anything.
      if event != .wiped { note(from: phases, to: user.phases) }
      replayed.evolve(event, at: now)
    }
    for campaign in all where user.history[campaign.id]?.count != impressions[campaign.id]?.count {
      problems.append("\(campaign.id) was seen otherwise than counted")
    }
    if replayed != user { problems.append("replayed it is another") }
    if restored != user { problems.append("restored it is another") }
    check(decision.effects, after: command)
    if let deadline = user.nextDeadline(under: policy), case .clockAdvanced = command,
      deadline <= now
    {
      problems.append("the clock advanced, and \(deadline) is due again")
    }
    if user.deliveries.count > Limits().deliveries || user.lapsed.count > 8 || user.marks.count > 16
    {
      problems.append("a bound was passed")
    }
  }

  private mutating func note(from old: [MessageID: String], to new: [MessageID: String]) {
    for id in Set(old.keys).union(new.keys) where old[id] != new[id] {
      steps.insert([old[id] ?? "nothing", new[id] ?? "ended"])
    }
  }

  /// Put together again from its parts, as from a snapshot.
  private var restored: UserMessaging {
    UserMessaging(
      id: user.id, seq: user.seq, attributes: user.attributes, lists: user.lists,
      collects: user.collects, isPaused: user.isPaused, sessionStart: user.sessionStart,
      lastSeen: user.lastSeen, starts: user.starts,
      history: ImpressionLog(
        user.history.campaigns.compactMap { campaign in
          user.history[campaign].map { (campaign, $0) }
        }), deliveries: user.deliveries, lapsed: user.lapsed, lost: user.lost, failed: user.failed,
      marks: user.marks, nextNumber: user.nextNumber)
  }

  private mutating func check(_ effects: [MessagingEffect], after command: MessagingCommand) {
    for case .deliver(let message, let device, _, let wasSeen) in effects {
      if !devices.contains(where: { $0.device == device }) {
        problems.append("\(command) sent \(message.id) to nobody")
      }
      if user.delivery(message.id)?.device != device {
        problems.append("\(command) sent \(message.id), which is not on its way there")
      }
      if user.delivery(message.id)?.isSeen != wasSeen {
        problems.append("\(command) sent \(message.id), and not whether it was seen")
      }
    }
  }

  private mutating func account(_ event: MessagingEvent, at now: Instant) {
    switch event {
    case .sessionStarted: sessionStart = now
    case .wiped:
      impressions = [:]
      sessionStart = nil
      lastStart = nil
      for id in deliveries.keys where deliveries[id]?.isLate == false { end(id, "wiped") }
    case .forgotten(let campaign): impressions[campaign] = nil
    case .reserved(let delivery):
      if deliveries[delivery.id] != nil { problems.append("\(delivery.id) was there before") }
      deliveries[delivery.id] = Account(
        campaign: delivery.campaign, isTest: delivery.isTest, isBound: delivery.isSessionBound)
      checkReservation(delivery)
      if case .offered = delivery.phase { checkDistance(delivery.id, at: now) }
    case .offered(let id, _): checkDistance(id, at: now)
    case .started(let id): start(id, at: now)
    case .impression(let id):
      start(id, at: now)
      see(id, at: now)
    case .ended(let id, let outcome):
      if outcome == .refused(.choice) { consume(id, at: now) }
      switch outcome {
      case .presented: end(id, "presented")
      case .control: end(id, "control")
      case .refused: end(id, "refused")
      }
    case .lapsed(let id, let refusal):
      end(id, "lapsed \(refusal)")
      deliveries[id]?.isLate = true
    default: break
    }
  }

  private mutating func start(_ id: MessageID, at now: Instant) {
    guard let delivery = user.delivery(id), !delivery.isSeen, !delivery.isTest,
      !delivery.isSessionBound
    else { return }
    if case .started = delivery.phase { return }
    lastStart = now
  }

  private mutating func checkDistance(_ id: MessageID, at now: Instant) {
    guard let account = deliveries[id], !account.isTest, !account.isBound,
      !policy.intervals.isEmpty, campaigns[account.campaign]?.interval == .inherit
    else { return }
    if let lastStart, now - lastStart < .seconds(30) {
      problems.append("\(account.campaign) came too soon")
    }
  }

  private mutating func end(_ id: MessageID, _ way: String) {
    guard let account = deliveries[id] else { return problems.append("\(id) ended, never begun") }
    // A late report tells the end of what had lapsed.
    if account.hasEnded, !account.isLate, way != "wiped" { problems.append("\(id) ended twice") }
    deliveries[id]?.hasEnded = true
    deliveries[id]?.isLate = false
    ends.insert(way)
  }

  private mutating func see(_ id: MessageID, at now: Instant) {
    if deliveries[id]?.isSeen == true { problems.append("\(id) was seen twice") }
    consume(id, at: now)
    deliveries[id]?.isSeen = true
  }

  private mutating func consume(_ id: MessageID, at now: Instant) {
    guard let account = deliveries[id], !account.isTest, !account.isSeen else { return }
    impressions[account.campaign, default: []].append(now)
    if account.isLate { deliveries[id]?.wasSeenLate = true }
    // What was taken back and was seen all the same is past helping.
    guard !account.isLate, let campaign = campaigns[account.campaign] else { return }
    let seen = impressions[account.campaign] ?? []
    if lateCampaigns.contains(account.campaign) { return }
    if campaign.reEligibility == .never, seen.count > 1 {
      problems.append("\(campaign.id) was seen \(seen.count) times")
    }
    for cap in campaign.caps {
      let count =
        switch cap.window {
        case .ever: seen.count
        case .session: seen.count { $0 >= sessionStart ?? $0 }
        case .rolling(let window): seen.count { now - $0 < window }
        }
      if count > cap.limit { problems.append("\(campaign.id): \(count) of \(cap)") }
    }
  }

  /// Campaigns of which something was seen that had lapsed: it could have come twice.
  private var lateCampaigns: Set<CampaignID> {
    Set(deliveries.values.filter(\.wasSeenLate).map(\.campaign))
  }

  /// What must hold when something is sent on its way.
  private mutating func checkReservation(_ delivery: Delivery) {
    if delivery.isTest { return }
    if !user.collects || user.isPaused {
      problems.append("\(delivery.id) came to one who wants none")
    }
    let open = user.deliveries.filter { $0.campaign == delivery.campaign && $0.isReserving }
    if !open.isEmpty, !delivery.isSessionBound {
      problems.append("\(delivery.campaign) is under way twice")
    }
    if campaigns[delivery.campaign]?.state != .live {
      problems.append("\(delivery.campaign) is not live")
    }
  }
}

extension UserMessaging {
  /// How far each delivery is, in one word.
  fileprivate var phases: [MessageID: String] {
    var phases = Dictionary(uniqueKeysWithValues: lapsed.map { ($0.id, "lapsed") })
    for delivery in deliveries { phases[delivery.id] = delivery.phase.word }
    return phases
  }
}

extension Delivery.Phase {
  fileprivate var word: String {
    switch self {
    case .scheduled: "scheduled"
    case .due: "due"
    case .offered: "offered"
    case .waiting: "waiting"
    case .started: "started"
    }
  }
}
