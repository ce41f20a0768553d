package import Scenarios
package import Vocabulary

/// What the playheads of a scenario show, phase by phase: how far apart the players were, how soon
/// they were together, and whether others were disturbed.
///
/// How far apart players are at an instant is up to ``PlayheadSpreads``.
package struct PlayheadFigures {
  /// In sync, for the times until then: this close, and staying so for half a second.
  package static let together = 15.0
  static let togetherFor = Duration.milliseconds(500)
  private static let firstSecond = Duration.seconds(1)
  /// A player that goes to a place is there once it is this near.
  private static let arrival = Duration.seconds(3)
  /// Over this length rates are told to 0.1 %, by readings that scatter by 0.1 ms.
  private static let rateLength = Duration.milliseconds(500)

  private let tracks: [String: PlayheadTrack]
  private let start: HostTime
  private let end: HostTime
  private let phase: ScenarioReport.Phase

  /// Figures of every phase of a scenario.
  ///
  /// - Parameters:
  ///   - report: how the scenario went.
  ///   - start: when it began.
  ///   - tracks: what was read of each peer's player.
  package static func all(
    of report: ScenarioReport, from start: HostTime, _ tracks: [String: PlayheadTrack]
  ) -> [PlayheadFigure] {
    let ends = report.phases.dropFirst().map(\.at) + [report.duration]
    return zip(report.phases, ends).flatMap { phase, end in
      PlayheadFigures(
        tracks: tracks, start: start + phase.at, end: start + end, phase: phase
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
      case .seek(let place): return afterStart(near: place)
      case .pause: return afterPause
      case .join: return afterJoin(of: cue.peer)
      case .leave: return undisturbed(without: cue.peer, "the others")
      case .dismissMessage:
        // Closing the player's message is a leaving, or the end for all: then nothing is measured.
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
      figure("apart, median", PlayheadSpreads.percentile(spreads, 50), target: 5),
      figure("apart, 95 %", PlayheadSpreads.percentile(spreads, 95), target: 15),
      figure("apart, at most", spreads.max()),
    ]
  }

  /// After a start or, where a place is given, after a seek while playing.
  private func afterStart(near place: MediaTime?) -> [PlayheadFigure] {
    let peers = running(at: end - PlayheadSpreads.step)
    let begin = PlayheadSpreads.instants(from: start, to: end).first { time in
      peers.contains { peer in
        guard let point = tracks[peer]?.point(at: time), point.isRunning else { return false }
        guard let place else { return true }
        return (0...Self.arrival.microseconds).contains((point.place - place).microseconds)
      }
    }
    guard let begin else { return [figure("apart in the first second", nil, target: 40)] }
    let settled = begin + Self.firstSecond
    let first = spreads(of: peers, from: begin, to: min(settled, end))
    return [
      figure("first one runs after", milliseconds(begin - start)),
      figure("apart in the first second, at most", first.max(), target: 40),
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
    return [figure("in sync after", delay, target: 1500)]
      + undisturbed(without: peer, "the others")
  }

  /// Whoever ran before runs on as if nothing had happened.
  private func undisturbed(without peer: String, _ who: String) -> [PlayheadFigure] {
    let others = running(at: start).filter { $0 != peer }
    let spreads = spreads(of: others, from: start, to: end)
    return [
      figure("\(who): apart, 95 %", PlayheadSpreads.percentile(spreads, 95), target: 15),
      steadiness(of: others, who),
    ]
  }

  /// Whether these ran all the time: one that stood still was off by all there is.
  private func steadiness(of peers: [String], _ who: String) -> PlayheadFigure {
    let rates = peers.flatMap {
      tracks[$0]?.rates(from: start, to: end, over: Self.rateLength) ?? []
    }
    let worst = rates.map { abs($0 - 1) * 100 }.max()
    return figure("\(who): rate off by, at most", worst, .percent, target: 1.5)
  }

  // MARK: Parts of them

  private func spreads(
    of peers: [String], from begin: HostTime, to end: HostTime
  ) -> [Double] {
    PlayheadSpreads(tracks).all(of: peers, from: begin, to: end)
  }

  /// The time from the phase's beginning until these run together, and go on so for a while.
  private func timeTogether(_ peers: [String], from begin: HostTime) -> Double? {
    var since: HostTime?
    for time in PlayheadSpreads.instants(from: begin, to: end) {
      guard let spread = PlayheadSpreads(tracks).spread(of: peers, at: time) else { continue }
      let run = peers.allSatisfy { tracks[$0]?.point(at: time)?.isRunning == true }
      guard run, spread <= Self.together else {
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
      // A reading may be missing just then.
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
