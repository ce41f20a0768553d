import JSON

/// Figures that were measured together.
struct Section {
  var title: String
  /// How they were measured, in one or two sentences.
  var method: String
  var figures: [Figure] = []
  /// Figures of several servers side by side.
  var tables: [ComparisonTable] = []
  /// Why some or all of it could not be measured.
  var failure: String?
}

extension Section: JSONWritable {
  /// Writes an object.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("title", title)
      writer.field("method", method)
      writer.array("figures") { array in
        for figure in figures { array.element(figure) }
        for row in tables.flatMap(\.rows) { array.element(row) }
      }
      writer.field("failure", failure)
    }
  }
}

extension Section {
  /// The section as lines of a table.
  var text: String {
    let rows = figures.map { figure in
      [figure.name, figure.valueText, figure.targetText, figure.verdict, figure.detail]
    }
    var lines = [method] + aligned(rows) + tables.flatMap(\.lines)
    if let failure { lines.append("not measured: " + failure) }
    return ([title] + lines.map { "  " + $0 }).joined(separator: "\n") + "\n"
  }
}

/// Aligns rows of equally many cells as lines of text; each column is as wide as its widest cell.
func aligned(_ rows: [[String]]) -> [String] {
  guard let first = rows.first else { return [] }
  let widths = first.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    let cells = zip(row, widths).map { cell, width in
      cell + String(repeating: " ", count: width - cell.count)
    }
    return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
  }
}

/// One measured figure.
struct Figure {
  var name: String
  var value: Double
  var unit: String
  /// The target; `nil` if the figure only informs.
  var target: Target?
  /// Details of the measurement, in a few words.
  var detail = ""

  /// Whether the target is met; `nil` without a target.
  var isMet: Bool? {
    switch target {
    case .atMost(let bound): value <= bound
    case .atLeast(let bound): value >= bound
    case nil: nil
    }
  }

  /// A bound in the figure's unit.
  enum Target {
    case atMost(Double)
    case atLeast(Double)
  }
}

extension Figure {
  fileprivate var valueText: String { "\(rounded(value)) \(unit)" }

  fileprivate var targetText: String {
    switch target {
    case .atMost(let bound): "≤ \(rounded(bound))"
    case .atLeast(let bound): "≥ \(rounded(bound))"
    case nil: ""
    }
  }

  fileprivate var verdict: String { isMet.map { $0 ? "met" : "MISSED" } ?? "" }
}

extension Figure: JSONWritable {
  /// Writes an object.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("name", name)
      writer.field("value", value)
      writer.field("unit", unit)
      switch target {
      case .atMost(let bound): writer.field("target", bound)
      case .atLeast(let bound): writer.field("targetAtLeast", bound)
      case nil: break
      }
      writer.field("met", isMet)
      if !detail.isEmpty { writer.field("detail", detail) }
    }
  }
}

/// A number with three significant digits.
func rounded(_ value: Double) -> String {
  let digits = value.magnitude >= 100 ? 0 : value.magnitude >= 10 ? 1 : 2
  let scale = [1.0, 10, 100][digits]
  let text = "\((value * scale).rounded() / scale)"
  return digits == 0 ? String(text.prefix { $0 != "." }) : text
}

extension Collection<Double> {
  /// The value in the middle; zero if there are no values.
  var median: Double { percentile(50) }

  /// The smallest value that at least this percentage of the values does not exceed; zero if there
  /// are no values.
  func percentile(_ hundredths: Int) -> Double {
    guard !isEmpty else { return 0 }
    let rank = (count * hundredths + 99) / 100
    return sorted()[Swift.max(rank, 1) - 1]
  }
}
