/// Why a template is not understood.
package struct TemplateError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The place, in characters from 1.
  package var position: Int
  package var reason: String

  /// Both in a line.
  package var description: String { "at character \(position): \(reason)" }
}
