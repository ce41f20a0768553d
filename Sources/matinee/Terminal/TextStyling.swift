import Foundation

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
