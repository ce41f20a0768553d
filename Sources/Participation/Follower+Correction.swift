import Playback
import Vocabulary

/// Trimming while it runs.
extension Follower {
  /// Takes in where the player was, and corrects it where that is not where it should have been.
  mutating func read(_ next: Reading, at now: HostTime) -> [Output] {
    guard seek == nil else { return [] }
    noteMotion(from: reading, to: next)
    if isRunning || place == nil { reading = next }
    if let outputs = passInterstitial(at: next.place, at: now) { return outputs }
    guard case .running = stage, isRunning, !isDetached, let line, next.at >= line.start else {
      return []
    }
    // The last stretch is too short to mend, and at its end the player stands still.
    if let duration, next.place >= .zero + duration - .milliseconds(500) { return [] }
    let error = next.place - line.position(at: next.at)
    let correction = drift.correct(
      error: error, rate: line.anchor.rate,
      seekCost: seekCost.cautious + max(startCost.likely, .zero), at: next.at)
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

  /// What is left of a start's error, once it shows, is what the start really cost.
  private mutating func learnStart(error: Duration, rate: Rate) {
    guard let start else { return }
    self.start = nil
    // More than half a second is trouble of another kind.
    guard error.magnitude <= .milliseconds(500) else { return }
    startCost.learn(start.assumedCost - rate.time(for: error) - start.lateness)
  }

  private mutating func status(_ error: Duration, at now: HostTime) -> [Output] {
    if let statusAt, now - statusAt < .seconds(1) { return [] }
    statusAt = now
    return [.status(error: error)]
  }

  /// Two readings after a command that show what it asked for prove that it was carried out, so
  /// whatever the player says from now on is somebody else's doing.
  private mutating func noteMotion(from earlier: Reading?, to later: Reading) {
    guard !echoes.isEmpty, let earlier, let commandedAt, earlier.at > commandedAt,
      later.at - earlier.at >= .milliseconds(50)
    else { return }
    let moved = (later.place - earlier.place).magnitude > .milliseconds(10)
    if moved == isRunning { echoes.removeAll() }
  }
}

/// When the player steps out by itself, other than for trouble: for an advertisement, and for a
/// speed that it does not have.
extension Follower {
  /// Steps out where an advertisement stitched into the item begins, and back in behind it.
  ///
  /// In one the player is left to itself: nobody skips it, and nothing pulls at it.
  ///
  /// - Returns: what is to be done; `nil` where the place is none of an advertisement's business.
  mutating func passInterstitial(at place: MediaTime, at now: HostTime) -> [Output]? {
    guard let timeline else { return nil }
    let range = timeline.interstitials.range(at: place)
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

  /// Steps out while the group runs at a speed that this player does not have, instead of
  /// seeking after it for ever.
  ///
  /// - Returns: what is to be done; `nil` where speed is no obstacle.
  mutating func stepOutForRate(at now: HostTime) -> [Output]? {
    guard lacksRate else { return nil }
    let outputs = leaveAlone(at: now)
    ownSuspension = .coordinatedPlaybackNotPossible
    return outputs + [.suspend(.coordinatedPlaybackNotPossible)]
  }

  /// Steps back in once the group runs at a speed that this player has.
  mutating func stepInForRate() -> [Output] {
    // A retreat ends by its own time, and an item that failed with the next one.
    guard ownSuspension == .coordinatedPlaybackNotPossible, retreatEnds == nil, item != nil,
      !lacksRate
    else { return [] }
    line = nil
    return endOwnSuspension()
  }

  private var lacksRate: Bool {
    guard let item, let timeline else { return false }
    return !item.canChangeRate && timeline.rate != .normal
  }
}

/// A running timeline in this process's own time: where its player should be, and when.
struct LocalLine: Equatable, Sendable {
  let anchor: TimelineAnchor
  let clock: ClockEstimate
  let duration: Duration?
  /// How much later than the player says its sound and picture come out: the player runs ahead by
  /// as much.
  let playerOffset: Duration

  /// The moment at which the player should show the anchor's place.
  var start: HostTime { clock.hostTime(of: anchor.at) - playerOffset }

  /// The place at which the player should be; before the start it is the anchor's.
  func position(at time: HostTime) -> MediaTime {
    let place = anchor.position(at: clock.instant(at: time + playerOffset))
    let end = duration.map { MediaTime.zero + $0 } ?? MediaTime(microseconds: .max)
    return min(max(place, .zero), end)
  }

  /// The moment at which the player should be at a place.
  func moment(of place: MediaTime) -> HostTime {
    clock.hostTime(of: anchor.instant(of: place)) - playerOffset
  }
}
