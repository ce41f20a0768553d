import GroupSessions
import Playback
import Vocabulary

// What the group's words for playback mean for one player, and the other way round.

extension Follower.Intent {
  /// What a person's intent asks of the group.
  func command(for item: ItemID) -> PlaybackCommand {
    switch self {
    case .play: .play(item)
    case .pause(let place): .pause(item, at: place)
    case .seek(let place): .seek(item, to: place)
    case .setRate(let rate): .setRate(item, rate)
    }
  }
}

extension PlaybackCommand {
  /// Whether it begins a suspension.
  var isSuspension: Bool { if case .suspend = self { true } else { false } }
}

extension PlayerCommand {
  /// What a command does to a player that follows nobody; `nil` for what only the group knows.
  init?(_ command: PlaybackCommand) {
    switch command {
    case .play(_, let rate, _): self = .play(rate: (rate ?? .normal).factor)
    case .pause: self = .pause
    case .seek(_, let place, _): self = .seek(to: place)
    case .setRate(_, let rate): self = .setRate(rate.factor)
    case .transition, .suspend, .endSuspension, .ready, .reportEnd: return nil
    }
  }
}

extension Client.PlaybackStatus {
  /// The group's playback of an item on one device; `nil` while the item has no timeline.
  init?(of item: ItemID, in seat: Seat?, at moment: Instant, isLoaded: Bool) {
    guard let session = seat?.session, let timeline = session.playback.timelines[item] else {
      return nil
    }
    self.init(
      item: item, timeline: timeline, waitingFor: session.awaited(item, at: moment),
      suspensions: seat?.me?.suspensions ?? [], isLoaded: isLoaded)
  }
}
