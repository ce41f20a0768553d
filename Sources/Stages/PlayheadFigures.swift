package import Scenarios
package import Vocabulary

/// Figures from the playheads of a scenario, phase by phase.
///
/// They tell how far apart the players were, how soon they were in sync, and whether other players
/// were disturbed.
///
/// ``PlayheadSpreads`` computes the spread at an instant.
package struct PlayheadFigures {
  static let togetherFor = Duration.milliseconds(500)
  private static let firstSecond = Duration.seconds(1)
  /// A player that seeks has arrived once it is this close to the target.
  private static let arrival = Duration.seconds(3)
  /// Rates are averaged over this length: with readings that scatter by 0.1 ms they are accurate to
  /// 0.1 %.
  private static let rateLength = Duration.milliseconds(500)

  private let tracks: [String: PlayheadTrack]
  private let start: HostTime
  private let end: HostTime
  private let phase: ScenarioReport.Phase
  private let targets: PlayheadTargets

  /// The figures of every phase of a scenario.
  ///
  /// - Parameters:
  ///   - report: the scenario's report.
  ///   - start: when the scenario began.
  ///   - tracks: the readings of each peer's player.
  ///   - targets: what is aimed at.
  package static func all(
    of report: ScenarioReport, from start: HostTime, _ tracks: [String: PlayheadTrack],
    aimingAt targets: PlayheadTargets = .mpv
  ) -> [PlayheadFigure] {
    let ends = report.phases.dropFirst().map(\.at) + [report.duration]
    return zip(report.phases, ends).flatMap { phase, end in
      PlayheadFigures(
        tracks: tracks, start: start + phase.at, end: start + end, phase: phase,
        targets: targets
      ).figures
    }
  }

  private var figures: [PlayheadFigure] {
    if !phase.server.isEmpty {
      return whilePlaying(from: start, running(at: start)) + [
        steadiness(of: running(at: start), "all")
      ]
    }
    for cue in phase.cues {
      switch cue.verb {
      case .play: return afterStart(near: nil)
      case .seek(let position): return afterStart(near: position)
      case .pause: return afterPause
      case .join: return afterJoin(of: cue.peer)
      case .stall: return afterStall(of: cue.peer)
      case .leave: return undisturbed(without: cue.peer, "the others")
      case .dismissMessage:
        // Closing the player's message means leaving, or the end for all; then nothing is measured.
        let goesOn = !running(at: end - PlayheadSpreads.step).isEmpty
        return goesOn ? undisturbed(without: cue.peer, "the others") : []
      default: continue
      }
    }
    return whilePlaying(from: start, running(at: start))
  }

  // MARK: Kinds of phases

  private func whilePlaying(from begin: HostTime, _ peers: [String]) -> [PlayheadFigure] {
    let spreads = spreads(of: peers, from: begin, to: end)
    return [
      figure("apart, median", PlayheadSpreads.percentile(spreads, 50), target: targets.median),
      figure("apart, 95 %", PlayheadSpreads.percentile(spreads, 95), target: targets.most),
      figure("apart, at most", spreads.max()),
    ]
  }

  /// Figures after a start or, if a position is given, after a seek while playing.
  private func afterStart(near position: MediaTime?) -> [PlayheadFigure] {
    let peers = running(at: end - PlayheadSpreads.step)
    let begin = PlayheadSpreads.instants(from: start, to: end).first { time in
      peers.contains { peer in
        guard let point = tracks[peer]?.point(at: time), point.isRunning else { return false }
        guard let position else { return true }
        return (0...Self.arrival.microseconds).contains((point.position - position).microseconds)
      }
    }
    guard let begin else {
      return [figure("apart in the first second", nil, target: targets.firstSecond)]
    }
    let settled = begin + Self.firstSecond
    let first = spreads(of: peers, from: begin, to: min(settled, end))
    return [
      figure("first one runs after", milliseconds(begin - start)),
      figure("apart in the first second, at most", first.max(), target: targets.firstSecond),
      figure("together after", timeTogether(peers, from: begin)),
    ] + whilePlaying(from: settled, peers)
  }

  private var afterPause: [PlayheadFigure] {
    let peers = present(at: end - PlayheadSpreads.step)
    let apart = PlayheadSpreads(tracks).frameSpread(of: peers, at: end)
    let still = PlayheadSpreads.instants(from: start, to: end).first { time in
      let frames = peers.compactMap { tracks[$0]?.frame(at: time) }
      return frames.count == peers.count && PlayheadSpreads.difference(frames) == 0
        && peers.allSatisfy { tracks[$0]?.isStill(at: time) == true }
    }
    return [
      figure("frames apart", apart, target: 0),
      figure("all on the same frame after", still.map { milliseconds($0 - start) }),
    ]
  }

  private func afterJoin(of peer: String) -> [PlayheadFigure] {
    let others = running(at: start)
    let delay = timeTogether(others + [peer], from: start)
    return [figure("in sync after", delay, target: targets.joining)]
      + undisturbed(without: peer, "the others")
  }

  /// Figures of a phase in which a player runs out of data, which it may still have for a while.
  private func afterStall(of peer: String) -> [PlayheadFigure] {
    let others = running(at: start).filter { $0 != peer }
    let stopped = PlayheadSpreads.instants(from: start, to: end).first { time in
      tracks[peer]?.isStill(at: time) == true
    }
    let back = stopped.flatMap { stopped in
      timeTogether(others + [peer], from: stopped).map { $0 - milliseconds(stopped - start) }
    }
    return [figure("from its stop to in sync again", back)]
      + undisturbed(without: peer, "the others")
  }

  /// Figures that show whether the other players kept playing undisturbed.
  private func undisturbed(without peer: String, _ who: String) -> [PlayheadFigure] {
    let others = running(at: start).filter { $0 != peer }
    let spreads = spreads(of: others, from: start, to: end)
    return [
      figure("\(who): apart, 95 %", PlayheadSpreads.percentile(spreads, 95), target: targets.most),
      steadiness(of: others, who),
    ]
  }

  /// The largest deviation of the players' rates from 1; a player that stood still is off by 100 %.
  private func steadiness(of peers: [String], _ who: String) -> PlayheadFigure {
    let rates = peers.flatMap {
      tracks[$0]?.rates(from: start, to: end, over: Self.rateLength) ?? []
    }
    let worst = rates.map { abs($0 - 1) * 100 }.max()
    return figure("\(who): rate off by, at most", worst, .percent, target: targets.rate)
  }

  // MARK: Measurements

  private func spreads(
    of peers: [String], from begin: HostTime, to end: HostTime
  ) -> [Double] {
    PlayheadSpreads(tracks).all(of: peers, from: begin, to: end)
  }

  /// The time from the phase's start until these players run in sync and stay so for
  /// ``togetherFor``.
  private func timeTogether(_ peers: [String], from begin: HostTime) -> Double? {
    var since: HostTime?
    for time in PlayheadSpreads.instants(from: begin, to: end) {
      guard let spread = PlayheadSpreads(tracks).spread(of: peers, at: time) else { continue }
      let run = peers.allSatisfy { tracks[$0]?.point(at: time)?.isRunning == true }
      guard run, spread <= targets.together else {
        since = nil
        continue
      }
      let first = since ?? time
      since = first
      if time - first >= Self.togetherFor { return milliseconds(first - start) }
    }
    return nil
  }

  private func running(at time: HostTime) -> [String] {
    tracks.keys.filter { name in
      // A single reading may be missing, so two earlier instants are tried too.
      [0, 100, 200].contains { back in
        tracks[name]?.point(at: time - .milliseconds(back))?.isRunning == true
      }
    }.sorted()
  }

  private func present(at time: HostTime) -> [String] {
    tracks.keys.filter { tracks[$0]?.frame(at: time) != nil }.sorted()
  }

  private func milliseconds(_ duration: Duration) -> Double {
    Double(duration.microseconds) / 1000
  }

  private func figure(
    _ name: String, _ value: Double?, _ unit: PlayheadFigure.Unit = .milliseconds,
    target: Double? = nil
  ) -> PlayheadFigure {
    PlayheadFigure(phase.name, name, value, unit, target: target)
  }
}

/// What the figures of players aim at.
package struct PlayheadTargets: Equatable, Sendable {
  /// The largest spread, in milliseconds, that counts as in sync; it must hold for half a second.
  package let together: Double
  /// The median of the spreads while playing, in milliseconds.
  let median: Double
  /// The spread that 95 % of them do not exceed.
  let most: Double
  /// The largest spread in the second after a start; `nil` for any.
  let firstSecond: Double?
  /// How soon who joins is in sync, in milliseconds.
  let joining: Double
  /// How far a player's rate may be from 1, in percent; `nil` for any.
  let rate: Double?

  /// Among mpv, which start and stop to the millisecond.
  package static let mpv = PlayheadTargets(
    together: 15, median: 5, most: 15, firstSecond: 40, joining: 1500, rate: 1.5)
  /// Among pages, or pages and mpv: a browser's element starts tens of milliseconds late or early,
  /// and is steered by its rate, by up to 5 %.
  package static let pages = PlayheadTargets(
    together: 40, median: 15, most: 40, firstSecond: nil, joining: 2000, rate: nil)
}

/// One measured number of one phase, with its target.
package struct PlayheadFigure: Equatable, Sendable {
  /// The number's unit.
  package enum Unit: String, Equatable, Sendable {
    case milliseconds = "ms"
    case percent = "%"
  }

  package var phase: String
  package var name: String
  /// `nil` if the readings do not determine it.
  package var value: Double?
  package var unit: Unit
  /// The upper limit for the value; `nil` if the figure is for information only.
  package var target: Double?

  /// Whether the target is met; `nil` without a target.
  package var isMet: Bool? { target.map { target in value.map { $0 <= target } ?? false } }

  init(
    _ phase: String, _ name: String, _ value: Double?, _ unit: Unit = .milliseconds,
    target: Double? = nil
  ) {
    self.phase = phase
    self.name = name
    self.value = value
    self.unit = unit
    self.target = target
  }
}

/// How far apart players are, at successive instants.
///
/// The spread is the largest position minus the smallest, over all players, each interpolated to
/// the same instant (``PlayheadTrack/point(at:)``).
package struct PlayheadSpreads {
  private let tracks: [String: PlayheadTrack]

  /// The distance between sampled instants.
  static let step = Duration.milliseconds(10)

  /// Creates spreads of the players with these names.
  package init(_ tracks: [String: PlayheadTrack]) { self.tracks = tracks }

  /// The spreads between two instants, in milliseconds.
  ///
  /// Instants are left out at which a player's position is unknown or no player runs.
  package func all(of peers: [String], from begin: HostTime, to end: HostTime) -> [Double] {
    guard peers.count > 1 else { return [] }
    return Self.instants(from: begin, to: end).compactMap { spread(of: peers, at: $0) }
  }

  /// The spread at an instant, in milliseconds; `nil` if a position is unknown or no player runs.
  package func spread(of peers: [String], at time: HostTime) -> Double? {
    let points = peers.compactMap { tracks[$0]?.point(at: time) }
    guard points.count == peers.count, points.contains(where: \.isRunning) else { return nil }
    return Self.difference(points.map(\.position))
  }

  /// The spread of the frames last shown before an instant, in milliseconds; `nil` unless there are
  /// several players and every frame is known.
  package func frameSpread(of peers: [String], at time: HostTime) -> Double? {
    let frames = peers.compactMap { tracks[$0]?.frame(at: time) }
    return frames.count < max(peers.count, 2) ? nil : Self.difference(frames)
  }

  /// The largest position minus the smallest, in milliseconds.
  package static func difference(_ positions: [MediaTime]) -> Double {
    guard let low = positions.min(), let high = positions.max() else { return 0 }
    return (high - low).inMilliseconds
  }

  /// The sampled instants.
  package static func instants(from begin: HostTime, to end: HostTime) -> [HostTime] {
    guard begin < end else { return [] }
    let count = (end - begin).microseconds / step.microseconds
    return (0...count).map { begin + step * Int($0) }
  }

  /// The value that this percentage of all values does not exceed.
  package static func percentile(_ values: [Double], _ share: Int) -> Double? {
    guard !values.isEmpty else { return nil }
    return values.sorted()[max((values.count * share + 99) / 100 - 1, 0)]
  }
}
