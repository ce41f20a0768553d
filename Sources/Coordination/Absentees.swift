import HeapModule
import Vocabulary

/// Somebody who has been away since then.
struct Absentee: Comparable, Sendable {
  let since: Instant
  let user: UserID

  static func < (left: Absentee, right: Absentee) -> Bool {
    (left.since, left.user) < (right.since, right.user)
  }
}

/// Those who were away longest when everybody was last looked at.
///
/// To keep everybody in the order of their last visit would cost each event; to look at 100 000
/// people costs milliseconds, once for a thousand newcomers.
struct Absentees: Sendable {
  /// How many are kept of one look.
  static let limit = 1_024
  /// Where nobody was away for long enough, somebody may be by then.
  static let pause = Duration.seconds(60)

  private var known = Heap<Absentee>()
  private var nextLook: Instant?

  /// Takes out the one who was away longest.
  mutating func popFirst() -> Absentee? { known.popMin() }

  func isLookDue(at now: Instant) -> Bool { nextLook.map { $0 <= now } ?? true }

  mutating func note(_ absentee: Absentee) {
    if known.count < Self.limit {
      known.insert(absentee)
    } else if let last = known.max, absentee < last {
      known.replaceMax(with: absentee)
    }
  }

  /// Everybody was looked at.
  mutating func endLook(at now: Instant) {
    nextLook = known.isEmpty ? now + Self.pause : nil
  }
}
