/// A line of text whose spans have styles.
///
/// A string literal is a line in the plain style.
package struct StyledLine: Equatable, Sendable, ExpressibleByStringInterpolation {
  package struct Span: Equatable, Sendable {
    package var text: String
    package var style: TextStyling.Style
  }

  package var spans: [Span]

  package init(_ text: String, _ style: TextStyling.Style = .plain) {
    spans = text.isEmpty ? [] : [Span(text: text, style: style)]
  }

  package init(stringLiteral text: String) {
    self.init(text)
  }

  /// The text without styles.
  package var text: String { spans.map(\.text).joined() }

  package var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

  /// The line with terminal styling.
  package func styled(_ styling: TextStyling) -> String {
    spans.map { styling.styled($0.text, $0.style) }.joined()
  }

  package static func + (left: StyledLine, right: StyledLine) -> StyledLine {
    var line = left
    line.spans += right.spans
    return line
  }

  /// A line of this many spaces; empty for a negative number.
  package static func space(_ columns: Int) -> StyledLine {
    StyledLine(String(repeating: " ", count: max(0, columns)))
  }
}

/// Styles text on a terminal, and leaves it plain everywhere else.
package struct TextStyling {
  package let hasColor: Bool

  package init(hasColor: Bool) { self.hasColor = hasColor }

  /// The select-graphic-rendition numbers of ECMA-48.
  package enum Style: String, Sendable {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    /// The black and the white of 256 colours; the first sixteen depend on the terminal's theme.
    case blackOnWhite = "38;5;16;48;5;231"
  }

  /// No styling.
  package static var plain: TextStyling { TextStyling(hasColor: false) }

  /// The text on one line in a style; control characters in the text are removed.
  package func styled(_ text: String, _ style: Style) -> String {
    let text = text.onOneLine
    guard hasColor, style != .plain else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }
}
