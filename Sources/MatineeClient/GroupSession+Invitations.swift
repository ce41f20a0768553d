public import GroupSessions
public import Vocabulary
import Wire

// Who is asked to come.

extension GroupSession {
  /// Who was asked to come since the session began, one invitation a person, and what became of it;
  /// empty until this device joined.
  public var invitations: Observed<[Invitation]> { core.invitations }

  /// Invites people; everyone else of the group was invited when the session began.
  ///
  /// Whoever is asked already, or said no, is not asked again.
  ///
  /// - Parameters:
  ///   - users: whom.
  ///   - lifetime: how long they may answer; `nil` is as long as the server has it.
  public func invite(
    _ users: [UserID], for lifetime: Duration? = nil
  ) async throws(GroupWatchError) {
    try await client.ask(.invite(id, users, lifetime: lifetime))
  }

  /// Takes invitations back that nobody answered yet: hosts any of them, others their own.
  public func revokeInvitations(of users: [UserID]) async throws(GroupWatchError) {
    try await client.ask(.revokeInvitations(id, users))
  }
}
