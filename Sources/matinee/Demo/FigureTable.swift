import Foundation
import MatineeTerminal
import Stages

/// The figures of real players as a table, with one row for each figure and its target.
struct FigureTable {
  private let figures: [PlayheadFigure]

  init(_ figures: [PlayheadFigure]) { self.figures = figures }

  var lines: [String] {
    var table = TextTable("  PHASE", "PLAYHEADS, MEASURED FROM OUTSIDE", "MEASURED", "TARGET", "")
    var last = ""
    for figure in figures {
      let phase = figure.phase == last ? "" : figure.phase
      last = figure.phase
      let target = figure.target.map { "≤ \(text($0)) \(figure.unit.rawValue)" } ?? ""
      let measured = figure.value.map { "\(text($0)) \(figure.unit.rawValue)" } ?? "unknown"
      let mark = figure.isMet.map { $0 ? "✓" : "✗" } ?? ""
      table.add("  " + phase, figure.name, measured, target, mark)
    }
    return table.lines + [loadLine].compactMap { $0 }
  }

  /// The machine's load, because figures from a busy machine are less reliable.
  private var loadLine: String? {
    MachineLoad.now.map { "  load of this machine: \($0)" }
  }

  private func text(_ value: Double) -> String {
    value == value.rounded() || value >= 100
      ? String(Int(value.rounded())) : String(format: "%.2f", value)
  }
}

/// The number of runnable threads, averaged by the system over a minute (proc(5)).
enum MachineLoad {
  /// The load, with the number of processors.
  static var now: String? {
    guard let bytes = FileManager.default.contents(atPath: "/proc/loadavg"),
      let first = String(decoding: bytes, as: UTF8.self).split(separator: " ").first
    else { return nil }
    let count = ProcessInfo.processInfo.activeProcessorCount
    return "\(first) on \(count) processor\(count == 1 ? "" : "s")"
  }
}
