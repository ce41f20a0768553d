/// An exported journal that cannot be imported: which line, and why.
package struct BrokenExport: Error, Equatable, Sendable, CustomStringConvertible {
  /// Counted from 1.
  package let line: Int
  /// What is wrong there.
  package let reason: String

  /// A line and what is wrong there.
  package init(line: Int, _ reason: String) {
    self.line = line
    self.reason = reason
  }

  package var description: String { "line \(line): \(reason)" }
}
