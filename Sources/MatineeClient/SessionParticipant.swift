import GroupSessions
public import Vocabulary

/// One device's stay in one session; a person on two devices is two participants.
public struct Participant: Hashable, Identifiable, Sendable {
  /// Names the stay; a rejoin has another one.
  public let id: ParticipantID
  /// The person.
  public let user: UserID
  /// What others see.
  public let name: String
  /// Whether it may do everything, whoever steers the session.
  public let isHost: Bool

  init(_ participant: GroupSessions.Participant) {
    id = participant.id
    user = participant.user
    name = participant.name
    isHost = participant.role == .host
  }
}

/// Who came or went.
public enum ParticipantChange: Hashable, Sendable {
  /// Someone joined.
  case joined(Participant)
  /// Someone left, or was removed, or did not come back.
  case left(Participant)
  /// Someone's role, connection, readiness or current item changed.
  case changed(ParticipantID)
}
