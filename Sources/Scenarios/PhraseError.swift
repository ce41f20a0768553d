/// What is wrong with a phrase of a scenario, and what to write instead.
package struct PhraseError: Error, Equatable, Sendable {
  /// What is wrong, without a full stop.
  package var problem: String
  /// What to write instead, without a full stop.
  package var advice: String

  /// An error.
  package init(_ problem: String, _ advice: String) {
    self.problem = problem
    self.advice = advice
  }
}

/// Why a scenario file cannot be run.
package struct ScenarioError: Error, Equatable, Sendable, CustomStringConvertible {
  package var file: String
  /// Counted from 1.
  package var line: Int
  package var problem: String
  package var advice: String

  /// An error.
  package init(file: String, line: Int, problem: String, advice: String) {
    self.file = file
    self.line = line
    self.problem = problem
    self.advice = advice
  }

  /// The error as an editor finds it: `file:line: problem; advice`.
  package var description: String { "\(file):\(line): \(problem); \(advice)" }
}
