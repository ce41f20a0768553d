import Journals
import UserNotifications
import Vocabulary
import Wire
import WireTesting

extension RandomValues {
  mutating func trayEvent(_ name: String) -> TrayEvent {
    switch name {
    case "registered": .registered(installation())
    case "unregistered": .unregistered(id(), one())
    case "subscribed": .subscribed(subscription())
    case "unsubscribed": .unsubscribed(subscription())
    case "posted": .posted(notification(), addressing())
    case "pushing": .pushing(id(), to: list { $0.id() }, until: instant())
    case "pushed": .pushed(id(), to: id())
    case "pushPostponed": .pushPostponed(id(), to: id(), until: instant())
    case "pushRefused": .pushRefused(id(), to: id())
    case "pushSpared": .pushSpared(id(), to: id())
    case "acknowledged": .acknowledged(id(), one(), on: id())
    case "putAway": .putAway(id(), on: id())
    case "responded": .responded(id(), response())
    case "ended": .ended(list { $0.id() }, one())
    case "wiped": .wiped
    default: preconditionFailure("no value for \(name)")
    }
  }

  private mutating func installation() -> Installation {
    Installation(
      device: id(), mode: one(), isDevelopment: chance(), endpoint: maybe { $0.endpoint() },
      registered: instant())
  }

  private mutating func addressing() -> TrayAddressing {
    TrayAddressing(
      devices: maybe { $0.list { $0.id() } }, options: options(), outlivesResponse: chance())
  }

  private mutating func response() -> TrayResponse {
    TrayResponse(actionID: text(), text: maybe { $0.text() }, on: maybe { $0.id() })
  }

  private mutating func entry() -> TrayEntry {
    var deliveries: SortedMap<DeviceID, TrayDelivery> = [:]
    for device in list({ $0.id() as DeviceID }) {
      deliveries[device] = TrayDelivery(
        attempts: chance() ? 0 : count(), nextPush: maybe { $0.instant() }, isPushed: chance(),
        result: maybe { $0.one() }, isPutAway: chance())
    }
    return TrayEntry(
      notification(), addressing(), response: maybe { $0.response() }, deliveries: deliveries)
  }

  /// A person's tray with random values in all fields, which no real run would produce.
  mutating func tray(_ user: UserID, seq: Int) -> NotificationTray {
    NotificationTray(
      user, seq: seq, installations: list { $0.installation() },
      subscriptions: Set(list { $0.subscription() }), entries: list { $0.entry() },
      past: list { $0.id() })
  }
}
