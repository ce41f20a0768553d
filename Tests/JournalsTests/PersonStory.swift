import Coordination
import InAppMessaging
import Journals
import Naming
import Vocabulary

/// A person who uses an app at random, by the rules of the engine, with the events to store and the
/// expected state.
struct PersonStory {
  private(set) var messaging: UserMessaging
  private(set) var now = JournalScene.start
  private var random: SplitMix64
  private let conditions: MessagingConditions
  private var sequence = 0
  private(set) var news: [RecordedEvent] = []

  init(_ id: UserID, seed: UInt64) throws {
    messaging = UserMessaging(id)
    random = SplitMix64(seed: seed)
    var policy = MessagingPolicy()
    policy.intervals = []
    conditions = MessagingConditions(
      campaigns: try CampaignSet(Self.campaigns), policy: policy,
      devices: [
        DevicePresence("phone", lastActive: now),
        DevicePresence("tv", isVisible: false, lastActive: now),
      ])
  }

  private static var campaigns: [Campaign] {
    (0..<6).map { number in
      var campaign = Campaign(
        id: CampaignID("c\(number)"), name: "C",
        triggers: [
          .event(name: "e\(number % 3)", filters: []), .launch,
        ],
        variants: [
          .init(id: "a", .message(InAppMessage(id: "", kind: .modal, body: .text(.init("Hi")))))
        ])
      if number != 4 { campaign.variants.append(.init(id: "b", .control)) }
      campaign.reEligibility = .after(.seconds(number * 10))
      campaign.caps = number == 0 ? [] : [FrequencyCap(number, per: .rolling(.seconds(600)))]
      campaign.delay = number == 2 ? .seconds(20) : .zero
      campaign.bindsSession = number == 4
      return campaign
    }
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func report() -> MessageReport {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .waiting
    case 1: .started
    case 2: .impression
    case 3: .clicked(button: chance(50) ? "ok" : nil)
    case 4: .dismissed(.swipe)
    default: .refused(.assets)
    }
  }

  private mutating func command() -> MessagingCommand {
    sequence += 1
    let identity = EventIdentity(.client("phone"), sequence)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30:
      let what = AppEvent.event(
        name: "e\(sequence % 3)", properties: ["n": .number(Double(sequence) / 4)])
      return .log(
        Occurrence(what, identity: identity, on: "phone", in: chance(50) ? "s" : nil))
    case 30..<35: return .log(Occurrence(.launch, identity: identity, on: "phone"))
    case 35..<75:
      let all = messaging.deliveries + messaging.lapsed
      let id = all.randomElement(using: &random)?.id ?? "none"
      return .report(report(), of: id, identity: identity)
    case 75..<80:
      return .setAttributes(["k\(sequence % 5)": chance(70) ? .list(["é", "\""]) : nil])
    case 80..<83: return .setMembership(list: "l\(sequence % 3)", chance(60))
    case 83..<85: return .connected("phone", epoch: .max - UInt64(sequence % 4))
    case 85..<88: return .disconnected("phone")
    case 88: return .interrupted
    case 89: return .setPaused(chance(30))
    case 90: return .setCollection(chance(80))
    case 91: return .sessionOver("s", on: nil)
    case 92: return .campaignsChanged
    case 93: return .test("c1", variant: nil, on: "phone", nil)
    case 94: return .forget("c3")
    default: return .clockAdvanced
    }
  }

  /// Does one random thing; without events if it is refused.
  mutating func step() {
    now = now + .milliseconds(Int.random(in: 0...20_000, using: &random))
    news = []
    do throws(MessagingRejection) {
      let decision = try messaging.decide(command(), at: now, under: conditions)
      for event in decision.events {
        messaging.evolve(event, at: now)
        news.append(RecordedEvent(at: now, event: .user(event)))
      }
    } catch {}
  }
}
