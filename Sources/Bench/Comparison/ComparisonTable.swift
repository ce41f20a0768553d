import JSON
import SyncplayComparison

/// The figures of several servers side by side, with targets.
struct ComparisonTable {
  /// A server and its measured figures.
  typealias Column = (name: String, figures: [ComparisonFigure])

  private let title: String
  private let columns: [Column]

  /// Makes a table.
  ///
  /// - Parameter columns: the reference's figures first, then the compared server's, then the
  ///   yardstick's if there is one.
  init(title: String, _ columns: [Column]) {
    self.title = title
    self.columns = columns
  }

  /// The table as text, under its title.
  var lines: [String] {
    guard let reference = columns.first else { return [] }
    let others = columns.dropFirst()
    var rows = [["PHASE", "MEASURED"] + columns.map { $0.name.uppercased() } + ["TARGET", ""]]
    var last = ""
    for figure in reference.figures {
      let phase = figure.phase == last ? "" : figure.phase
      last = figure.phase
      let same = others.map { $0.figures.first { $0.isSame(as: figure) } }
      // A figure that only the reference has is also judged if its target needs no comparison.
      let judged = (same.first ?? nil).map { mark($0, beside: figure) }
      rows.append(
        [phase, figure.name, text(figure)] + same.map { $0.map(text) ?? "" }
          + [target(of: figure), judged ?? mark(figure, beside: nil)])
    }
    return [title] + aligned(rows)
  }

  /// The mark of a figure; a miss within the scatter of the rounds has its own mark.
  private func mark(_ figure: ComparisonFigure, beside reference: ComparisonFigure?) -> String {
    switch figure.isMet(beside: reference?.value) {
    case true?: "✓"
    case false?: figure.isWithinScatter(of: reference) ? "≈" : "missed"
    case nil: ""
    }
  }

  private func text(_ figure: ComparisonFigure) -> String {
    guard let value = figure.value else { return "unknown" }
    let range = figure.summary == .sum ? nil : figure.range
    return "\(text(value)) \(figure.unit.rawValue)"
      + (range.map { " (\(text($0.lowerBound))–\(text($0.upperBound)))" } ?? "")
  }

  private func target(of figure: ComparisonFigure) -> String {
    switch figure.target {
    case .share(1): return "no more"
    case .share(let share):
      guard let value = figure.value else { return "" }
      return "≤ \(text(value * share)) \(figure.unit.rawValue)"
    case .better: return "less"
    case .atMost(let bound): return "≤ \(text(bound)) \(figure.unit.rawValue)"
    case nil: return ""
    }
  }

  private func text(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : rounded(value)
  }
}

// MARK: JSON

extension ComparisonTable {
  /// One figure of the compared server, beside those of the reference and the yardstick.
  struct Row {
    let figure: ComparisonFigure
    let reference: ComparisonFigure?
    let yardstick: ComparisonFigure?
  }

  /// All figures of the compared server.
  var rows: [Row] {
    guard columns.count > 1 else { return [] }
    return columns[1].figures.map { figure in
      let same = columns.map { $0.figures.first { $0.isSame(as: figure) } }
      return Row(
        figure: figure, reference: same[0], yardstick: same.count > 2 ? same[2] : nil)
    }
  }
}

extension ComparisonTable.Row: JSONWritable {
  /// Writes an object with each server's value in each round and their summary; null is an unknown
  /// value.
  func write(to writer: inout JSONWriter) {
    writer.object { object in
      object.field("phase", figure.phase)
      object.field("name", figure.name)
      object.field("unit", figure.unit.rawValue)
      object.object("reference") { write(reference, to: &$0) }
      object.object("matinee") { write(figure, to: &$0) }
      if let yardstick { object.object("bareLibuv") { write(yardstick, to: &$0) } }
      guard let isMet = figure.isMet(beside: reference?.value) else { return }
      object.field("met", isMet)
      if !isMet { object.field("withinScatter", figure.isWithinScatter(of: reference)) }
    }
  }

  private func write(_ figure: ComparisonFigure?, to object: inout JSONWriter) {
    if let value = figure?.value { object.field("value", value) } else { object.null("value") }
    object.array("rounds") { array in
      for value in figure?.values ?? [] {
        if let value { array.element(value) } else { array.elementNull() }
      }
    }
  }
}
