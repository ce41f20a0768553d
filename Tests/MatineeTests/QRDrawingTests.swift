import MatineeTerminal
import QRCodes
import Testing

@testable import matinee

/// QR codes on terminals; that the codes are right is tested where they are made.
@Suite struct QRDrawingTests {
  private static let black = "\u{1B}[38;5;16;48;5;231m"
  private static let reset = "\u{1B}[0m"
  private static let link = "matinee://192.168.1.20:7878/friday#0123456789abcdefghjkmnpqr0"

  /// Which modules a drawing shows as inked, two rows a line.
  private func ink(_ lines: [String]) throws -> [[Bool]] {
    try lines.flatMap { line in
      let halves = try line.map { character in
        try #require(
          [" ": (false, false), "▀": (true, false), "▄": (false, true), "█": (true, true)][
            character])
      }
      return [halves.map(\.0), halves.map(\.1)]
    }
  }

  /// The modules that a camera must see: the code in the middle of four light ones, and one more
  /// row, because a line has two.
  private func modules(of code: QRCode) -> [[Bool]] {
    (-4..<code.side + 5).map { y in
      (-4..<code.side + 4).map { x in
        (0..<code.side).contains(x) && (0..<code.side).contains(y) && code[x, y]
      }
    }
  }

  @Test(arguments: ["a", link, String(repeating: "x", count: 2_331)])
  func `without colours the light modules are drawn, for dark terminals`(text: String) throws {
    let code = try QRCode(text)
    let lines = QRDrawing(code).text(.plain)
    #expect(try ink(lines).map { $0.map { !$0 } } == modules(of: code))
  }

  @Test(arguments: ["a", link])
  func `in colours the dark modules are black on white, whatever the terminal's are`(
    text: String
  ) throws {
    let code = try QRCode(text)
    let lines = try QRDrawing(code).text(TextStyling(hasColor: true)).map { line in
      try #require(line.hasPrefix(Self.black) && line.hasSuffix(Self.reset))
      return String(line.dropFirst(Self.black.count).dropLast(Self.reset.count))
    }
    #expect(try ink(lines) == modules(of: code))
  }

  @Test func `a caller knows whether a drawing fits`() throws {
    let drawing = QRDrawing(try QRCode(Self.link))
    #expect(drawing.size == TerminalSize(columns: 41, rows: 21))
    let lines = drawing.text(.plain)
    #expect(lines.count == 21)
    #expect(lines.allSatisfy { $0.columns == 41 })
  }
}
