import DequeModule
import HeapModule
import InAppMessaging
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

/// Why campaigns did not come to the people who left last.
///
/// Whoever asks why somebody saw nothing mostly asks when that person's app is closed; beside every
/// person who is known it would take a third of their room.
struct PastTraces: Sendable {
  /// People: 700 KB at most.
  static let limit = 1_024

  private var traces: [UserID: (leaving: Int, trace: EvaluationTrace)] = [:]
  /// The latest leavings, also of people who came back since, the first of them first.
  private var leavings: Deque<(number: Int, user: UserID)> = []
  private var count = 0

  subscript(user: UserID) -> EvaluationTrace? { traces[user]?.trace }

  mutating func add(_ trace: EvaluationTrace, of user: UserID) {
    guard !trace.rows.isEmpty else { return }
    count += 1
    traces[user] = (count, trace)
    leavings.append((count, user))
    guard leavings.count > Self.limit, let first = leavings.popFirst() else { return }
    if traces[first.user]?.leaving == first.number { traces[first.user] = nil }
  }

  mutating func remove(_ user: UserID) { traces[user] = nil }
}
