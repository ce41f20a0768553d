import GroupSessions
import InAppMessaging
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// A story drawn from a seed: people log, report, choose, come back and are wiped, while campaigns
/// change, sessions end, writing fails and servers crash.
struct RandomMessages {
  private(set) var stage: Stage
  private var random: SplitMix64
  private static let people: [DeviceID: UserID] = [
    "phone": "ann", "tablet": "ann", "tv": "bob", "watch": "bob",
  ]
  /// Who said hello with each device.
  private var owners: [DeviceID: UserID] = [:]
  private let devices: [DeviceID] = ["phone", "tablet", "tv", "watch"]
  private var epochs: [DeviceID: Int] = [:]
  private var sequences: [DeviceID: Int] = [:]
  /// What every device was sent, on any connection.
  private var sent: [DeviceID: [MessageID]] = [:]
  /// What was asked and, for all we know, not answered yet.
  private var open: [(device: DeviceID, peer: PeerID, id: RequestID)] = []
  /// The last value of an attribute that was acknowledged, by person; since the last wipe.
  private var acknowledged: [UserID: Int] = [:]
  private var values: [RequestID: (user: UserID, value: Int)] = [:]
  private var lastValue = 0

  init(seed: UInt64) throws {
    var limits = Limits()
    limits.messageBurst = 1_000_000
    limits.pendingCommands = 6
    limits.snapshotInterval = 16
    limits.deliveries = 5
    random = SplitMix64(seed: seed &* 77 &+ 3)
    stage = try Stage.campaigning(
      Self.campaigns(), limits: limits,
      intervals: seed.isMultiple(of: 3) ? [.braze] : [], seed: seed)
  }

  static let caps: [CampaignID: Int] = ["once": 1, "twice": 2]

  /// - Parameter stopped: how many of them do not run.
  static func campaigns(stopped: Int = 0) -> [Campaign] {
    var all: [Campaign] = [
      .sample("once") { $0.caps = [FrequencyCap(1, per: .ever)] },
      .sample("twice", on: "other") { $0.caps = [FrequencyCap(2, per: .ever)] },
      .sample("late", on: "other") {
        $0.delay = .seconds(5)
        $0.timeToLive = .seconds(20)
      },
      .sample("player", on: "film") { $0.bindsSession = true },
      .sample("hello") { $0.triggers = [.launch, .sessionStart] },
      .sample("control", on: "film") { $0.variants = [.init(id: "c", .control)] },
    ]
    for place in 0..<stopped { all[place].state = .stopped }
    return all
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private func user(_ device: DeviceID) -> UserID { owners[device] ?? "nobody" }

  private func isConnected(_ device: DeviceID) -> Bool {
    stage.coordinator.front.devices[device]?.peer != nil
  }

  /// Nothing is being kept, and nothing waits for a journal that cannot be written.
  var isSettled: Bool {
    stage.held.isEmpty && !stage.isHeld
      && !stage.coordinator.people.users.rooms.contains {
        $0.value.lane.isPaused || $0.value.lane.isAtWork
      }
  }
}

// MARK: What happens

extension RandomMessages {
  mutating func step() throws {
    let device = pick(devices)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<70: if isConnected(device) { ask(device) } else { comeBack(device) }
    case 70..<73: stage.disconnect(device)
    case 73..<84: stage.advance(.milliseconds(pick([1, 500, 3000, 11_000])))
    case 84: stage.advance(.seconds(pick([31, 61, 301])))
    case 85..<88: stage.isHeld = true
    case 88..<91: stage.release(pick([1, 2, 5]))
    case 91: if chance(40) { crash() }
    case 92: if chance(50) { stage.journal.failures = pick([1, 2, 5]) }
    case 93:
      let stopped = pick([0, 0, 1, 3])
      stage.handle(.campaigns(try CampaignSet(Self.campaigns(stopped: stopped))))
    case 94..<96: session(device)
    default: letGo()
    }
    collect()
  }

  private mutating func comeBack(_ device: DeviceID) {
    if chance(60), stage.coordinator.front.devices[device] != nil {
      stage.resume(device)
    } else {
      // Now and then somebody else uses it.
      let user = chance(90) ? Self.people[device] ?? "eve" : "eve"
      owners[device] = user
      stage.connect(as: device, user: user)
    }
    if chance(30) || epochs[device] == nil {
      epochs[device, default: 0] += 1
      sequences[device] = 0
    }
    if chance(90) { post(device, .appState(appState(device))) }
    if chance(50) { stage.post(.joinGroup("g"), from: device) }
  }

  private mutating func appState(_ device: DeviceID) -> AppState {
    let change: AppState.Change? = chance(30) ? pick(AppState.Change.allCases) : nil
    return AppState(
      isVisible: chance(85), change: change, epoch: epochs[device] ?? 0,
      sequence: change == nil ? nil : sequence(device))
  }

  private mutating func sequence(_ device: DeviceID) -> Int {
    if chance(90) { sequences[device, default: 0] += 1 }
    return sequences[device] ?? 0
  }

  private mutating func session(_ device: DeviceID) {
    guard isConnected(device) else { return }
    let live = stage.coordinator.groups.rooms.groups["g"]?.group?.session
    switch (live, stage.coordinator.groups.seats[device]?.session) {
    case (nil, _): stage.post(.activate(Activation(Stage.movie())), from: device)
    case (let live?, nil): stage.post(.join(live, handoffFrom: nil), from: device)
    default: stage.post(chance(60) ? .leave(nil) : .end(nil), from: device)
    }
  }

  private mutating func ask(_ device: DeviceID) {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<35:
      let name = pick(["go", "go", "other", "film", "film", "nothing"])
      post(device, .logEvent(name, [:], sequence: chance(80) ? sequence(device) : nil))
    case 35..<72:
      let message = (sent[device] ?? []).suffix(4).randomElement(using: &random) ?? "none"
      post(device, .report(message, report(), sequence: chance(50) ? sequence(device) : nil))
    case 72..<84:
      lastValue += 1
      post(device, .setAttributes(["k": .number(Double(lastValue))]))
    case 84..<90: post(device, .appState(appState(device)))
    // Of Ann it is known that what she is told is kept was collected.
    case 90: post(device, .setCollection(user(device) == "ann" || chance(70)))
    case 91: post(device, .pause(chance(30)))
    case 92: post(device, .revalidate(sent[device] ?? []))
    case 93: post(device, .setMembership(list: "l", chance(50)))
    case 94: post(device, .test(pick(["once", "late"]), variant: nil, event: nil, [:]))
    case 95..<97: if chance(50) { post(device, .wipe) }
    default: _ = stage.post(.messaging(.explain(nil)), from: device)
    }
  }

  private mutating func report() -> MessageReport {
    pick([
      .waiting, .started, .started, .impression, .impression, .clicked(button: nil),
      .dismissed(.swipe), .dismissed(.automatic), .refused(.choice), .refused(.assets),
    ])
  }

  private mutating func post(_ device: DeviceID, _ request: MessagingRequest) {
    let user = user(device)
    let id = stage.post(.messaging(request), from: device)
    if let peer = stage.peers[device] { open.append((device, peer, id)) }
    switch request {
    case .setAttributes where user == "ann": values[id] = (user, lastValue)
    // From here on it may be gone.
    case .wipe: acknowledged[user] = nil
    default: break
    }
    if case .wipe = request { values = values.filter { $0.value.user != user } }
  }

  /// Takes in what was sent, and what was acknowledged.
  private mutating func collect() {
    for device in devices {
      let client = stage[device]
      for message in stage.deliveries(device) where sent[device]?.contains(message.id) != true {
        sent[device, default: []].append(message.id)
      }
      for message in stage.deliveries(device) {
        guard case .welcome? = client.received.first else { continue }
        #expect(message.campaign?.user == user(device), "\(device)")
      }
      for (id, answers) in client.answers {
        guard case .success? = answers.first, let known = values.removeValue(forKey: id) else {
          continue
        }
        acknowledged[known.user] = max(acknowledged[known.user] ?? 0, known.value)
      }
    }
  }

  private mutating func crash() {
    collect()
    let wasSettled = isSettled
    let before = stage.coordinator.people.users.rooms.compactMapValues {
      $0.messaging.seq > 0 ? $0.messaging : nil
    }
    values = [:]
    open = []
    // No server starts in the microsecond in which another one was still at work.
    stage.now = stage.now + .microseconds(1)
    stage.crash()
    guard wasSettled, stage.journal.failures == 0 else { return }
    #expect(Set(stage.coordinator.people.users.rooms.keys) == Set(before.keys))
    for (id, old) in before {
      guard let new = stage.messaging(id) else { continue }
      #expect(new.history == old.history && new.attributes == old.attributes)
      #expect(new.marks == old.marks && new.lists == old.lists)
      #expect(new.collects == old.collects && new.isPaused == old.isPaused)
      // Their session may be over, or their campaign have stopped since they were on the screen.
      let others = old.deliveries.filter {
        !$0.isSessionBound && stage.coordinator.people.campaigns?[$0.campaign]?.state == .live
      }
      let kept = Set(new.deliveries.map(\.id))
      #expect(others.allSatisfy { kept.contains($0.id) })
    }
  }

  mutating func letGo() {
    stage.isHeld = false
    stage.release()
    collect()
    for (device, peer, id) in open where stage.peers[device] == peer {
      guard stage.coordinator.front.devices[device]?.peer == peer else { continue }
      #expect(stage.clients[peer]?.answers[id]?.count == 1, "request \(id) of \(device)")
    }
    open = []
  }
}

// MARK: What has to hold

extension RandomMessages {
  /// The journal alone makes the same messages, and holds what was acknowledged.
  func check() {
    guard isSettled else { return }
    for (id, aggregate) in stage.coordinator.people.users.rooms {
      let events = stage.journal.live[.user(id)] ?? []
      #expect(aggregate.messaging == UserMessaging(replaying: events, id: id))
      #expect(aggregate.messaging.seq > 0 || !aggregate.devices.isEmpty)
    }
    for (stream, events) in stage.journal.live where !events.isEmpty {
      guard case .user(let id) = stream else { continue }
      #expect(stage.messaging(id)?.seq == events.count)
    }
    for (user, value) in acknowledged {
      let kept = stage.messaging(user)?.attributes["k"]?.number
      #expect(kept.map { Int($0) >= value } == true, "\(user): \(value)")
    }
  }

  /// Everyone goes away: nothing is under way, and nothing asks to be woken.
  mutating func finish() {
    letGo()
    stage.journal.failures = 0
    stage.advance(.seconds(2))
    check()
    for device in devices { stage.disconnect(device) }
    stage.advance(.seconds(3600))
    #expect(isSettled)
    check()
    for (id, aggregate) in stage.coordinator.people.users.rooms {
      #expect(aggregate.messaging.deliveries.isEmpty, "\(id)")
      #expect(aggregate.messaging.seq > 0)
    }
    #expect(stage.coordinator.nextDeadline == nil)
    checkLives()
  }

  /// Over all that was ever kept: ids are never used again, each delivery ends once, counts once at
  /// most, and is sent on its way only while its campaign's cap has room.
  private func checkLives() {
    var lives: [MessageID: MessageLife] = [:]
    var people: [UserID: UserMessaging] = [:]
    for append in stage.journal.everything {
      guard case .user(let id) = append.aggregate, !append.events.isEmpty else { continue }
      var person = append.after == 0 ? UserMessaging(id) : people[id] ?? UserMessaging(id)
      for record in append.events {
        guard case .user(let event) = record.event else { continue }
        if case .reserved(let delivery) = event {
          #expect(lives[delivery.id] == nil, "\(delivery.id) twice")
          if !delivery.isTest { checkCap(delivery.campaign, person) }
        }
        for message in event.messages(of: person) {
          lives[message, default: MessageLife()].note(event)
        }
        person.evolve(event, at: record.at)
      }
      people[id] = person
    }
    for (id, life) in lives { #expect(life.isRight, "\(id): \(life)") }
  }

  private func checkCap(_ campaign: CampaignID, _ person: UserMessaging) {
    guard let cap = Self.caps[campaign] else { return }
    let open = person.deliveries.count { $0.campaign == campaign && $0.isReserving }
    #expect((person.history[campaign]?.count ?? 0) + open < cap, "\(campaign)")
  }
}

/// What became of a delivery.
struct MessageLife {
  private var reservations = 0
  private var impressions = 0
  private var ends = 0
  private var lapses = 0

  mutating func note(_ event: MessagingEvent) {
    switch event {
    case .reserved: reservations += 1
    case .impression: impressions += 1
    case .ended, .wiped: ends += 1
    case .lapsed: lapses += 1
    default: break
    }
  }

  /// Whether it began and ended once; one whose client went away may be told of late.
  var isRight: Bool {
    reservations == 1 && impressions <= 1 && ends <= 1 && lapses <= 1 && ends + lapses > 0
  }
}

extension MessagingEvent {
  /// The deliveries that it is about.
  fileprivate func messages(of person: UserMessaging) -> [MessageID] {
    switch self {
    case .reserved(let delivery): [delivery.id]
    case .impression(let id), .ended(let id, _), .lapsed(let id, _): [id]
    case .wiped: person.deliveries.map(\.id)
    default: []
    }
  }
}
