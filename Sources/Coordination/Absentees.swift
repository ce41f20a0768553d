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

  /// Takes out the one who was away longest, and still is.
  ///
  /// - Parameters:
  ///   - people: everybody, looked at again where nobody is left of the last look.
  ///   - start: whoever is away since then or longer may be forgotten.
  ///   - awaySince: since when somebody is away; `nil` of those who are here, or have to stay.
  mutating func popFirst(
    of people: some Collection<UserID>, at now: Instant, awayBefore start: Instant,
    awaySince: (UserID) -> Instant?
  ) -> UserID? {
    for _ in 0..<2 {
      while let absentee = popFirst() {
        // Whoever came back since everybody was looked at stays.
        if awaySince(absentee.user) == absentee.since { return absentee.user }
      }
      guard isLookDue(at: now) else { return nil }
      for user in people {
        guard let since = awaySince(user), since <= start else { continue }
        note(Absentee(since: since, user: user))
      }
      endLook(at: now)
    }
    return nil
  }
}
