import DequeModule
import Vocabulary

/// Whose second is over when: a queue, since the next one always ends last.
///
/// A thousand clients are woken a thousand times a second. In a heap each costs a walk and leaves
/// an outdated wish; here it goes from the front to the end.
struct Pulses: Sendable {
  private struct Entry: Sendable {
    let at: Instant
    let peer: PeerID
  }

  private var queue: Deque<Entry> = []

  var earliest: Instant? { queue.first?.at }

  /// How many wait.
  var count: Int { queue.count }

  /// Puts a peer at the end, to be woken then; not before those who stand there.
  mutating func append(_ peer: PeerID, at instant: Instant) {
    queue.append(Entry(at: instant, peer: peer))
  }

  /// A peer whose second is over, or was before something else came.
  mutating func popDue(at now: Instant) -> PeerID? {
    guard let first = queue.first, first.at <= now else { return nil }
    queue.removeFirst()
    return first.peer
  }
}
