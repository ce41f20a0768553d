import Playback
import Vocabulary

/// Derives commands from the timeline and from the commands already given to the player.
extension Follower {
  /// Outputs the commands that bring the player to the timeline; none if it is there.
  mutating func steer(at now: HostTime) -> [Output] {
    guard item != nil, !isDetached, let timeline, let clock else { return [] }
    switch timeline.phase {
    case .paused(let position): return rest(at: showable(position), at: now)
    case .ended(let position): return stop(at: position, at: now)
    case .preparing(let barrier):
      if let outputs = stepOutForRate(at: now) { return outputs }
      return rest(at: showable(barrier.from), at: now) + reportReady()
    case .playing(let anchor):
      if let outputs = stepOutForRate(at: now) { return outputs }
      let line = localLine(anchor, clock: clock)
      guard seek == nil, !hasEnded else { return [] }
      return isRunning ? runOn(line, at: now) : start(on: line, at: now)
    }
  }

  /// Brings the player to the timeline as if its position were unknown.
  ///
  /// While a seek is under way this waits for its end, which would otherwise be taken for a later
  /// seek's.
  mutating func reapply(at now: HostTime) -> [Output] {
    guard item != nil, !isDetached, timeline != nil else { return [] }
    reappliesLater = seek != nil
    guard seek == nil else { return [] }
    // A player that is paused already does not echo this command, so no echo is expected.
    let outputs = isRunning ? pause(at: now) : [.player(.pause)]
    (landing, line, attempts) = (nil, nil, 0)
    return outputs + steer(at: now)
  }

  /// The nearest position at which a player can show a frame.
  ///
  /// Players end instead when they seek to the very end.
  private func showable(_ position: MediaTime) -> MediaTime {
    guard let duration else { return max(position, .zero) }
    return max(min(position, .zero + duration - .milliseconds(40)), .zero)
  }

  /// Pauses, and seeks to the position unless an earlier seek led there.
  private mutating func rest(at target: MediaTime, at now: HostTime) -> [Output] {
    let outputs = pause(at: now)
    stage = .resting
    guard seek == nil, !stands(at: target) else { return outputs }
    return outputs + [goTo(target, at: now)]
  }

  /// Pauses at the end; seeks there only from over 1 s away, where another frame would remain
  /// visible.
  private mutating func stop(at end: MediaTime, at now: HostTime) -> [Output] {
    let believed = believedPosition(at: now)
    let outputs = pause(at: now)
    stage = .resting
    let target = showable(end)
    guard seek == nil, !stands(at: target) else { return outputs }
    if let believed, (end - believed).magnitude <= .seconds(1) { return outputs }
    return outputs + [goTo(target, at: now)]
  }

  /// Whether a paused player shows the frame of a position.
  ///
  /// Only a seek guarantees this: two players that were paused during playback may show
  /// neighboring frames although their clocks agree. The landing position of a seek to this target
  /// always counts as correct, so the same seek is never repeated.
  private func stands(at target: MediaTime) -> Bool {
    guard let landing else { return false }
    return landing.target == target || (landing.position - target).magnitude <= .milliseconds(1)
  }

  /// Answers the barrier once: the player is positioned, buffered and able to start.
  private mutating func reportReady() -> [Output] {
    guard owesReady, seek == nil, let timeline else { return [] }
    owesReady = false
    return [.report(.ready(seq: timeline.seq))]
  }

  /// Starts a paused player so that it plays on the line, or positions it first.
  private mutating func start(on line: LocalLine, at now: HostTime) -> [Output] {
    if let duration, line.position(at: now) >= .zero + duration - .milliseconds(500) {
      // The rest is too short to be worth a start: the group ends without this player.
      stage = .resting
      return []
    }
    guard let landing else { return seekAhead(on: line, at: now) }
    let due = line.moment(of: landing.position) - startCost.likely
    let lateness = now - due
    if lateness < .zero {
      let groupWaits = max(line.start - now, .zero)
      let isSoon = due - now <= groupWaits + Self.longestWait
      // Each further seek gets more time and so lands further ahead; the limit of attempts stops
      // this.
      guard isSoon || attempts >= Self.seekAttempts else {
        return seekAhead(on: line, at: now)
      }
      stage = .waiting(until: due)
      return []
    }
    guard lateness <= Self.tolerableLateness || attempts >= Self.seekAttempts else {
      return seekAhead(on: line, at: now)
    }
    // Over a quarter of a second a rate would take many seconds. A late timer is no reason to seek:
    // the next start would be as late.
    let error = .zero - line.anchor.rate.media(in: lateness)
    if error.magnitude > Self.tolerableTurn, !isWaiting,
      case .seek(let lead) = drift.jump(cost: costOfMoving, at: now)
    {
      return [.correction(.seek(leadingBy: lead), error: error)] + seekAhead(on: line, at: now)
    }
    return run(on: line, from: landing.position, lateness: lateness, at: now)
  }

  private var isWaiting: Bool { if case .waiting = stage { true } else { false } }

  /// The learned time from a seek's command to a start behind it.
  var costOfMoving: Duration { seekCost.cautious + max(startCost.likely, .zero) }

  /// Seeks to the group's position at the time when the seek is over and the player can start.
  mutating func seekAhead(on line: LocalLine, at now: HostTime) -> [Output] {
    // Landing ahead costs only a wait, but landing behind, by a frame's length or more, costs another
    // seek. Each further attempt gets 100 ms more.
    let margin = Duration.milliseconds(60 + 100 * attempts)
    let lead = costOfMoving + margin
    attempts += 1
    stage = .idle
    return [goTo(showable(line.position(at: now + lead)), at: now)]
  }

  private mutating func run(
    on line: LocalLine, from position: MediaTime, lateness: Duration, at now: HostTime
  ) -> [Output] {
    isRunning = true
    expect(.unpaused, at: now)
    rate = line.anchor.rate.factor
    start = Start(assumedCost: startCost.likely, lateness: lateness)
    reading = Reading(position: position, at: now + startCost.likely)
    landing = nil
    self.line = line
    attempts = 0
    stage = .running
    drift.reset(at: now)
    let play = Output.player(.play(rate: rate))
    guard lateness > .milliseconds(5) else { return [play] }
    return [play, .correction(.startedLate, error: .zero - line.anchor.rate.media(in: lateness))]
  }

  /// Keeps a playing player on its line, or moves it to a new one.
  private mutating func runOn(_ next: LocalLine, at now: HostTime) -> [Output] {
    if case .running = stage, let line, line.anchor == next.anchor {
      self.line = next
      return []
    }
    if case .turning(let awaited) = stage, awaited.anchor == next.anchor {
      stage = .turning(into: next)
      return []
    }
    let meeting = max(now, next.start)
    guard let believed = believedPosition(at: meeting) else { return [] }
    guard (believed - next.position(at: meeting)).magnitude <= Self.tolerableTurn else {
      let outputs = pause(at: now)
      return outputs + seekAhead(on: next, at: now)
    }
    guard next.start > now else { return take(next, at: now) }
    stage = .turning(into: next)
    let isTrimmed = drift.factor != 1
    drift.reset(at: now)
    guard isTrimmed, let line else { return [] }
    return setRate(line.anchor.rate.factor)
  }

  /// Switches to a line whose start has come, at exactly its rate.
  mutating func take(_ next: LocalLine, at now: HostTime) -> [Output] {
    if let believed = believedPosition(at: now) { reading = Reading(position: believed, at: now) }
    line = next
    stage = .running
    drift.reset(at: now)
    return setRate(next.anchor.rate.factor)
  }

  /// Pauses a playing player; outputs nothing if it is paused already.
  mutating func pause(at now: HostTime) -> [Output] {
    let isTrimmed = drift.factor != 1
    drift.reset(at: now)
    start = nil
    guard isRunning else { return [] }
    if let believed = believedPosition(at: now) { reading = Reading(position: believed, at: now) }
    isRunning = false
    landing = nil
    expect(.paused, at: now)
    guard isTrimmed, let line else { return [.player(.pause)] }
    return [.player(.pause)] + setRate(line.anchor.rate.factor)
  }

  private mutating func goTo(_ target: MediaTime, at now: HostTime) -> Output {
    seek = Seek(target: target, asked: now)
    landing = nil
    reading = nil
    return .player(.seek(to: target))
  }

  /// Sets the rate, or the nearest one that the player has: a trim at the end of its range leads
  /// beyond it.
  mutating func setRate(_ wanted: Double) -> [Output] {
    let factor = item.map { wanted.clamped(to: $0.rates) } ?? wanted
    guard factor != rate else { return [] }
    rate = factor
    return [.player(.setRate(factor))]
  }

  private mutating func expect(_ echo: Echo, at now: HostTime) {
    // Limits the list for a player that never echoes; only the last few echoes can still arrive.
    if echoes.count >= 8 { echoes.removeFirst() }
    echoes.append(echo)
    commandedAt = now
  }
}

extension Double {
  /// The nearest factor in a range of rates.
  fileprivate func clamped(to rates: ClosedRange<Rate>) -> Double {
    Swift.min(Swift.max(self, rates.lowerBound.factor), rates.upperBound.factor)
  }
}
