import Vocabulary
import Wire

/// A word on whether somebody is ready that the session has not answered: what it says of them until
/// then may be older.
struct ReadinessWord: Equatable, Sendable {
  /// Whom it is about.
  let subject: PeerID
  let request: RequestID
}
