import ArgumentParser
import Foundation
import Journals

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

/// Text in colour on a terminal, and plain everywhere else.
struct TextStyling {
  let hasColor: Bool

  /// The select-graphic-rendition numbers of ECMA-48.
  enum Style: String, Sendable {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
  }

  /// Nothing but text.
  static var plain: TextStyling { TextStyling(hasColor: false) }

  /// As it suits standard output; whoever sets NO_COLOR wants none.
  static var standardOutput: TextStyling {
    TextStyling(
      hasColor: isatty(STDOUT_FILENO) == 1
        && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty)
  }

  /// The text on one line in a style; of the text itself a terminal obeys nothing.
  func styled(_ text: String, _ style: Style) -> String {
    let text = text.onOneLine
    guard hasColor, style != .plain else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }
}

/// Standard error as a place to print to.
struct StandardError: TextOutputStream {
  mutating func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}

/// How much a terminal shows at once.
struct TerminalSize: Equatable, Sendable {
  var columns: Int
  var rows: Int

  /// Fits every terminal: those have 80 columns and 24 rows at least, of which some are for what is
  /// typed beneath.
  static let smallest = TerminalSize(columns: 72, rows: 20)
}

/// Says on standard error what is wrong, and hands out the code to end with.
func complaint(_ text: String, _ code: Int32) -> ExitCode {
  var standardError = StandardError()
  print("matinee: \(text.withoutControls)", to: &standardError)
  return ExitCode(code)
}

extension JournalError {
  /// How a program ends that was to read the journal: sysexits.h's codes.
  var readingExitCode: Int32 {
    switch self {
    case .failed, .inUse, .notEmpty: 66
    case .newer, .unreadable: 65
    }
  }
}
