import EventLoops
import GroupSessions
import Participation
import Players
import Scenarios
import Vocabulary

/// The player of one person on a loop, simulated or mpv, and what one sees of it from outside.
final class StagePlayer: PlayerDelegate {
  private let kind: ScenarioPeer.Player
  private let scenario: Scenario
  private let loop: EventLoop
  private var chance: SplitMix64
  private let onEvent: (PlayerEvent, ItemID) -> Void
  /// Told once if the player cannot be started, or is gone.
  private let onFailure: (String) -> Void
  private var player: (any Player)?
  private(set) var item: ItemID?
  private(set) var isRunning = false
  private(set) var commands = 0
  /// Where the player last said it was, and how fast it runs: all one knows of a real one.
  private var reading: (place: MediaTime, at: HostTime)?
  private var rate = 1.0

  init(
    _ kind: ScenarioPeer.Player, in scenario: Scenario, seed: UInt64, on loop: EventLoop,
    onEvent: @escaping (PlayerEvent, ItemID) -> Void, onFailure: @escaping (String) -> Void
  ) {
    self.kind = kind
    self.scenario = scenario
    self.loop = loop
    self.onEvent = onEvent
    self.onFailure = onFailure
    chance = SplitMix64(seed: seed)
  }

  func carryOut(_ order: Client.PlayerOrder) {
    commands += 1
    switch order {
    case .load(let media):
      item = media.item
      (isRunning, reading, rate) = (false, nil, 1)
      open(media)
    case .unload:
      item = nil
      player?.unload()
    case .carryOut(let command):
      note(command)
      player?.perform(command)
    }
  }

  private func note(_ command: PlayerCommand) {
    if let place = position(at: loop.now) { reading = (place, loop.now) }
    switch command {
    case .play(let factor), .setRate(let factor): rate = factor
    case .pause, .seek: break
    }
  }

  private func open(_ media: MediaItem) {
    switch kind {
    case .simulated:
      // Each item has its own length, which a simulated player is made with.
      player?.close()
      var traits = PlayerTraits()
      traits.duration = scenario.item(media.item.text)?.duration ?? traits.duration
      player = SimulatedPlayerShell(traits, seed: chance.next(), on: loop, delegate: self)
    case .mpv:
      guard player == nil else { break }
      do throws(PlayerStartError) {
        player = try MpvPlayer(on: loop, delegate: self)
      } catch {
        return onFailure("\(error)")
      }
    }
    player?.load(media.url, startingAt: nil)
  }

  func press(_ key: PlayerKey) {
    if let simulated = player as? SimulatedPlayerShell { return simulated.press(key.simulated) }
    // Past the client, so that a real player's change comes as a surprise to it, like a key.
    switch key {
    case .play: player?.perform(.play(rate: rate))
    case .pause: player?.perform(.pause)
    case .seek(let place): player?.perform(.seek(to: place))
    }
  }

  func stall(for duration: Duration) {
    (player as? SimulatedPlayerShell)?.stall(for: duration)
  }

  func close() {
    player?.close()
    player = nil
  }

  /// Where it is: truly for a simulated player, by its last reading for a real one.
  func position(at now: HostTime) -> MediaTime? {
    guard item != nil else { return nil }
    if let simulated = player as? SimulatedPlayerShell { return simulated.position(at: now) }
    guard let reading else { return nil }
    return isRunning ? reading.place + (now - reading.at) * rate : reading.place
  }

  func player(_ player: any Player, didSend event: PlayerEvent, at moment: HostTime) {
    guard player === self.player, let item else { return }
    switch event {
    case .position(let place, let at): reading = (place, at)
    case .seekFinished(let place): reading = (place, moment)
    case .unpaused:
      isRunning = true
      reading?.at = moment
    case .paused, .stalled, .ended:
      if let place = position(at: moment) { reading = (place, moment) }
      if event != .stalled { isRunning = false }
    default: break
    }
    onEvent(event, item)
  }

  func player(_ player: any Player, didClose reason: PlayerCloseReason) {
    guard player === self.player else { return }
    self.player = nil
    onFailure("a player is gone: \(reason)")
  }
}

@available(*, unavailable)
extension StagePlayer: Sendable {}
