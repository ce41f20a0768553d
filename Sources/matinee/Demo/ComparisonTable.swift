import Foundation
import SyncplayComparison

/// The reference's figures, and beside them another server's, with what is aimed at.
struct ComparisonTable {
  /// A server, and what was measured with it.
  typealias Column = (name: String, figures: [ComparisonFigure])

  private let columns: [Column]

  /// - Parameter columns: the reference's first.
  init(_ columns: [Column]) { self.columns = columns }

  var lines: [String] {
    guard let reference = columns.first else { return [] }
    let other = columns.dropFirst().first
    var table = TextTable(
      "  PHASE", "MEASURED", reference.name.uppercased(), other?.name.uppercased() ?? "", "TARGET",
      "")
    var last = ""
    for figure in reference.figures {
      let phase = figure.phase == last ? "" : figure.phase
      last = figure.phase
      let same = other?.figures.first { $0.isSame(as: figure) }
      // One alone is judged by what needs no comparison: there the reference's faults are seen.
      let isMet = same.map { $0.isMet(beside: figure.value) } ?? figure.isMet(beside: nil)
      table.add(
        "  " + phase, figure.name, text(figure), same.map(text) ?? "", target(of: figure),
        isMet.map { $0 ? "✓" : "✗" } ?? "")
    }
    return table.lines
  }

  private func text(_ figure: ComparisonFigure) -> String {
    figure.value.map { "\(text($0)) \(figure.unit.rawValue)" } ?? "unknown"
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
      ? String(Int(value.rounded())) : String(format: "%.2f", value)
  }
}
