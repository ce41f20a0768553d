import ArgumentParser
import EventLoops
import Foundation
import Journals

/// A line of text whose spans have styles.
///
/// A string literal is a line in the plain style.
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

  /// The text without styles.
  var text: String { spans.map(\.text).joined() }

  var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

  /// The line with terminal styling.
  func styled(_ styling: TextStyling) -> String {
    spans.map { styling.styled($0.text, $0.style) }.joined()
  }

  static func + (left: StyledLine, right: StyledLine) -> StyledLine {
    var line = left
    line.spans += right.spans
    return line
  }

  /// A line of this many spaces; empty for a negative number.
  static func space(_ columns: Int) -> StyledLine {
    StyledLine(String(repeating: " ", count: max(0, columns)))
  }
}

/// Styles text on a terminal, and leaves it plain everywhere else.
struct TextStyling {
  let hasColor: Bool

  /// The select-graphic-rendition numbers of ECMA-48.
  enum Style: String, Sendable {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    /// The black and the white of 256 colours; the first sixteen depend on the terminal's theme.
    case blackOnWhite = "38;5;16;48;5;231"
  }

  /// No styling.
  static var plain: TextStyling { TextStyling(hasColor: false) }

  /// The styling for standard output: colour on a terminal, unless NO_COLOR is set.
  static var standardOutput: TextStyling {
    TextStyling(
      hasColor: isatty(STDOUT_FILENO) == 1
        && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty)
  }

  /// The text on one line in a style; control characters in the text are removed.
  func styled(_ text: String, _ style: Style) -> String {
    let text = text.onOneLine
    guard hasColor, style != .plain else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }
}

/// Standard error as an output stream for `print`.
struct StandardError: TextOutputStream {
  mutating func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}

/// The size of a terminal.
struct TerminalSize: Equatable, Sendable {
  var columns: Int
  var rows: Int

  /// A size that fits every terminal: terminals have at least 80 columns and 24 rows, of which some
  /// rows are for typing.
  static let smallest = TerminalSize(columns: 72, rows: 20)

  /// The size of the terminal that standard output goes to; `nil` if it goes elsewhere.
  static var ofStandardOutput: TerminalSize? {
    ProcessSettings.terminalSize.map { TerminalSize(columns: $0.columns, rows: $0.rows) }
  }
}

/// Prints an error to standard error, and returns the exit code.
func complaint(_ text: String, _ code: Int32) -> ExitCode {
  var standardError = StandardError()
  print("matinee: \(text.withoutControls)", to: &standardError)
  return ExitCode(code)
}

extension JournalError {
  /// The exit code, from sysexits.h, of a program that cannot read the journal.
  var readingExitCode: Int32 {
    switch self {
    case .failed, .inUse, .notEmpty: 66
    case .newer, .unreadable: 65
    }
  }
}
