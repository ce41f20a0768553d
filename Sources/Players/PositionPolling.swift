/// How often a running player is asked where it is.
enum PositionPolling {
  /// The time to the next question.
  ///
  /// Drift is slow, so ten a second are plenty; right after a start there are twice as many, since
  /// followers learn from them what the start cost.
  static func interval(movingFor elapsed: Duration?) -> Duration {
    guard let elapsed, elapsed < .seconds(1) else { return .milliseconds(100) }
    return .milliseconds(50)
  }
}
