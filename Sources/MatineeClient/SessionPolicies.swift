import GroupSessions
import Participation

/// The rules of a session, the same for everyone in it.
public struct SessionPolicies: Hashable, Sendable {
  /// Who steers.
  public let control: ControlPolicy
  /// When the group waits for someone.
  public let waiting: WaitingPolicy
  /// What happens when somebody dismisses the message that hosts the watching.
  public let dismissal: DismissalPolicy
  /// Whether each person takes part with one device only; said when the session is activated.
  public let oneDevicePerPerson: Bool

  /// What is so until something else is heard.
  static let usual = SessionPolicies(
    control: .everyone, waiting: .keepGoing, dismissal: .endsWithInitiator,
    oneDevicePerPerson: false)
}

extension SessionPolicies {
  init(_ policies: Client.SessionPolicies) {
    self.init(
      control: ControlPolicy(policies.control), waiting: WaitingPolicy(policies.waiting),
      dismissal: DismissalPolicy(policies.dismissal), oneDevicePerPerson: policies.oneDevicePerUser)
  }
}
