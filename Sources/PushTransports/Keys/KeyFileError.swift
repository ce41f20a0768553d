/// Why there is no key in a file.
package struct KeyFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file, as it was named.
  package let path: String
  /// What is wrong.
  package let problem: String
  /// What to do about it.
  package let advice: String
  /// Whether there is no file of that name.
  let isMissing: Bool

  /// An error.
  package init(_ path: String, _ problem: String, _ advice: String) {
    self.init(path, problem, advice, isMissing: false)
  }

  init(_ path: String, _ problem: String, _ advice: String, isMissing: Bool) {
    self.path = path
    self.problem = problem
    self.advice = advice
    self.isMissing = isMissing
  }

  /// All three, for a log.
  package var description: String { "\(path): \(problem); \(advice)" }
}
