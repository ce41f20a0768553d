/// Why a regular expression is not understood.
package struct PatternError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The place, in characters from 1.
  package var position: Int
  package var reason: String

  /// Both in a line.
  package var description: String { "at character \(position): \(reason)" }
}
