import Playback
import Vocabulary

/// Interprets the player's events: echoes of commands, a person's key presses, or faults.
extension Follower {
  mutating func handle(_ event: PlayerEvent, at now: HostTime) -> [Output] {
    switch event {
    case .loaded(let duration, let rates, let noise):
      return load(LoadedItem(duration: duration, rates: rates), noise: noise, at: now)
    case .position(let position, let moment):
      return read(Reading(position: position, at: moment), at: now)
    case .paused: return hearPaused(at: now)
    case .unpaused: return hearUnpaused(at: now)
    case .seeked(let target): return hearSeek(to: target, at: now)
    case .seekFinished(let landed): return finishSeek(at: landed, at: now)
    case .rateChanged(let factor): return hearRate(factor, at: now)
    case .stalled: return stall(at: now)
    case .recovered: return recover(at: now)
    case .seekWindow: return []
    case .ended: return end(at: now)
    case .failed:
      (item, retreatEnds) = (nil, nil)
      let outputs = leaveAlone(at: now)
      guard ownSuspension == nil else { return outputs }
      ownSuspension = .coordinatedPlaybackNotPossible
      return outputs + [.suspend(.coordinatedPlaybackNotPossible)]
    }
  }

  private mutating func load(_ item: LoadedItem, noise: Duration, at now: HostTime) -> [Output] {
    self.item = item
    drift = DriftController(
      measurementNoise: noise, canChangeRate: item.rates.lowerBound < item.rates.upperBound)
    (isRunning, isStalled, hasEnded, rate, echoes) = (false, false, false, 1, [])
    (seek, landing, reading, line, retreatEnds) = (nil, nil, nil, nil, nil)
    abandonedSeeks = []
    (stage, reappliesLater) = (.idle, false)
    let outputs = endOwnSuspension()
    return outputs + catchUp(at: now)
  }

  /// Pauses the player at its end.
  ///
  /// Some pause themselves only a moment later, and play on if a seek leads away before that.
  private mutating func end(at now: HostTime) -> [Output] {
    var outputs = pause(at: now)
    (hasEnded, isStalled) = (true, false)
    if let duration { reading = Reading(position: .zero + duration, at: now) }
    outputs += leaveAlone(at: now)
    // A player that waits for its last bytes ends without saying that it has recovered.
    if ownSuspension == .playingInterstitial || ownSuspension == .stallRecovery {
      outputs += endOwnSuspension()
    }
    return outputs + (timeline.map { [.report(.ended(seq: $0.seq))] } ?? [])
  }

  // MARK: A person's key presses, distinguished from echoes of the follower's commands

  private mutating func hearPaused(at now: HostTime) -> [Output] {
    guard !isEcho(.paused), isRunning else { return [] }
    let believed = believedPosition(at: now)
    isRunning = false
    landing = nil
    // Players pause themselves at the end, so this is not a person's request.
    if let believed, let duration, believed >= .zero + duration - .milliseconds(250) {
      return leaveAlone(at: now)
    }
    guard !isDetached, timeline != nil, let believed else { return [] }
    reading = Reading(position: believed, at: now)
    let outputs = yield(at: now)
    return outputs + [.intent(.pause(at: heard(believed)))]
  }

  private mutating func hearUnpaused(at now: HostTime) -> [Output] {
    guard !isEcho(.unpaused), !isRunning else { return [] }
    isRunning = true
    landing = nil
    guard !isDetached, let timeline else { return [] }
    // No member starts alone: the player stays paused until the group starts together.
    let outputs = pause(at: now)
    if case .playing = timeline.phase { return outputs + steer(at: now) }
    return outputs + yield(at: now) + [.intent(.play)]
  }

  private mutating func hearSeek(to target: MediaTime, at now: HostTime) -> [Output] {
    if let seek, (seek.target - target).magnitude <= .milliseconds(500) { return [] }
    landing = nil
    reading = nil
    seek = Seek(target: target, asked: now)
    guard !isDetached, timeline != nil else { return [] }
    let outputs = yield(at: now)
    return outputs + [.intent(.seek(to: isRunning ? heard(target) : target))]
  }

  private mutating func hearRate(_ factor: Double, at now: HostTime) -> [Output] {
    guard factor != rate, factor > 0 else { return [] }
    if let believed = believedPosition(at: now) { reading = Reading(position: believed, at: now) }
    let wanted = personsRate(factor)
    rate = factor
    // The new rate replaces any trim.
    drift.reset(at: now)
    guard !isDetached, let timeline else { return [] }
    guard wanted != timeline.rate else { return setRate(wanted.factor) }
    start = nil
    stage = .yielded(until: now + Self.patience)
    return [.intent(.setRate(wanted))]
  }

  /// The rate that a person wants, derived from the player's new rate.
  ///
  /// A key multiplies the current rate, including its trim, so the trim is divided out. Multiples
  /// of 0.25 are kept as they are: they were typed, or come from the key for normal speed. The
  /// result is rounded to 0.01 and limited to the rates that a group supports.
  private func personsRate(_ factor: Double) -> Rate {
    let isRound = abs(factor * 4 - (factor * 4).rounded()) < 0.000_01
    let plain = isRound ? factor : factor / drift.factor
    let rounded = (plain * 100).rounded() / 100
    let allowed = min(max(rounded, Rate.slowest.factor), Rate.fastest.factor)
    return Rate(allowed) ?? .normal
  }

  private mutating func finishSeek(at landed: MediaTime, at now: HostTime) -> [Output] {
    guard !endsAbandonedSeek(at: landed) else { return [] }
    guard let seek else {
      let outputs = hearSeek(to: landed, at: now)
      return outputs + finishSeek(at: landed, at: now)
    }
    self.seek = nil
    reading = Reading(position: landed, at: now)
    landing = isRunning ? nil : Landing(target: seek.target, position: landed)
    guard !isYielded else { return [] }
    seekCost.learn(now - seek.asked)
    return reappliesLater ? reapply(at: now) : catchUp(at: now)
  }

  /// Whether this end belongs to a seek that timed out earlier, not to the current one.
  ///
  /// A player on a busy machine may report the end of a seek after the next one was requested.
  private mutating func endsAbandonedSeek(at landed: MediaTime) -> Bool {
    func isThere(_ target: MediaTime) -> Bool {
      (target - landed).magnitude <= .milliseconds(500)
    }
    if let seek, isThere(seek.target) { return false }
    guard let index = abandonedSeeks.firstIndex(where: isThere) else { return false }
    abandonedSeeks.remove(at: index)
    return true
  }

  /// Whether an event echoes the follower's own command; also discards the echoes of earlier
  /// commands.
  private mutating func isEcho(_ echo: Echo) -> Bool {
    guard let index = echoes.firstIndex(of: echo) else { return false }
    echoes.removeSubrange(...index)
    return true
  }

  private mutating func yield(at now: HostTime) -> [Output] {
    let outputs = leaveAlone(at: now)
    stage = .yielded(until: now + Self.patience)
    return outputs
  }

  /// The position that a person sees and hears when the player reports `position`.
  private func heard(_ position: MediaTime) -> MediaTime {
    max(position - playerOffset * rate, .zero)
  }

  // MARK: Faults

  private mutating func stall(at now: HostTime) -> [Output] {
    guard !isStalled else { return [] }
    if let believed = believedPosition(at: now) { reading = Reading(position: believed, at: now) }
    let isExpectedToRun: Bool =
      switch timeline?.phase {
      case .playing: true
      case .preparing: !owesReady
      case .paused, .ended, nil: false
      }
    let needsSuspension = isExpectedToRun && !isDetached
    isStalled = true
    let outputs = leaveAlone(at: now)
    guard needsSuspension else { return outputs }
    ownSuspension = .stallRecovery
    return outputs + [.suspend(.stallRecovery)]
  }

  private mutating func recover(at now: HostTime) -> [Output] {
    guard isStalled else { return [] }
    isStalled = false
    reading?.at = now
    line = nil
    let outputs = ownSuspension == .stallRecovery ? endOwnSuspension() : []
    return outputs + catchUp(at: now)
  }

  /// Tries again after the retreat of a player that could not keep up.
  mutating func comeBack(at now: HostTime) -> [Output] {
    retreatEnds = nil
    line = nil
    attempts = 0
    let outputs = endOwnSuspension()
    return outputs + catchUp(at: now)
  }

  mutating func endOwnSuspension() -> [Output] {
    guard ownSuspension != nil else { return [] }
    ownSuspension = nil
    return [.endSuspension]
  }

  /// Steers, and sends the ready report that a barrier may have missed.
  ///
  /// The report ends the suspension that the server imposed when this participant missed the
  /// barrier.
  mutating func catchUp(at now: HostTime) -> [Output] {
    let outputs = steer(at: now)
    guard owesReady, seek == nil, !isStalled, ownSuspension == nil, item != nil, let timeline else {
      return outputs
    }
    switch timeline.phase {
    case .paused, .ended: return outputs
    case .preparing, .playing:
      owesReady = false
      return [.report(.ready(seq: timeline.seq))] + outputs
    }
  }
}
