import Vocabulary

/// A figure of one server, measured once a round, with a target relative to the reference.
package struct ComparisonFigure: Equatable, Sendable {
  /// The unit of the values.
  package enum Unit: String, Equatable, Sendable {
    case milliseconds = "ms"
    case microseconds = "µs"
    case kilobytes = "kB"
    case times = "×"
  }

  /// The target.
  package enum Target: Equatable, Sendable {
    /// At most this share of the reference's value in the same run.
    case share(Double)
    /// Less than the reference's value in the same run.
    case better
    /// At most this value, independent of the reference.
    case atMost(Double)
  }

  /// How the rounds are combined into one number.
  package enum Summary: Equatable, Sendable {
    /// The median of the rounds.
    case median
    /// The largest value, for events that must not happen.
    case largest
    /// The sum, for counts.
    case sum
  }

  package var phase: String
  package var name: String
  /// The value of each round; `nil` if it could not be measured.
  package var values: [Double?]
  package var unit: Unit
  package var summary: Summary
  /// `nil` if the figure has no target.
  package var target: Target?

  init(
    _ phase: String, _ name: String, _ values: [Double?], _ unit: Unit = .milliseconds,
    by summary: Summary = .median, target: Target? = .share(1)
  ) {
    self.phase = phase
    self.name = name
    self.values = values
    self.unit = unit
    self.summary = summary
    self.target = target
  }

  /// The rounds combined into one number; `nil` if it is unknown.
  ///
  /// A round without a value counts as worse than any other, because the awaited event did not
  /// happen.
  package var value: Double? {
    let known = values.compactMap { $0 }.sorted()
    switch summary {
    case .median:
      guard !values.isEmpty else { return nil }
      let middle = (values.count - 1) / 2
      guard values.count.isMultiple(of: 2) else {
        return known.indices.contains(middle) ? known[middle] : nil
      }
      return known.indices.contains(middle + 1) ? (known[middle] + known[middle + 1]) / 2 : nil
    case .largest: return known.count == values.count ? known.last : nil
    case .sum: return known.count == values.count ? known.reduce(0, +) : nil
    }
  }

  /// The smallest and the largest value; `nil` with fewer than two values.
  package var range: ClosedRange<Double>? {
    let known = values.compactMap { $0 }
    guard known.count > 1, let low = known.min(), let high = known.max() else { return nil }
    return low...high
  }

  /// Whether both are the same figure of different servers or rounds.
  package func isSame(as other: ComparisonFigure) -> Bool {
    phase == other.phase && name == other.name
  }

  /// Whether the target is met with this value of the reference; `nil` without a target or a
  /// reference.
  package func isMet(beside reference: Double?) -> Bool? {
    guard let target else { return nil }
    if case .atMost(let bound) = target { return value.map { $0 <= bound } ?? false }
    guard let reference else { return nil }
    guard let value else { return false }
    return switch target {
    case .share(let share): value <= reference * share
    case .better: value < reference
    case .atMost: nil
    }
  }

  /// Whether the rounds scatter so much that chance alone may explain a missed target.
  ///
  /// Always false if a round has no value, and for figures that are not medians.
  package func isWithinScatter(of reference: ComparisonFigure?) -> Bool {
    let share: Double
    switch target {
    case .share(let part): share = part
    case .better: share = 1
    case .atMost, nil: return false
    }
    let (own, others) = (values.compactMap { $0 }, reference?.values.compactMap { $0 } ?? [])
    guard summary == .median, !others.isEmpty, own.count == values.count,
      others.count == reference?.values.count
    else { return false }
    return RankSumTest.probability(that: own, exceed: others.map { $0 * share })
      > RankSumTest.significance
  }
}

/// The figures of one server, in the order of their first values; each round adds values.
package struct ComparisonFigures: Equatable, Sendable {
  /// All figures, each with its values so far.
  package private(set) var all: [ComparisonFigure] = []

  /// No figures yet.
  package init() {}

  /// Adds one round's figure: further values of a known figure, or a new one.
  package mutating func add(_ figure: ComparisonFigure) {
    if let place = all.firstIndex(where: { $0.isSame(as: figure) }) {
      all[place].values += figure.values
    } else {
      all.append(figure)
    }
  }
}

/// The kind of a server's line, recognized by its first key; both servers write the same keys.
enum ServerLine: Equatable, Sendable {
  case greeting
  case state
  case other

  init(_ line: Span<UInt8>) {
    self =
      if Self.begins(line, with: Self.stateBeginning) {
        .state
      } else if Self.begins(line, with: Self.greetingBeginning) {
        .greeting
      } else {
        .other
      }
  }

  private static let stateBeginning = Array(#"{"State""#.utf8)
  private static let greetingBeginning = Array(#"{"Hello""#.utf8)

  private static func begins(_ line: Span<UInt8>, with start: [UInt8]) -> Bool {
    guard line.count >= start.count else { return false }
    return start.indices.allSatisfy { line[$0] == start[$0] }
  }
}

/// Counts how often a client received no State for longer than the protocol allows.
///
/// A State is due every second. The reference sends nothing to a client that has not acknowledged
/// the last change, until the client gives up after 12.5 s: the client is stuck.
struct StateSilences: Equatable, Sendable {
  /// The completed silences.
  private(set) var count = 0
  private var last: HostTime?

  /// Two seconds, plus 200 ms for delays on a busy machine.
  static let tolerance = Duration.milliseconds(2_200)

  /// Records a State.
  mutating func noteState(at now: HostTime) {
    if isSilent(at: now) { count += 1 }
    last = now
  }

  /// Records that the connection is closed or about to be; then no State is expected until the next
  /// one.
  mutating func noteEnd(at now: HostTime) {
    if isSilent(at: now) { count += 1 }
    last = nil
  }

  /// The silences until now, including one that continues.
  func count(at now: HostTime) -> Int { count + (isSilent(at: now) ? 1 : 0) }

  private func isSilent(at now: HostTime) -> Bool {
    last.map { now - $0 > Self.tolerance } ?? false
  }
}

/// The p-value: the probability that noise alone produces a difference this large.
///
/// The exact one-sided rank sum test (Wilcoxon, *Individual comparisons by ranking methods*, 1945;
/// Mann and Whitney, 1947). It assumes no distribution, and works with few values. Equal values
/// share ranks.
enum RankSumTest {
  /// The usual significance level of 5 %.
  static let significance = 0.05

  /// The probability that the larger values have ranks this high, or higher.
  ///
  /// - Parameters:
  ///   - larger: the values that appear larger; together with the others, at most some dozens.
  ///   - others: the values that they are compared with.
  /// - Returns: from 0 to 1; 1 if either list is empty.
  static func probability(that larger: [Double], exceed others: [Double]) -> Double {
    let all = (larger + others).sorted()
    guard !larger.isEmpty, !others.isEmpty else { return 1 }
    // Twice the rank, which is an integer even for equal values.
    func doubledRank(_ value: Double) -> Int {
      let below = all.count { $0 < value }
      return 2 * below + all.count { $0 == value } + 1
    }
    let observed = larger.reduce(0) { $0 + doubledRank($1) }
    // ways[n][sum]: how many choices of n of the values have these ranks together.
    var ways = [[Int: Double]](repeating: [:], count: larger.count + 1)
    ways[0] = [0: 1]
    for value in all {
      let rank = doubledRank(value)
      for count in stride(from: larger.count, to: 0, by: -1) {
        for (sum, number) in ways[count - 1] { ways[count][sum + rank, default: 0] += number }
      }
    }
    let choices = ways[larger.count]
    let extreme = choices.reduce(0) { $1.key >= observed ? $0 + $1.value : $0 }
    return extreme / choices.values.reduce(0, +)
  }
}
