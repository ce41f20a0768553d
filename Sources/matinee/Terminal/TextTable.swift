/// Rows of text under headings, in columns as wide as their widest cell.
struct TextTable {
  private var rows: [[String]]

  init(_ headings: String...) { self.init(headings) }

  init(_ headings: [String]) { rows = [headings] }

  var isEmpty: Bool { rows.count == 1 }

  /// Adds a row; what its cells hold may come from anybody.
  mutating func add(_ cells: String...) { add(cells) }

  mutating func add(_ cells: [String]) { rows.append(cells.map(\.onOneLine)) }

  /// The table, a line a row, without trailing spaces.
  var lines: [String] {
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
  /// How many columns of a terminal it takes: two for what East Asian Width (UAX 11) calls wide,
  /// emoji among it.
  var columns: Int {
    if isASCII { return 1 }
    guard let scalar = unicodeScalars.first else { return 0 }
    // An emoji by its variation selector, as in ❤️.
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
  /// How many columns of a terminal it takes.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The text without what a terminal would obey instead of show.
  ///
  /// That is controls, and what turns the direction of the text around it; it may come from
  /// anybody.
  var withoutControls: String {
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

  /// The same on one line: what others wrote is to begin no line of its own, which might look like
  /// the program's.
  var onOneLine: String {
    String(withoutControls.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }

  /// The text in lines of at most so many columns, broken between words where that can be done.
  func wrapped(to width: Int) -> [String] {
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
  /// As much of its beginning as fits.
  func prefix(columns width: Int) -> Substring {
    var taken = 0
    return prefix { character in
      taken += character.columns
      return taken <= width
    }
  }
}
