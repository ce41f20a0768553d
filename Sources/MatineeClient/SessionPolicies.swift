/// The rules of a session, the same for everyone in it.
public struct SessionPolicies: Hashable, Sendable {
  /// Who steers.
  public let control: ControlPolicy
  /// When the group waits for someone.
  public let waiting: WaitingPolicy
}
