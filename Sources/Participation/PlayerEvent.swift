import GroupSessions
package import Playback
package import Vocabulary

/// An event of a player.
///
/// Players do not report who paused them. The shell passes on every change, and the ``Follower``
/// compares it with its own commands to find out whether a person caused it.
package enum PlayerEvent: Equatable, Sendable {
  /// The item is open and paused at its start, or where the next ``position(_:at:)`` says.
  ///
  /// The rates are those that the player has; `normal ... normal` if it has no other. The noise is the
  /// standard deviation of ``position(_:at:)``: 0.1 ms for mpv's `audio-pts`,
  /// 12 ms for positions that advance in whole frames.
  case loaded(duration: Duration?, rates: ClosedRange<Rate>, measurementNoise: Duration)
  /// The seekable range of live content.
  ///
  /// Expected when the item opens, and again when the range changes otherwise than by moving with
  /// time.
  case seekWindow(SeekWindow)
  /// The player's position at a host time; expected about every 100 ms while it plays.
  case position(MediaTime, at: HostTime)
  /// The player paused, for any reason.
  case paused
  /// The player started to play, for any reason.
  case unpaused
  /// A seek to this position began that no command caused, or whose cause the shell cannot tell.
  case seeked(to: MediaTime)
  /// The last seek is over; the player shows this position or continues from it.
  case seekFinished(at: MediaTime)
  /// The player's rate changed to this factor without a command of the follower.
  case rateChanged(Double)
  /// The player ran out of data.
  case stalled
  /// The player has data again.
  case recovered
  /// The item played to its end.
  case ended
  /// The item cannot be played here.
  case failed(reason: String)

  /// Whether the event is the result of opening an item.
  var opens: Bool {
    switch self {
    case .loaded, .failed: true
    default: false
    }
  }
}

/// A command to a player; every type of player supports these.
package enum PlayerCommand: Equatable, Sendable {
  /// Play from the current position, at this factor of normal speed.
  case play(rate: Double)
  /// Pause and show the current frame.
  case pause
  /// Seek exactly to a position; afterwards play on, or show the frame there if paused.
  case seek(to: MediaTime)
  /// Set the rate to this factor, now or for the next start.
  case setRate(Double)
}

/// The characteristics of a simulated player; the defaults are measurements of mpv 0.35.
package struct PlayerTraits: Equatable, Sendable {
  /// The item's duration.
  package var duration = Duration.seconds(3600)
  /// The time from the order to open the item until it is loaded.
  package var loadTime = Duration.milliseconds(120)
  /// The time from a play command until the position advances.
  package var startCost = Duration.microseconds(200)
  /// The minimum duration of a seek.
  package var seekCost = Duration.milliseconds(25)
  /// The maximum random addition to a seek's duration.
  package var seekSpread = Duration.milliseconds(40)
  /// The delay of a command's effect, in addition to the costs above.
  package var commandLatency = Duration.zero
  /// The duration of a frame; a seek lands on the first frame at or after its target.
  package var frame = Duration.milliseconds(40)
  /// Whether readings advance in whole frames, like `time-pos`, instead of continuously, like
  /// `audio-pts`.
  package var readsFrames = false
  /// The standard deviation of readings.
  package var noise = Duration.microseconds(100)
  /// How fast the player's own clock gains on the process's clock, in parts per million.
  package var clockError = 0.0
  /// The relative error of every rate except 1: 0.005 is half a percent.
  package var rateError = 0.0
  /// The rates that the player has.
  package var rates = Rate.slowest...Rate.fastest

  /// The traits of mpv with sound.
  package init() {}

  /// Whether the player can play at this factor of normal speed.
  func has(_ factor: Double) -> Bool {
    (rates.lowerBound.factor...rates.upperBound.factor).contains(factor)
  }
}

// What the group's words for playback mean for one player, and the other way round.

extension Follower.Intent {
  /// What a person's intent asks of the group.
  func command(for item: ItemID) -> PlaybackCommand {
    switch self {
    case .play: .play(item)
    case .pause(let position): .pause(item, at: position)
    case .seek(let position): .seek(item, to: position)
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
    case .seek(_, let position, _): self = .seek(to: position)
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
