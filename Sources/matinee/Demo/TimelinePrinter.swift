import MatineeTerminal
import Scenarios
import Stages
import Vocabulary

/// Prints a scenario's timeline as it grows: in colour on a terminal, as plain text into a pipe.
struct TimelinePrinter {
  private let scenario: Scenario
  private let styling: TextStyling
  /// The width of all names together, so that the texts are aligned.
  private let nameWidth: Int

  init(_ scenario: Scenario, _ styling: TextStyling) {
    self.scenario = scenario
    self.styling = styling
    let longest = scenario.names.dropLast().joined(separator: " ").count
    let names = scenario.names + (scenario.killsServer ? ["server"] : [])
    nameWidth = min(max(longest, names.map(\.count).max() ?? 0, 3), 24)
  }

  func begin(isVirtual: Bool) {
    printNow(styled(scenario.name, .bold))
    for line in wrapped(scenario.about) { printNow("  " + line.onOneLine) }
    let peers = scenario.peers.map { peer in
      let jitter = peer.network.jitter > .zero ? " ± \(peer.network.jitter.shortText)" : ""
      return "\(peer.name) \(peer.network.delay.shortText)\(jitter)"
    }
    let place = isVirtual ? "in memory, virtual time" : "over TCP"
    printNow(styled("  \(place); one way: \(peers.joined(separator: ", "))", .dim))
  }

  func show(_ entry: TimelineEntry) {
    let time = padded(entry.at.secondsText, to: 7, atStart: true)
    let names = padded(label(entry.peers), to: nameWidth, atStart: false)
    let text = "\(names)  \(entry.mark) \(entry.text)"
    let style: TextStyling.Style =
      switch entry.event {
      case .did: .bold
      case .saw: .plain
      case .met: .green
      case .failed, .broke: .red
      }
    printNow("\(styled(time, .dim))  \(styled(text, style))")
  }

  func end(_ report: ScenarioReport, _ figures: [PlayheadFigure]) {
    let count = scenario.steps.reduce(0) { $0 + $1.expectations.count }
    let verdict = report.hasPassed ? "passed" : "failed"
    let seen =
      "\(report.metCount) of \(count) expectations seen in \(report.duration.secondsText) s"
    printNow(styled("\(verdict): \(seen)", report.hasPassed ? .green : .red))
    if !figures.isEmpty {
      for line in FigureTable(figures).lines { printNow(line) }
    } else if let spread = report.spread {
      printNow(
        "  players that ran together were apart: median \(spread.median.shortText), "
          + "95 % \(spread.percentile95.shortText), at most \(spread.worst.shortText) "
          + "(\(spread.looks) looks)")
    }
    printNow("")
  }

  private func label(_ peers: [String]) -> String {
    peers.count > 1 && peers.count == scenario.names.count ? "all" : peers.joined(separator: " ")
  }

  private func padded(_ text: String, to width: Int, atStart: Bool) -> String {
    let padding = String(repeating: " ", count: max(0, width - text.count))
    return atStart ? padding + text : text + padding
  }

  private func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.count + word.count < 96 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private func styled(_ text: String, _ style: TextStyling.Style) -> String {
    styling.styled(text, style)
  }
}

extension Duration {
  /// The length in milliseconds, with one decimal if it is not a whole number.
  fileprivate var shortText: String {
    let tenths = (microseconds + 50) / 100
    return tenths % 10 == 0 ? "\(tenths / 10) ms" : "\(tenths / 10).\(tenths % 10) ms"
  }
}
