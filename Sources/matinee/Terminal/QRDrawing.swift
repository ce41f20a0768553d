import MatineeTerminal
import QRCodes

/// A QR code as text for a terminal, with two modules in each character.
///
/// It is a pure value: the same code gives the same lines.
struct QRDrawing {
  private let code: QRCode

  /// The width of the light border in modules, without which cameras do not find a code (ISO/IEC
  /// 18004, 9.1).
  private static let quietZone = 4

  init(_ code: QRCode) {
    self.code = code
  }

  /// The columns and rows that the drawing takes.
  var size: TerminalSize {
    let side = code.side + 2 * Self.quietZone
    return TerminalSize(columns: side, rows: (side + 1) / 2)
  }

  /// The lines, in black on white.
  ///
  /// Without colours, the light modules are drawn and the dark ones are left out, because most
  /// terminals are dark. On a light terminal that is a negative, which most readers read as well.
  func text(_ styling: TextStyling) -> [String] {
    (0..<size.rows).map { row in
      let characters = (0..<size.columns).map { column -> Character in
        let upper = isDark(column, 2 * row) == styling.hasColor
        let lower = isDark(column, 2 * row + 1) == styling.hasColor
        return upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ")
      }
      return styling.styled(String(characters), .blackOnWhite)
    }
  }

  /// Whether a module is dark; the ones around the code are light.
  private func isDark(_ column: Int, _ row: Int) -> Bool {
    let (x, y) = (column - Self.quietZone, row - Self.quietZone)
    let inside = 0..<code.side
    return inside.contains(x) && inside.contains(y) && code[x, y]
  }
}
