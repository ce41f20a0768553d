public import Vocabulary

/// Who came or went.
public enum ParticipantChange: Hashable, Sendable {
  /// Someone joined.
  case joined(Participant)
  /// Someone left, or was removed, or did not come back.
  case left(Participant)
  /// Someone's role, connection, suspensions or current item changed; see
  /// ``GroupSession/activeParticipants``.
  case changed(ParticipantID)
  /// So many changes went missing here, since this reader was too slow: look at
  /// ``GroupSession/activeParticipants`` again.
  case missed(Int)
}
