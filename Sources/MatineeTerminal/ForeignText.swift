// Text that other people wrote, made fit for a terminal.

extension StringProtocol {
  /// The text without the characters that a terminal interprets.
  ///
  /// These are control characters and characters that change the direction of text. The text may
  /// come from other people.
  package var withoutControls: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control: if scalar == "\n" || scalar == "\t" { result.append(scalar) }
      case .lineSeparator, .paragraphSeparator: result.append("\n")
      case .format: if scalar == "\u{200D}" { result.append(scalar) }
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// The same on one line, so that other people's text cannot start a line that looks like the
  /// program's own.
  package var onOneLine: String {
    String(withoutControls.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }

  /// JSON text with escapes in place of the characters that a terminal interprets.
  ///
  /// In JSON these characters occur only in strings, so the text means the same; line breaks stay.
  package var escapedJSON: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control where scalar != "\n", .format, .lineSeparator, .paragraphSeparator:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          let zeros = String(repeating: "0", count: 4 - digits.count)
          result.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
        }
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
