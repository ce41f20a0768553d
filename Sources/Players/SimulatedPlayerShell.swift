package import EventLoops
package import Participation
package import Vocabulary

/// Runs a ``SimulatedPlayer`` on a loop's time, for demonstrations and tests without media.
///
/// Every URL opens.
package final class SimulatedPlayerShell: Player {
  private let loop: EventLoop
  private let traits: PlayerTraits
  private let seed: UInt64
  private var delegate: (any PlayerDelegate)?
  private var timer: LoopTimer?
  private var player: SimulatedPlayer?
  /// The start position, and the `.loaded` event to send once it is reached.
  private var start: (position: MediaTime, loaded: PlayerEvent?)?
  private var isLoaded = false
  private var movesSince: HostTime?
  private var nextPoll: HostTime?

  /// Makes a player without an item.
  ///
  /// - Parameters:
  ///   - traits: the player's properties.
  ///   - seed: the seed of its randomness.
  ///   - loop: the loop whose time it uses.
  ///   - delegate: kept until ``close()``.
  package init(
    _ traits: PlayerTraits = PlayerTraits(), seed: UInt64, on loop: EventLoop,
    delegate: any PlayerDelegate
  ) {
    self.traits = traits
    self.seed = seed
    self.loop = loop
    self.delegate = delegate
    timer = LoopTimer(on: loop) { [weak self] in self?.advance() }
  }

  /// See ``Player/load(_:startingAt:)``.
  package func load(_ url: String, startingAt position: MediaTime?) {
    guard delegate != nil else { return }
    unload()
    player = SimulatedPlayer(traits, seed: seed, at: loop.now)
    start = position.map { ($0, nil) }
    advance()
  }

  /// See ``Player/perform(_:)``.
  package func perform(_ command: PlayerCommand) {
    guard isLoaded else { return }
    player?.handle(command, at: loop.now)
    // Reported in the loop's next turn like by a real player, never during this call.
    timer?.fire(at: loop.now)
  }

  /// See ``Player/unload()``.
  package func unload() {
    (player, start, isLoaded, movesSince, nextPoll) = (nil, nil, false, nil, nil)
    timer?.fire(at: nil)
  }

  /// See ``Player/close()``.
  package func close() {
    delegate = nil
    timer?.close()
    timer = nil
    unload()
  }

  /// The exact position; nil without an item.
  package func position(at moment: HostTime) -> MediaTime? { player?.position(at: moment) }

  /// Acts like a person's key at the player.
  package func press(_ key: SimulatedPlayer.Key) {
    guard isLoaded else { return }
    player?.press(key, at: loop.now)
    timer?.fire(at: loop.now)
  }

  /// Makes the player run out of data for a while.
  package func stall(for duration: Duration) {
    guard isLoaded else { return }
    player?.stall(for: duration, at: loop.now)
    timer?.fire(at: loop.now)
  }

  private func advance() {
    let now = loop.now
    var events = player?.advance(to: now) ?? []
    if let due = nextPoll, due <= now, let reading = player?.reading(at: now) {
      nextPoll = nil
      events.append(reading)
    }
    for event in events { tell(event, at: now) }
    guard let player else { return }
    schedulePoll(at: now)
    timer?.fire(at: [player.nextDeadline, nextPoll].compactMap { $0 }.min())
  }

  private func tell(_ event: PlayerEvent, at now: HostTime) {
    switch (event, start) {
    case (.loaded, let start?):
      self.start = (start.position, event)
      player?.handle(.seek(to: start.position), at: now)
    case (.seekFinished(let position), let start?):
      guard let loaded = start.loaded else { return }
      self.start = nil
      isLoaded = true
      delegate?.player(self, didSend: loaded, at: now)
      delegate?.player(self, didSend: .position(position, at: now), at: now)
    case (.loaded, nil):
      isLoaded = true
      delegate?.player(self, didSend: event, at: now)
      delegate?.player(self, didSend: .position(.zero, at: now), at: now)
    default: delegate?.player(self, didSend: event, at: now)
    }
  }

  private func schedulePoll(at now: HostTime) {
    guard isLoaded, let player, !player.isPaused else { return (movesSince, nextPoll) = (nil, nil) }
    let since = movesSince ?? now
    movesSince = since
    nextPoll = nextPoll ?? now + PositionPolling.interval(movingFor: now - since)
  }
}

@available(*, unavailable)
extension SimulatedPlayerShell: Sendable {}
