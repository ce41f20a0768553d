import Coordination
import GroupSessions
import InAppMessaging
import Journals
import Signatures
import UserNotifications
import Vocabulary
import WireTesting

@testable import Wire

extension RandomValues {
  mutating func deviceEvent() -> DeviceEvent {
    let identity = Identity(user: id(), device: id(), name: text())
    let token = Secret(high: generator.next(), low: generator.next())
    let understood = Int.random(in: 0..<4, using: &generator)
    return .greeted(
      Greeting(
        identity: identity, token: token, understandsSessions: understood & 1 == 1,
        understandsAudiences: understood & 2 == 2))
  }

  mutating func beginning(of kind: AggregateKind) -> AggregateEvent {
    switch kind {
    case .group: .group(groupEvent("opened"))
    case .session: .session(sessionEvent("began"))
    case .attachment: .attachment(.began(attachment(), of: id()))
    case .device: .device(deviceEvent())
    case .user: .user(messagingEvent(one(of: MessagingEvent.cases.names)))
    case .tray: .tray(trayEvent(one(of: TrayEvent.cases.names)))
    case .name: .name(.claimed(credential()))
    }
  }

  mutating func event(of kind: AggregateKind) -> AggregateEvent {
    switch kind {
    case .group: .group(anyGroupEvent())
    case .session: .session(anyEvent())
    case .attachment:
      .attachment([.began(attachment(), of: id()), .added(part()), .discarded][number(0...2)])
    case .device: .device(deviceEvent())
    case .user: .user(messagingEvent(one(of: MessagingEvent.cases.names)))
    case .tray: .tray(trayEvent(one(of: TrayEvent.cases.names)))
    case .name:
      .name([.claimed(credential()), .paired(credential()), .freed][number(0...2)])
    }
  }

  private mutating func credential() -> CredentialHash {
    CredentialHash(of: Secret(using: &generator))
  }

  mutating func outcome() -> RequestOutcome {
    chance() ? .answered(answer(one())) : .refused(error())
  }
}
