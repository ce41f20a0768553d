/// What is wrong with a phrase in a file, and what to write instead.
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
