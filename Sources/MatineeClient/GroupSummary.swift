import GroupSessions
public import Vocabulary

/// The people who are in touch: the stand-in for a call.
public struct GroupSummary: Hashable, Identifiable, Sendable {
  /// The group.
  public let id: GroupID
  /// Who opened it, and may close it.
  public let founder: UserID
  /// Its devices, in alphabetical order of their names, keepers among them.
  public let members: [GroupMember]
  /// The session that is staged or goes on.
  public let session: SessionID?

  init(_ group: GroupSessions.Group) {
    id = group.id
    founder = group.founder
    members = group.members.values.map {
      GroupMember($0, isConnected: group.lost[$0.device] == nil)
    }
    .sorted { ($0.name, $0.device) < ($1.name, $1.device) }
    session = group.session
  }
}
