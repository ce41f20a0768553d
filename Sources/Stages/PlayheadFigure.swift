/// One measured number of one phase, beside what is aimed at.
package struct PlayheadFigure: Equatable, Sendable {
  /// What the number counts.
  package enum Unit: String, Equatable, Sendable {
    case milliseconds = "ms"
    case percent = "%"
  }

  package var phase: String
  package var name: String
  /// `nil` if the readings do not tell.
  package var value: Double?
  package var unit: Unit
  /// The number that should not be exceeded; `nil` if the figure is told for its own sake.
  package var target: Double?

  /// Whether the target is met; `nil` without one.
  package var isMet: Bool? { target.map { target in value.map { $0 <= target } ?? false } }

  init(
    _ phase: String, _ name: String, _ value: Double?, _ unit: Unit = .milliseconds,
    target: Double? = nil
  ) {
    self.phase = phase
    self.name = name
    self.value = value
    self.unit = unit
    self.target = target
  }
}
