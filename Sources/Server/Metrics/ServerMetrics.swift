import DequeModule
import Vocabulary
import Wire

/// What a server counts about itself, beside what its connections count.
struct ServerMetrics {
  /// How often peers were refused something, by the code.
  private(set) var refusals: [ErrorCode: Int] = [:]
  /// How long the journal took to keep what it was given.
  private(set) var appendTimes = Histogram(bounds: Self.appendBounds)
  /// When what the journal has not answered yet was given to it, in order.
  private var appends: Deque<HostTime> = []

  /// From memory's immediate answer over a fast disk's synchronisation to a disk that is stuck.
  private static let appendBounds = [
    50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
  ].map(Duration.microseconds)

  /// How many appends the journal has not answered.
  var appendCount: Int { appends.count }

  mutating func countRefusal(_ code: ErrorCode) { refusals[code, default: 0] += 1 }

  mutating func beginAppend(at now: HostTime) { appends.append(now) }

  /// Notes an answer of the journal, which answers in order.
  mutating func endAppend(at now: HostTime) {
    guard let begin = appends.popFirst() else { return }
    appendTimes.note(now - begin)
  }
}
