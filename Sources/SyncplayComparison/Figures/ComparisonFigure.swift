/// One measured number of one server, and what it should be beside the reference's.
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

  package var phase: String
  package var name: String
  /// `nil` if the run did not tell.
  package var value: Double?
  package var unit: Unit
  /// `nil` if the figure is told for its own sake.
  package var target: Target?

  init(
    _ phase: String, _ name: String, _ value: Double?, _ unit: Unit = .milliseconds,
    target: Target? = .share(1)
  ) {
    self.phase = phase
    self.name = name
    self.value = value
    self.unit = unit
    self.target = target
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
}
