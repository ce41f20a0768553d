package import EventLoops
package import Participation
package import Vocabulary

/// A ``SimulatedPlayer`` on a loop's own time: a player for demonstrations and tests without media.
///
/// Every URL opens.
package final class SimulatedPlayerShell: Player {
  private let loop: EventLoop
  private let traits: PlayerTraits
  private let seed: UInt64
  private var delegate: (any PlayerDelegate)?
  private var timer: LoopTimer?
  private var player: SimulatedPlayer?
  /// Where to begin, and the message to be sent once it stands there.
  private var start: (place: MediaTime, loaded: PlayerEvent?)?
  private var isLoaded = false
  private var movesSince: HostTime?
  private var nextPoll: HostTime?

  /// Makes a player with nothing to play.
  ///
  /// - Parameters:
  ///   - traits: what it is like.
  ///   - seed: what its chance comes from.
  ///   - loop: whose time it keeps.
  ///   - delegate: held until ``close()``.
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
  package func load(_ url: String, startingAt place: MediaTime?) {
    guard delegate != nil else { return }
    unload()
    player = SimulatedPlayer(traits, seed: seed, at: loop.now)
    start = place.map { ($0, nil) }
    advance()
  }

  /// See ``Player/perform(_:)``.
  package func perform(_ command: PlayerCommand) {
    guard isLoaded else { return }
    player?.handle(command, at: loop.now)
    // Told in the loop's next turn, as by a real player: never from within the call.
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

  /// Where it truly is; nil without an item.
  package func position(at moment: HostTime) -> MediaTime? { player?.position(at: moment) }

  /// Does what a person's key at the player would.
  package func press(_ key: SimulatedPlayer.Key) {
    guard isLoaded else { return }
    player?.press(key, at: loop.now)
    timer?.fire(at: loop.now)
  }

  /// Takes its data away for a while.
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
      self.start = (start.place, event)
      player?.handle(.seek(to: start.place), at: now)
    case (.seekFinished(let place), let start?):
      guard let loaded = start.loaded else { return }
      self.start = nil
      isLoaded = true
      delegate?.player(self, didSend: loaded, at: now)
      delegate?.player(self, didSend: .position(place, at: now), at: now)
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
