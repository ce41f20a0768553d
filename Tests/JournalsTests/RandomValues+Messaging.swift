import InAppMessaging
import Journals
import Vocabulary
import WireTesting

extension RandomValues {
  mutating func messagingEvent(_ name: String) -> MessagingEvent {
    switch name {
    case "logged": .logged(EventIdentity(source(), count()), isLate: chance())
    case "seen": .seen
    case "sessionStarted": .sessionStarted
    case "attributeSet": .attributeSet(text(), maybe { $0.property() })
    case "membershipSet": .membershipSet(list: text(), chance())
    case "collectionSet": .collectionSet(chance())
    case "pausedSet": .pausedSet(chance())
    case "connected": .connected(id(), epoch: epoch())
    case "lost": .lost(id(), until: instant())
    case "resumed": .resumed(id())
    case "interrupted": .interrupted(until: instant())
    case "reserved": .reserved(delivery())
    case "fellDue": .fellDue(id())
    case "offered": .offered(id(), to: id())
    case "waiting": .waiting(id())
    case "started": .started(id())
    case "impression": .impression(id())
    case "clicked": .clicked(id(), button: maybe { $0.text() })
    case "ended": .ended(id(), outcome())
    case "lapsed": .lapsed(id(), one())
    case "failuresForgotten": .failuresForgotten
    case "forgotten": .forgotten(id())
    case "wiped": .wiped
    default: preconditionFailure("no value for \(name)")
    }
  }

  private mutating func source() -> EventSource {
    chance() ? .client(id()) : .participant(id())
  }

  /// Small, zero, or with the highest bit set.
  private mutating func epoch() -> UInt64 {
    switch number(0...2) {
    case 0: 0
    case 1: UInt64(count())
    default: .max - UInt64(count())
    }
  }

  mutating func delivery() -> Delivery {
    let device: DeviceID? = maybe { $0.id() }
    let cause = Delivery.Cause(
      event: maybe { $0.appEvent($0.one()) }, triggerClass: one(), at: instant(), device: device,
      session: maybe { $0.id() })
    return Delivery(
      id: id(), campaign: id(), variant: text(), cause: cause, fallbacks: list { $0.id() },
      expires: instant(), remembered: number(0...3), isControl: chance(), isTest: chance(),
      isSessionBound: chance(), phase: phase(cause), isSeen: chance(), isClicked: chance())
  }

  private mutating func phase(_ cause: Delivery.Cause) -> Delivery.Phase {
    let device = (chance() ? cause.device : nil) ?? id()
    switch number(0...4) {
    case 0: return .scheduled(due: instant())
    case 1: return .due
    case 2: return .offered(to: device, at: chance() ? cause.at : instant())
    case 3: return .waiting(on: device)
    default: return .started(on: device)
    }
  }

  /// A person's messaging state with random values in all fields, which no real run would produce.
  mutating func messaging(_ id: UserID, seq: Int) -> UserMessaging {
    var attributes = AttributeTable()
    for (key, value) in properties() { attributes[key] = value }
    var lost: SortedMap<DeviceID, Instant> = [:]
    for (device, until) in list({ ($0.id() as DeviceID, $0.instant()) }) { lost[device] = until }
    var marks = MarkTable()
    for source in list({ $0.source() }) {
      marks[source] = EventMark(
        epoch: epoch(), sequence: chance() ? 0 : count(), at: instant())
    }
    let histories = list { random in
      let earlier = random.list { $0.instant() }
      return (
        campaign: random.id() as CampaignID,
        history: ImpressionHistory(
          count: random.chance() ? earlier.count + 1 : random.number(0...1_000_000),
          last: random.instant(), earlier: earlier)
      )
    }
    return UserMessaging(
      id: id, seq: seq, attributes: attributes, lists: list { $0.text() }, collects: chance(),
      isPaused: chance(), sessionStart: maybe { $0.instant() }, lastSeen: maybe { $0.instant() },
      starts: LastStarts(
        foreground: maybe { $0.instant() }, contextual: maybe { $0.instant() }),
      history: ImpressionLog(histories), deliveries: list { $0.delivery() },
      lapsed: list { $0.delivery() }, lost: lost, failed: list { $0.id() }, marks: marks,
      nextNumber: chance() ? 1 : count())
  }
}
