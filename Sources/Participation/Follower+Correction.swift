import Playback
import Vocabulary

/// Rate trimming during playback.
extension Follower {
  /// Handles a position reading and corrects the player if it is off its expected position.
  mutating func read(_ next: Reading, at now: HostTime) -> [Output] {
    guard seek == nil else { return [] }
    noteMotion(from: reading, to: next)
    if isRunning || landing == nil { reading = next }
    if let outputs = passInterstitial(at: next.position, at: now) { return outputs }
    guard case .running = stage, isRunning, !isDetached, let line, next.at >= line.start else {
      return []
    }
    // Near the end there is no time for a correction, and the player stops there anyway.
    if let duration, next.position >= .zero + duration - .milliseconds(500) { return [] }
    let error = next.position - line.position(at: next.at)
    let correction = drift.correct(
      error: error, rate: line.anchor.rate,
      seekCost: costOfMoving, at: next.at)
    let typical = drift.error
    var outputs = carryOut(correction, error: typical ?? error, at: now)
    if let typical {
      learnStart(error: typical, rate: line.anchor.rate)
      outputs += status(typical, at: now)
    }
    return outputs
  }

  mutating func carryOut(
    _ correction: DriftController.Correction, error: Duration, at now: HostTime
  ) -> [Output] {
    guard let line else { return [] }
    switch correction {
    case .none: return []
    case .rate(let factor):
      let kind: Correction = factor == 1 ? .groupRate : .rate(factor)
      return setRate(line.anchor.rate.factor * factor) + [.correction(kind, error: error)]
    case .seek(let lead):
      let outputs: [Output] = [.correction(.seek(leadingBy: lead), error: error)]
      attempts = 0
      return outputs + pause(at: now) + seekAhead(on: line, at: now)
    case .cannotKeepUp:
      let outputs = leaveAlone(at: now)
      ownSuspension = .coordinatedPlaybackNotPossible
      retreatEnds = now + Self.retreat
      return outputs + [
        .correction(.gaveUp, error: error), .suspend(.coordinatedPlaybackNotPossible),
      ]
    }
  }

  /// Learns the real cost of a start from the error that remains after it.
  private mutating func learnStart(error: Duration, rate: Rate) {
    guard let start else { return }
    self.start = nil
    // An error above half a second has another cause than the start.
    guard error.magnitude <= .milliseconds(500) else { return }
    startCost.learn(start.assumedCost - rate.time(for: error) - start.lateness)
  }

  private mutating func status(_ error: Duration, at now: HostTime) -> [Output] {
    if let statusAt, now - statusAt < .seconds(1) { return [] }
    statusAt = now
    return [.status(error: error)]
  }

  /// Clears the pending echoes once two readings after a command prove that it took effect.
  ///
  /// Later events of the player are then taken as a person's actions.
  private mutating func noteMotion(from earlier: Reading?, to later: Reading) {
    guard !echoes.isEmpty, let earlier, let commandedAt, earlier.at > commandedAt,
      later.at - earlier.at >= .milliseconds(50)
    else { return }
    let moved = (later.position - earlier.position).magnitude > .milliseconds(10)
    if moved == isRunning { echoes.removeAll() }
  }
}

/// Suspensions without a fault: for an interstitial, and for a rate that the player does not
/// support.
extension Follower {
  /// Begins a suspension where an interstitial in the item starts, and ends it after the
  /// interstitial.
  ///
  /// During an interstitial the player is left alone: nobody skips it, and nothing is corrected.
  ///
  /// - Returns: The outputs to carry out; `nil` if no interstitial affects this position.
  mutating func passInterstitial(at position: MediaTime, at now: HostTime) -> [Output]? {
    guard let timeline else { return nil }
    let range = timeline.interstitials.range(at: position)
    if ownSuspension == .playingInterstitial {
      guard range == nil else { return [] }
      line = nil
      let outputs = endOwnSuspension()
      return outputs + catchUp(at: now)
    }
    guard range != nil, case .running = stage, isRunning, !isDetached else { return nil }
    let outputs = leaveAlone(at: now)
    ownSuspension = .playingInterstitial
    return outputs + [.suspend(.playingInterstitial)]
  }

  /// Begins a suspension while the group plays at a rate that this player does not support.
  ///
  /// Without it, the follower would seek after the group forever.
  ///
  /// - Returns: The outputs to carry out; `nil` if the player supports the rate.
  mutating func stepOutForRate(at now: HostTime) -> [Output]? {
    guard lacksRate else { return nil }
    let outputs = leaveAlone(at: now)
    ownSuspension = .coordinatedPlaybackNotPossible
    return outputs + [.suspend(.coordinatedPlaybackNotPossible)]
  }

  /// Ends the suspension once the group plays at a rate that this player supports.
  mutating func stepInForRate() -> [Output] {
    // A retreat ends by its own deadline; after a failed item the suspension ends with the next
    // load.
    guard ownSuspension == .coordinatedPlaybackNotPossible, retreatEnds == nil, item != nil,
      !lacksRate
    else { return [] }
    line = nil
    return endOwnSuspension()
  }

  private var lacksRate: Bool {
    guard let item, let timeline else { return false }
    return !item.rates.contains(timeline.rate)
  }
}

/// A playing timeline in host time: the expected position of the player at each moment.
struct LocalLine: Equatable, Sendable {
  let anchor: TimelineAnchor
  let clock: ClockEstimate
  let duration: Duration?
  /// The delay between the position that the player reports and its sound and picture.
  ///
  /// The player runs ahead by this much.
  let playerOffset: Duration

  /// When the player should be at the anchor's position.
  var start: HostTime { clock.hostTime(of: anchor.at) - playerOffset }

  /// The expected position of the player; before the start it is the anchor's position.
  func position(at time: HostTime) -> MediaTime {
    let position = anchor.position(at: clock.instant(at: time + playerOffset))
    let end = duration.map { MediaTime.zero + $0 } ?? MediaTime(microseconds: .max)
    return min(max(position, .zero), end)
  }

  /// When the player should be at a position.
  func moment(of position: MediaTime) -> HostTime {
    clock.hostTime(of: anchor.instant(of: position)) - playerOffset
  }
}
