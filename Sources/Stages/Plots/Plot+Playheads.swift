import Players
package import Scenarios
package import Vocabulary

extension Plot {
  /// How often positions are compared: as often as simulated players are looked at.
  private static let shortestStep = Duration.milliseconds(20)
  /// The most positions of a line, which are closer to each other than the picture's pixels.
  private static let pointsMaximum = 1500

  /// The plot of a scenario, with the verbs of its timeline as marks; `nil` if no two players had
  /// known positions at one moment.
  ///
  /// - Parameters:
  ///   - report: the scenario's report.
  ///   - start: when the scenario began.
  ///   - tracks: the readings of real players; without any, the positions of simulated ones are
  ///     those that the report has.
  package init?(
    of report: ScenarioReport, from start: HostTime, _ tracks: [String: PlayheadTrack]
  ) {
    let tracks =
      tracks.isEmpty ? report.looks.mapValues { PlayheadTrack($0, from: start) } : tracks
    let names = tracks.keys.sorted()
    let step = max(Self.shortestStep, report.duration / Self.pointsMaximum)
    var lines = names.map { Line(name: $0, stretches: []) }
    var wereKnown = Array(repeating: false, count: names.count)
    for index in 0...Int(report.duration / step) {
      let since = step * index
      let positions = names.map { tracks[$0]?.point(at: start + since)?.position }
      let middle = Self.middle(of: positions.compactMap { $0 })
      for (line, position) in positions.enumerated() {
        defer { wereKnown[line] = position != nil && middle != nil }
        guard let position, let middle else { continue }
        if !wereKnown[line] { lines[line].stretches.append([]) }
        lines[line].stretches[lines[line].stretches.count - 1].append(
          Point(seconds: since.inSeconds, offset: (position - middle).inMilliseconds))
      }
    }
    lines.removeAll { $0.stretches.isEmpty }
    guard !lines.isEmpty else { return nil }
    self.init(
      title: "\(report.scenario): how far the players are apart", lines: lines,
      marks: report.entries.compactMap(Self.mark))
  }

  /// The median, which a single player that lags behind does not move; `nil` for fewer than two.
  private static func middle(of positions: [MediaTime]) -> MediaTime? {
    guard positions.count > 1 else { return nil }
    let sorted = positions.sorted()
    let (low, high) = (sorted[(positions.count - 1) / 2], sorted[positions.count / 2])
    return low + (high - low) / 2
  }

  private static func mark(_ entry: TimelineEntry) -> Mark? {
    guard case .did(let text) = entry.event else { return nil }
    return Mark(
      seconds: entry.at.inSeconds, text: "\(entry.peers.joined(separator: " ")): \(text)")
  }
}

extension PlayheadTrack {
  /// The track of a simulated player, whose positions are exact.
  fileprivate init(_ looks: [ScenarioReport.Look], from start: HostTime) {
    self.init()
    for look in looks {
      append(
        PlayheadReading(
          position: look.position, at: start + look.at, roundTrip: .zero, source: .sound))
    }
  }
}
