import Coordination
import GroupSessions
import Journals
import Vocabulary
import Wire
import WireTesting

extension RandomValues {
  mutating func deviceEvent() -> DeviceEvent {
    .greeted(
      Greeting(
        identity: Identity(user: id(), device: id(), name: text()),
        token: ResumeToken(high: generator.next(), low: generator.next()),
        understandsSessions: chance()))
  }

  /// An event that a stream may begin with.
  mutating func beginning(of kind: AggregateKind) -> AggregateEvent {
    switch kind {
    case .group: .group(event(.opened))
    case .session: .session(event(.session(.began)))
    case .device: .device(deviceEvent())
    case .user: .user(messagingEvent(one()))
    case .tray: .tray(trayEvent(one()))
    }
  }

  mutating func event(of kind: AggregateKind) -> AggregateEvent {
    switch kind {
    case .group: .group(event(one()))
    case .session: .session(anyEvent())
    case .device: .device(deviceEvent())
    case .user: .user(messagingEvent(one()))
    case .tray: .tray(trayEvent(one()))
    }
  }

  mutating func outcome() -> RequestOutcome {
    chance() ? .answered(answer(one())) : .refused(error())
  }
}
