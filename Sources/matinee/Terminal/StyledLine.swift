/// A line of text in which stretches have styles of their own.
///
/// A text in its place is a line in the plain style.
struct StyledLine: Equatable, Sendable, ExpressibleByStringInterpolation {
  struct Span: Equatable, Sendable {
    var text: String
    var style: TextStyling.Style
  }

  var spans: [Span]

  init(_ text: String, _ style: TextStyling.Style = .plain) {
    spans = text.isEmpty ? [] : [Span(text: text, style: style)]
  }

  init(stringLiteral text: String) {
    self.init(text)
  }

  /// The text alone.
  var text: String { spans.map(\.text).joined() }

  var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

  /// The line as it is written to a terminal.
  func styled(_ styling: TextStyling) -> String {
    spans.map { styling.styled($0.text, $0.style) }.joined()
  }

  static func + (left: StyledLine, right: StyledLine) -> StyledLine {
    var line = left
    line.spans += right.spans
    return line
  }

  /// Spaces of so many columns; none for a negative number.
  static func space(_ columns: Int) -> StyledLine {
    StyledLine(String(repeating: " ", count: max(0, columns)))
  }
}
