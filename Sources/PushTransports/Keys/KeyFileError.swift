/// Why there is no key in a file.
package struct KeyFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file, as it was named.
  package let path: String
  /// What is wrong.
  package let problem: String
  /// What to do about it.
  package let advice: String

  init(_ path: String, _ problem: String, _ advice: String) {
    self.path = path
    self.problem = problem
    self.advice = advice
  }

  /// All three, for a log.
  package var description: String { "\(path): \(problem); \(advice)" }
}
