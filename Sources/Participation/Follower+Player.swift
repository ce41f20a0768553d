import Playback
import Vocabulary

/// What the player's events mean: echoes of our commands, a person's keys, or trouble.
extension Follower {
  mutating func handle(_ event: PlayerEvent, at now: HostTime) -> [Output] {
    switch event {
    case .loaded(let duration, let canChangeRate, let noise):
      return load(
        LoadedItem(duration: duration, canChangeRate: canChangeRate), noise: noise, at: now)
    case .position(let place, let moment):
      return read(Reading(place: place, at: moment), at: now)
    case .paused: return hearPaused(at: now)
    case .unpaused: return hearUnpaused(at: now)
    case .seeked(let target): return hearSeek(to: target, at: now)
    case .seekFinished(let landed): return finishSeek(at: landed, at: now)
    case .rateChanged(let factor): return hearRate(factor, at: now)
    case .stalled: return stall(at: now)
    case .recovered: return recover(at: now)
    case .seekWindow: return []
    case .ended:
      (isRunning, hasEnded) = (false, true)
      if let duration { reading = Reading(place: .zero + duration, at: now) }
      _ = leaveAlone(at: now)
      let outputs = ownSuspension == .playingInterstitial ? endOwnSuspension() : []
      return outputs + (timeline.map { [.report(.ended(seq: $0.seq))] } ?? [])
    case .failed:
      item = nil
      let outputs = leaveAlone(at: now)
      guard ownSuspension == nil else { return outputs }
      ownSuspension = .coordinatedPlaybackNotPossible
      return outputs + [.suspend(.coordinatedPlaybackNotPossible)]
    }
  }

  private mutating func load(_ item: LoadedItem, noise: Duration, at now: HostTime) -> [Output] {
    self.item = item
    drift = DriftController(measurementNoise: noise, canChangeRate: item.canChangeRate)
    (isRunning, isStalled, hasEnded, rate, echoes) = (false, false, false, 1, [])
    (seek, place, reading, line, retreatEnds) = (nil, nil, nil, nil, nil)
    abandonedSeeks = []
    (stage, reappliesLater) = (.idle, false)
    let outputs = endOwnSuspension()
    return outputs + catchUp(at: now)
  }

  // MARK: A person's keys, told from echoes by what the player was asked

  private mutating func hearPaused(at now: HostTime) -> [Output] {
    guard !isEcho(.paused), isRunning else { return [] }
    let believed = believedPlace(at: now)
    isRunning = false
    place = nil
    // Players pause themselves at the end; that is no one's wish.
    if let believed, let duration, believed >= .zero + duration - .milliseconds(250) {
      return leaveAlone(at: now)
    }
    guard !isDetached, timeline != nil, let believed else { return [] }
    reading = Reading(place: believed, at: now)
    let outputs = yield(at: now)
    return outputs + [.intent(.pause(at: heard(believed)))]
  }

  private mutating func hearUnpaused(at now: HostTime) -> [Output] {
    guard !isEcho(.unpaused), !isRunning else { return [] }
    isRunning = true
    place = nil
    guard !isDetached, let timeline else { return [] }
    // Nobody starts alone: it stands still until the group starts together.
    let outputs = pause(at: now)
    if case .playing = timeline.phase { return outputs + steer(at: now) }
    return outputs + yield(at: now) + [.intent(.play)]
  }

  private mutating func hearSeek(to target: MediaTime, at now: HostTime) -> [Output] {
    if let seek, (seek.target - target).magnitude <= .milliseconds(500) { return [] }
    place = nil
    reading = nil
    seek = Seek(target: target, asked: now)
    guard !isDetached, timeline != nil else { return [] }
    let outputs = yield(at: now)
    return outputs + [.intent(.seek(to: isRunning ? heard(target) : target))]
  }

  private mutating func hearRate(_ factor: Double, at now: HostTime) -> [Output] {
    guard factor != rate, factor > 0 else { return [] }
    if let believed = believedPlace(at: now) { reading = Reading(place: believed, at: now) }
    let wanted = personsRate(factor)
    rate = factor
    // Whatever trim was on is gone.
    drift.reset(at: now)
    guard !isDetached, let timeline else { return [] }
    guard wanted != timeline.rate else { return setRate(wanted.factor) }
    start = nil
    stage = .yielded(until: now + Self.patience)
    return [.intent(.setRate(wanted))]
  }

  /// The rate a person means by what the player runs at since.
  ///
  /// Keys multiply whatever the player ran at, trim and all, so the trim is taken out again; but
  /// quarters are typed, or the key for normal speed. In hundredths, within what groups can play.
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
    reading = Reading(place: landed, at: now)
    place = isRunning ? nil : Place(target: seek.target, landed: landed)
    guard !isYielded else { return [] }
    seekCost.learn(now - seek.asked)
    return reappliesLater ? reapply(at: now) : catchUp(at: now)
  }

  /// Whether a seek that ended is one that timed out earlier, not the current one.
  ///
  /// A player on a busy machine reports the end of a seek after the next one was asked for.
  private mutating func endsAbandonedSeek(at landed: MediaTime) -> Bool {
    func isThere(_ target: MediaTime) -> Bool {
      (target - landed).magnitude <= .milliseconds(500)
    }
    if let seek, isThere(seek.target) { return false }
    guard let index = abandonedSeeks.firstIndex(where: isThere) else { return false }
    abandonedSeeks.remove(at: index)
    return true
  }

  /// Whether an event is what an own command led to; earlier commands' echoes were swallowed then.
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

  /// What a person sees and hears when the player says `place`.
  private func heard(_ place: MediaTime) -> MediaTime {
    max(place - playerOffset * rate, .zero)
  }

  // MARK: Trouble

  private mutating func stall(at now: HostTime) -> [Output] {
    guard !isStalled else { return [] }
    if let believed = believedPlace(at: now) { reading = Reading(place: believed, at: now) }
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

  /// Steers, and pays a report that a barrier waited for in vain: it ends the suspension that the
  /// server made for whoever missed the barrier.
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
