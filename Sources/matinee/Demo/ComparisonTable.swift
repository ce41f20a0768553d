import Foundation
import SyncplayComparison

/// The reference's figures, and beside them another server's, with what is aimed at; perhaps also a
/// yardstick's.
struct ComparisonTable {
  /// A server, and what was measured with it.
  typealias Column = (name: String, figures: [ComparisonFigure])

  private let columns: [Column]

  /// - Parameter columns: the reference's first, then the other server's, then the yardstick's.
  init(_ columns: [Column]) { self.columns = columns }

  var lines: [String] {
    guard let reference = columns.first else { return [] }
    let others = columns.dropFirst()
    var table = TextTable(
      ["  PHASE", "MEASURED"] + columns.map { $0.name.uppercased() } + ["TARGET", ""])
    var last = ""
    for figure in reference.figures {
      let phase = figure.phase == last ? "" : figure.phase
      last = figure.phase
      let same = others.map { $0.figures.first { $0.isSame(as: figure) } }
      // One alone is judged by what needs no comparison: there the reference's faults are seen.
      let judged = (same.first ?? nil).map { mark($0, beside: figure) }
      table.add(
        ["  " + phase, figure.name, text(figure)] + same.map { $0.map(text) ?? "" }
          + [target(of: figure), judged ?? mark(figure, beside: nil)])
    }
    return table.lines
  }

  /// What misses by no more than the rounds scatter has a mark of its own.
  private func mark(_ figure: ComparisonFigure, beside reference: ComparisonFigure?) -> String {
    switch figure.isMet(beside: reference?.value) {
    case true?: "✓"
    case false?: figure.isWithinScatter(of: reference) ? "≈" : "missed"
    case nil: ""
    }
  }

  /// A figure of the server that is compared, with the reference's and the yardstick's.
  struct Row {
    let figure: ComparisonFigure
    let reference: ComparisonFigure?
    let yardstick: ComparisonFigure?
  }

  /// All figures of the server that is compared.
  var rows: [Row] {
    guard columns.count > 1 else { return [] }
    return columns[1].figures.map { figure in
      let same = columns.map { $0.figures.first { $0.isSame(as: figure) } }
      return Row(
        figure: figure, reference: same[0], yardstick: same.count > 2 ? same[2] : nil)
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
    value == value.rounded() || value >= 100
      ? String(Int(value.rounded())) : String(format: value < 10 ? "%.2f" : "%.1f", value)
  }
}
