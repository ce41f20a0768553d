import EventLoops
import Participation
import Players
import Scenarios
import Vocabulary

/// One person's player, simulated or mpv, with the state that is visible from outside.
///
/// It sits between the client and the real player, and records what it forwards.
final class StagePlayer: Player, PlayerDelegate {
  private let kind: ScenarioPeer.Player
  private let scenario: Scenario
  private let loop: EventLoop
  private var chance: SplitMix64
  private var delegate: (any PlayerDelegate)?
  /// Called with the item once it is open.
  private let onLoad: (ItemID) -> Void
  /// Called with the IPC socket's path when an mpv starts.
  private let onStart: (_ socketPath: String) -> Void
  private let settings: MpvSettings
  private var player: (any Player)?
  private(set) var item: ItemID?
  private(set) var isRunning = false
  private(set) var commands = 0
  /// The player's last reported position; for a real player nothing more exact is known.
  private var reading: (position: MediaTime, at: HostTime)?
  private var rate = 1.0

  init(
    _ kind: ScenarioPeer.Player, settings: MpvSettings, in scenario: Scenario, seed: UInt64,
    on loop: EventLoop, delegate: any PlayerDelegate, onLoad: @escaping (ItemID) -> Void,
    onStart: @escaping (_ socketPath: String) -> Void
  ) {
    self.kind = kind
    self.settings = settings
    self.onStart = onStart
    self.scenario = scenario
    self.loop = loop
    self.delegate = delegate
    self.onLoad = onLoad
    chance = SplitMix64(seed: seed)
  }

  /// The position: exact for a simulated player, extrapolated from the last reading for a real one.
  func position(at now: HostTime) -> MediaTime? {
    guard item != nil else { return nil }
    if let simulated = player as? SimulatedPlayerShell { return simulated.position(at: now) }
    guard let reading else { return nil }
    return isRunning ? reading.position + (now - reading.at) * rate : reading.position
  }

  /// Presses a key of the player itself, as a person does.
  func press(_ key: PlayerKey) {
    if let simulated = player as? SimulatedPlayerShell { return simulated.press(key.simulated) }
    // The command bypasses the client, so that the change surprises the client as a real key does.
    switch key {
    case .play: player?.perform(.play(rate: rate))
    case .pause: player?.perform(.pause)
    case .seek(let position): player?.perform(.seek(to: position))
    case .rate(let rate):
      guard let player else { return }
      player.perform(.setRate(rate.factor))
      self.player(player, didSend: .rateChanged(rate.factor), at: loop.now)
    }
  }

  func stall(for duration: Duration) {
    (player as? SimulatedPlayerShell)?.stall(for: duration)
  }
}

// MARK: Commands

extension StagePlayer {
  func load(_ url: String, startingAt position: MediaTime?) {
    commands += 1
    let known = scenario.items.first { $0.url == url }
    item = ItemID(known?.name ?? url)
    (isRunning, reading, rate) = (false, nil, 1)
    switch kind {
    case .simulated:
      // A simulated player's length is fixed when it is made, and each item has its own length.
      player?.close()
      var traits = PlayerTraits()
      traits.duration = known?.duration ?? traits.duration
      player = SimulatedPlayerShell(traits, seed: chance.next(), on: loop, delegate: self)
    case .mpv:
      guard player == nil else { break }
      do throws(PlayerStartError) {
        let mpv = try MpvPlayer(settings, on: loop, delegate: self)
        player = mpv
        onStart(mpv.socketPath)
      } catch {
        delegate?.player(self, didClose: .failed(reason: "\(error)"))
        return
      }
    }
    player?.load(url, startingAt: position)
  }

  func perform(_ command: PlayerCommand) {
    commands += 1
    if let reached = position(at: loop.now) { reading = (reached, loop.now) }
    switch command {
    case .play(let factor), .setRate(let factor): rate = factor
    case .pause, .seek: break
    }
    player?.perform(command)
  }

  func unload() {
    item = nil
    player?.unload()
  }

  func close() {
    delegate = nil
    player?.close()
    player = nil
  }
}

// MARK: Events

extension StagePlayer {
  func player(_ player: any Player, didSend event: PlayerEvent, at moment: HostTime) {
    guard player === self.player, let item else { return }
    note(event, at: moment)
    delegate?.player(self, didSend: event, at: moment)
    if case .loaded = event { onLoad(item) }
  }

  private func note(_ event: PlayerEvent, at moment: HostTime) {
    switch event {
    case .position(let position, let at): reading = (position, at)
    case .seekFinished(let position): reading = (position, moment)
    case .rateChanged(let factor):
      if let reached = position(at: moment) { reading = (reached, moment) }
      rate = factor
    case .unpaused:
      isRunning = true
      reading?.at = moment
    case .paused, .stalled, .ended:
      if let reached = position(at: moment) { reading = (reached, moment) }
      if event != .stalled { isRunning = false }
    case .loaded, .seekWindow, .seeked, .recovered, .failed: break
    }
  }

  func player(_ player: any Player, didClose reason: PlayerCloseReason) {
    guard player === self.player else { return }
    self.player = nil
    delegate?.player(self, didClose: reason)
  }
}

@available(*, unavailable)
extension StagePlayer: Sendable {}
