public import Vocabulary
import Wire

/// Where one participant's player is, as its last report told.
public struct ParticipantPlace: Hashable, Sendable {
  /// The participant.
  public let participant: ParticipantID
  /// How far its player was from where the group was then; positive is ahead.
  public let offset: Duration
  /// How long a word to the server and back takes; `nil` if it never said.
  public let roundTrip: Duration?

  init(_ place: StatusReport.Place) {
    participant = place.participant
    offset = place.offset
    roundTrip = place.roundTrip
  }
}
