import DequeModule
import InAppMessaging
import Vocabulary

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
