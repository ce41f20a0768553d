package import Vocabulary

/// A simulated player with the timing of a real one; it plays nothing.
///
/// Drive it like a follower: pass commands to ``handle(_:at:)``. Call ``advance(to:)`` for its
/// events after every command and once ``nextDeadline`` has passed. Ask it for a position about
/// every 100 ms.
package struct SimulatedPlayer: Equatable, Sendable {
  /// A key that a person presses on the player itself.
  package enum Key: Equatable, Sendable {
    /// Plays from the current position.
    case play
    /// Pauses at the current position.
    case pause
    /// Seeks to this position.
    case seek(to: MediaTime)
    /// Sets the rate to this factor of normal speed.
    case rate(Double)
  }

  private enum Effect: Equatable, Sendable {
    case load
    case obey(PlayerCommand)
    case move
    case land(MediaTime)
    case recover
  }

  private struct Pending: Equatable, Sendable {
    let at: HostTime
    let effect: Effect
  }

  /// The player's characteristics; may be changed while it runs.
  package var traits: PlayerTraits
  private var noise: SplitMix64
  private var pending: [Pending] = []
  private var events: [PlayerEvent] = []
  private var isLoaded = false
  private var isStalled = false
  private var isSeeking = false
  /// Whether the last command left it paused.
  package private(set) var isPaused = true
  /// The factor of normal speed at which it plays, or will play once started.
  package private(set) var rate = 1.0
  private var base = MediaTime.zero
  private var movesSince: HostTime?

  /// A player that starts to load its item at this time.
  package init(_ traits: PlayerTraits = PlayerTraits(), seed: UInt64, at now: HostTime) {
    self.traits = traits
    noise = SplitMix64(seed: seed)
    schedule(.load, at: now + traits.loadTime)
  }

  /// When ``advance(to:)`` has new events; `nil` while nothing is scheduled.
  package var nextDeadline: HostTime? {
    [pending.map(\.at).min(), end].compactMap { $0 }.min()
  }

  /// The true position.
  package func position(at now: HostTime) -> MediaTime {
    guard let movesSince, now > movesSince else { return base }
    return min(base + (now - movesSince) * speed, .zero + traits.duration)
  }

  /// The start of the frame on the screen.
  package func shownFrame(at now: HostTime) -> MediaTime {
    let frame = max(traits.frame.microseconds, 1)
    return MediaTime(microseconds: position(at: now).microseconds / frame * frame)
  }

  /// The reported position, as a shell would read it, with the player's noise.
  package mutating func reading(at now: HostTime) -> PlayerEvent {
    let actual = traits.readsFrames ? shownFrame(at: now) : position(at: now)
    let blur = movesSince == nil ? .zero : noise.normal(deviation: traits.noise)
    return .position(max(actual + blur, .zero), at: now)
  }

  /// Handles a command.
  package mutating func handle(_ command: PlayerCommand, at now: HostTime) {
    guard traits.commandLatency > .zero else { return obey(command, at: now) }
    schedule(.obey(command), at: now + traits.commandLatency)
  }

  /// Handles a person's key press; its events look like those of a command.
  package mutating func press(_ key: Key, at now: HostTime) {
    switch key {
    case .play: obey(.play(rate: rate), at: now)
    case .pause: obey(.pause, at: now)
    case .seek(let target):
      events.append(.seeked(to: target))
      obey(.seek(to: target), at: now)
    case .rate(let rate):
      guard rate != self.rate, traits.has(rate) else { return }
      obey(.setRate(rate), at: now)
      events.append(.rateChanged(rate))
    }
  }

  /// Runs out of data for a while.
  package mutating func stall(for duration: Duration, at now: HostTime) {
    guard !isStalled else { return }
    hold(at: now)
    isStalled = true
    events.append(.stalled)
    schedule(.recover, at: now + duration)
  }

  /// Advances to a time and returns the events up to it.
  package mutating func advance(to now: HostTime) -> [PlayerEvent] {
    while let next = pending.first, next.at <= now {
      pending.removeFirst()
      carryOut(next.effect, at: next.at)
    }
    if let end, end <= now {
      hold(at: end)
      isPaused = true
      events += [.ended, .paused]
    }
    defer { events.removeAll() }
    return events
  }

  private var speed: Double {
    (rate == 1 ? 1 : rate * (1 + traits.rateError)) * (1 + traits.clockError / 1_000_000)
  }

  private var end: HostTime? {
    movesSince.map { $0 + (.zero + traits.duration - base) * (1 / speed) + .microseconds(1) }
  }

  private mutating func schedule(_ effect: Effect, at moment: HostTime) {
    let index = pending.firstIndex { $0.at > moment } ?? pending.endIndex
    pending.insert(Pending(at: moment, effect: effect), at: index)
  }

  private mutating func carryOut(_ effect: Effect, at now: HostTime) {
    switch effect {
    case .load:
      isLoaded = true
      events.append(
        .loaded(
          duration: traits.duration, rates: traits.rates,
          measurementNoise: traits.readsFrames
            ? max(traits.noise, traits.frame * 0.3) : traits.noise))
    case .obey(let command): obey(command, at: now)
    case .move: move(from: now)
    case .land(let target):
      isSeeking = false
      base = landing(target)
      events.append(.seekFinished(at: base))
      move(from: now)
    case .recover:
      isStalled = false
      events.append(.recovered)
      move(from: now)
    }
  }

  private mutating func obey(_ command: PlayerCommand, at now: HostTime) {
    guard isLoaded else { return }
    switch command {
    case .play(let rate):
      change(rate: rate, at: now)
      guard isPaused else { return }
      isPaused = false
      events.append(.unpaused)
      schedule(.move, at: now + traits.startCost)
    case .pause:
      guard !isPaused else { return }
      hold(at: now)
      isPaused = true
      events.append(.paused)
    case .seek(let target):
      hold(at: now)
      isSeeking = true
      pending.removeAll { if case .land = $0.effect { true } else { false } }
      schedule(.land(target), at: now + traits.seekCost + noise.uniform(below: traits.seekSpread))
    case .setRate(let rate): change(rate: rate, at: now)
    }
  }

  private mutating func change(rate next: Double, at now: HostTime) {
    guard next != rate, traits.has(next) else { return }
    if movesSince != nil {
      base = position(at: now)
      movesSince = now
    }
    rate = next
  }

  /// Stops the media at the current position.
  private mutating func hold(at now: HostTime) {
    base = position(at: now)
    movesSince = nil
    pending.removeAll { $0.effect == .move }
  }

  private mutating func move(from now: HostTime) {
    guard !isPaused, !isStalled, !isSeeking, movesSince == nil else { return }
    movesSince = now
  }

  private func landing(_ target: MediaTime) -> MediaTime {
    let frame = max(traits.frame.microseconds, 1)
    let inside = max(min(target, .zero + traits.duration), .zero).microseconds
    let frames = (inside + frame - 1) / frame
    return min(MediaTime(microseconds: frames * frame), .zero + traits.duration)
  }
}

// Random values for tests of player and network jitter; the seed makes them reproducible.
extension SplitMix64 {
  /// A random duration around zero with this standard deviation.
  ///
  /// The sum of twelve uniform values approximates the normal distribution.
  package mutating func normal(deviation: Duration) -> Duration {
    let sum = (0..<12).reduce(-6.0) { sum, _ in
      sum + Double(next() >> 11) / 9_007_199_254_740_992
    }
    return deviation * sum
  }

  /// A random duration between zero and `limit`, uniformly distributed.
  package mutating func uniform(below limit: Duration) -> Duration {
    limit * (Double(next() >> 11) / 9_007_199_254_740_992)
  }
}
