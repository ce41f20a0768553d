/// A table of text with headings; each column is as wide as its widest cell.
package struct TextTable {
  private var rows: [[String]]

  package init(_ headings: String...) { self.init(headings) }

  package init(_ headings: [String]) { rows = [headings] }

  package var isEmpty: Bool { rows.count == 1 }

  /// Adds a row; control characters are removed, because the text may come from other people.
  package mutating func add(_ cells: String...) { add(cells) }

  package mutating func add(_ cells: [String]) { rows.append(cells.map(\.onOneLine)) }

  /// The table with one line for each row, without trailing spaces.
  package var lines: [String] {
    let widths = rows[0].indices.map { column in
      rows.map { $0[column].columns }.max() ?? 0
    }
    return rows.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.columns)
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

extension Character {
  /// The number of terminal columns: two for characters that are wide in East Asian Width (UAX 11),
  /// such as emoji.
  package var columns: Int {
    if isASCII { return 1 }
    guard let scalar = unicodeScalars.first else { return 0 }
    // A variation selector makes a character an emoji, as in ❤️.
    if scalar.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
    if scalar.properties.generalCategory == .nonspacingMark { return 0 }
    return Self.wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// The wide blocks: Hangul, CJK, kana, full-width forms.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
  ]
}

extension StringProtocol {
  /// The number of terminal columns.
  package var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The text in lines of at most this many columns, broken between words where possible.
  package func wrapped(to width: Int) -> [String] {
    withoutControls.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { Self.wrapped(paragraph: $0, to: Swift.max(2, width)) }
  }

  private static func wrapped(paragraph: Substring, to width: Int) -> [String] {
    var lines = [""]
    for word in paragraph.split(whereSeparator: \.isWhitespace) {
      var word = word
      let line = lines[lines.count - 1]
      if !line.isEmpty {
        if line.columns + 1 + word.columns <= width {
          lines[lines.count - 1] = "\(line) \(word)"
          continue
        }
        lines.append("")
      }
      while word.columns > width {
        let piece = word.prefix(columns: width)
        lines[lines.count - 1] = String(piece)
        lines.append("")
        word = word[piece.endIndex...]
      }
      lines[lines.count - 1] = String(word)
    }
    if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}

extension Substring {
  /// The longest prefix that fits in this many columns.
  package func prefix(columns width: Int) -> Substring {
    var taken = 0
    return prefix { character in
      taken += character.columns
      return taken <= width
    }
  }
}
