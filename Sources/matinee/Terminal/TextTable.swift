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
