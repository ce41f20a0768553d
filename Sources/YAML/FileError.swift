/// Why a file that a person wrote cannot be used, and where the mistake stands.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
  package var file: String
  /// Counted from 1.
  package var line: Int
  /// Counted from 1, in Unicode scalars.
  package var column: Int
  /// What is wrong, without a full stop.
  package var problem: String
  /// What to write instead, without a full stop.
  package var advice: String

  /// An error.
  package init(file: String, line: Int, column: Int, problem: String, advice: String) {
    self.file = file
    self.line = line
    self.column = column
    self.problem = problem
    self.advice = advice
  }

  /// The error as an editor finds it: `file:line:column: problem; advice`.
  package var description: String { "\(file):\(line):\(column): \(problem); \(advice)" }
}
