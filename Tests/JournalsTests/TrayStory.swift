import Coordination
import Journals
import Naming
import UserNotifications
import Vocabulary
import WireTesting

/// A person who receives notifications at random, by the rules of the tray, with the events to
/// store and the expected state.
struct TrayStory {
  private(set) var tray: NotificationTray
  private(set) var now = JournalScene.start
  private var random: RandomValues
  private var posted = 0
  private(set) var news: [RecordedEvent] = []

  private static let devices: [DeviceID] = ["phone", "tv", "browser"]

  init(_ user: UserID, seed: UInt64) {
    tray = NotificationTray(user)
    random = RandomValues(seed: seed)
  }

  private mutating func notification() -> RemoteNotification {
    posted += 1
    var notification = random.notification()
    notification.id = NotificationID("n-\(posted)")
    notification.date = now
    notification.collapseID = random.maybe { "c\($0.number(0...3))" }
    notification.expires = random.maybe { $0.number(1...600) }.map { now + .seconds($0) }
    return notification
  }

  private mutating func standing() -> NotificationID {
    tray.entries.randomElement(using: &random.generator)?.id ?? "none"
  }

  private mutating func report() -> NotificationReport {
    switch random.number(0...3) {
    case 0, 1: .acknowledged(random.one())
    case 2: .responded(actionID: ActionIdentifier.reply, text: random.maybe { $0.text() })
    default: .removed
    }
  }

  private mutating func command(on device: DeviceID) -> TrayCommand {
    switch random.number(0...99) {
    case 0..<10:
      return .register(
        device, mode: random.one(), isDevelopment: random.chance(),
        random.maybe { $0.endpoint() })
    case 10: return .unregister(device)
    case 11..<16: return .subscribe(random.subscription())
    case 16: return tray.subscriptions.first.map { .unsubscribe($0) } ?? .presenceChanged
    case 17..<50:
      return .post(
        notification(), TrayAddressing(options: random.options(), outlivesResponse: random.chance())
      )
    case 50..<75: return .report(standing(), report(), on: random.chance() ? device : nil)
    case 75..<80: return .remove([standing(), "none"])
    case 80..<83: return .revoke([standing()])
    case 83..<86: return .connected(device)
    case 86..<92:
      return .pushEnded(
        standing(), to: device, at: random.endpoint(), attempt: random.number(1...3),
        random.chance() ? .delivered : .retry(after: .seconds(random.number(1...60))))
    default: return .clockAdvanced
    }
  }

  /// Does one random thing; without events if it is refused.
  mutating func step() {
    now = now + .seconds(random.number(0...10))
    news = []
    let device = random.one(of: Self.devices)
    let conditions = TrayConditions(connected: random.chance() ? ["tv"] : [])
    let command = command(on: device)
    do throws(TrayRejection) {
      for event in try tray.decide(command, at: now, under: conditions).events {
        tray.evolve(event, at: now)
        news.append(RecordedEvent(at: now, event: .tray(event)))
      }
    } catch {}
  }
}

extension RandomValues {
  fileprivate mutating func one<Value>(of values: [Value]) -> Value {
    values[number(0...values.count - 1)]
  }
}
