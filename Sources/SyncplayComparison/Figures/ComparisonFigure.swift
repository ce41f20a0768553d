/// One number of one server, measured once a round, and what it should be beside the reference's.
package struct ComparisonFigure: Equatable, Sendable {
  /// What the number counts.
  package enum Unit: String, Equatable, Sendable {
    case milliseconds = "ms"
    case microseconds = "µs"
    case kilobytes = "kB"
    case times = "×"
  }

  /// What is aimed at.
  package enum Target: Equatable, Sendable {
    /// At most this much of the reference's own figure in the same run.
    case share(Double)
    /// Less than the reference's own figure in the same run.
    case better
    /// At most that much, whatever the reference does.
    case atMost(Double)
  }

  /// How the rounds become one number.
  package enum Summary: Equatable, Sendable {
    /// What half of the rounds do not exceed.
    case median
    /// For what must never be.
    case largest
    /// For what is counted.
    case sum
  }

  package var phase: String
  package var name: String
  /// What each round showed; `nil` where it did not tell.
  package var values: [Double?]
  package var unit: Unit
  package var summary: Summary
  /// `nil` if the figure is told for its own sake.
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

  /// The rounds as one number; `nil` if they do not tell.
  ///
  /// A round that told nothing counts as worse than any other: what is waited for did not happen.
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

  /// The least and the most that a round showed; `nil` if there are not several rounds that told.
  package var range: ClosedRange<Double>? {
    let known = values.compactMap { $0 }
    guard known.count > 1, let low = known.min(), let high = known.max() else { return nil }
    return low...high
  }

  /// Whether the figure is the same in another run.
  package func isSame(as other: ComparisonFigure) -> Bool {
    phase == other.phase && name == other.name
  }

  /// Whether the target is met beside this reference; `nil` if there is none, or nothing to compare
  /// with.
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

  /// Whether what misses a share of the reference's may do so by chance alone: the rounds scatter by
  /// more.
  ///
  /// Never where a round told nothing, nor of what is not a median.
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
