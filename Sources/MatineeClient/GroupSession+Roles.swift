public import GroupSessions
public import Playback
import Vocabulary
import Wire

// What hosts decide.

extension GroupSession {
  /// Sets who steers.
  public func setControlPolicy(_ policy: ControlPolicy) async throws(GroupWatchError) {
    try await client.ask(.setControl(id, policy))
  }

  /// Sets when the group waits for someone.
  public func setWaitingPolicy(_ policy: WaitingPolicy) async throws(GroupWatchError) {
    try await client.ask(.setWaitingPolicy(id, policy))
  }

  /// Sets what happens when somebody dismisses the message that hosts the watching.
  public func setDismissalPolicy(_ policy: DismissalPolicy) async throws(GroupWatchError) {
    try await client.ask(.setDismissalPolicy(id, policy))
  }

  /// Gives a participant a role; a session is never without a host.
  public func setRole(
    _ role: Role, of participant: Participant
  ) async throws(GroupWatchError) {
    try await client.ask(.setRole(id, participant.id, role))
  }

  /// Removes a participant; one that is banned cannot join this session again.
  public func remove(
    _ participant: Participant, isBanned: Bool = false
  ) async throws(GroupWatchError) {
    try await client.ask(.remove(id, participant.id, isBanned: isBanned))
  }
}
