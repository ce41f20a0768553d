import GroupSessions
import Playback
import Vocabulary

// How a room's playback interprets what its clients do.

extension SyncplayRoom {
  /// Whether the item is paused at its start, as in a fresh room.
  func isAtStart(at now: Instant) -> Bool { isPaused && place(at: now) == 0 }

  /// Whether clients count the item as over, so that opening another file interrupts nobody.
  func isOver(at now: Instant) -> Bool {
    guard let timeline else { return true }
    if case .ended = timeline.phase { return true }
    guard let duration = timeline.duration, duration > .seconds(10) else { return false }
    return timeline.position(at: now) + .seconds(5) >= .zero + duration
  }

  /// The distance of a position from the room's position, in microseconds.
  func offset(of position: Double, at now: Instant) -> Int64 {
    MediaTime.seconds(position - place(at: now)).microseconds
  }

  // MARK: Starts

  /// Whether a start waits for somebody to load the item.
  ///
  /// - Parameter readySeq: the timeline event for which the client on a device reported that it is
  ///   ready; `nil` for devices of other clients than Syncplay's.
  func isHeldUp(readySeq: (DeviceID) -> Int?) -> Bool {
    guard let session, let timeline, case .preparing = timeline.phase else { return false }
    return session.playback.counting(item).contains { participant, state in
      guard state.isAttached, state.readySeq != timeline.seq else { return false }
      return session.participants[participant].flatMap { readySeq($0.device) } != timeline.seq
    }
  }

  /// Whether everybody has loaded the item, so that a start need not wait for anyone.
  ///
  /// - Parameter hasLoaded: whether the client on a device has loaded the item; `false` for devices
  ///   of other clients than Syncplay's.
  func canStartAtOnce(hasLoaded: (DeviceID) -> Bool) -> Bool {
    guard let session else { return false }
    return session.playback.counting(item).allSatisfy { participant, state in
      if state.readySeq > 0 || !state.isAttached { return true }
      return session.participants[participant].map { hasLoaded($0.device) } ?? false
    }
  }

  /// Whether the room is about to play from a position, so that a seek to it moves nobody.
  func isAboutToPlay(from position: Double, at now: Instant) -> Bool {
    let start: MediaTime
    switch timeline?.phase {
    case .preparing(let barrier): start = barrier.from
    case .playing(let anchor) where now < anchor.at: start = anchor.mediaTime
    case .paused, .playing, .ended, nil: return false
    }
    return abs(position - start.seconds) < Self.shortestSeek
  }

  /// Clients count shorter ways, in seconds, as no seek.
  private static let shortestSeek = 1.0

  // MARK: Commands

  /// The commands to the group after a user's player stopped, started or was moved.
  ///
  /// - Parameters:
  ///   - place: the state of the player as the client reports it.
  ///   - change: whether the player stopped or started; `nil` if neither.
  ///   - ahead: how far the player plays on, in seconds, before the others can start.
  ///   - isAtOnce: whether the others can start without being asked first.
  func commands(
    for place: SyncplayClientState.Place, _ change: Bool?, ahead: Double, isAtOnce: Bool,
    at now: Instant
  ) -> [PlaybackCommand] {
    let position = max(place.position, 0)
    let target = MediaTime.seconds(position + ahead)
    var commands: [PlaybackCommand] = []
    if place.isSeek {
      commands.append(.seek(item, to: target, immediately: isAtOnce))
    } else if change == false, isElsewhere(target, at: now),
      offset(of: place.position, at: now).magnitude < Arrival.tolerance
    {
      commands.append(.seek(item, to: target))
    }
    switch change {
    case true: commands.append(.pause(item, at: MediaTime.seconds(position)))
    case false: commands.append(.play(item, immediately: isAtOnce))
    case nil: break
    }
    return commands
  }

  /// Whether a player that already plays starts so far from the room's position that people see it.
  private func isElsewhere(_ target: MediaTime, at now: Instant) -> Bool {
    abs(target.seconds - place(at: now)) > Self.tolerableAdvance
  }

  private static let tolerableAdvance = 0.06
}

// MARK: Files

extension SyncplayRoom {
  /// Whether a file becomes the room's item when a user who may steer opens it.
  ///
  /// - Parameter users: the users in the room.
  func adopts(_ file: SyncplayFile, of users: @autoclosure () -> [SyncplayUser], at now: Instant)
    -> Bool
  {
    guard let session else { return false }
    guard let media = session.activity.media else { return true }
    guard file.name != Self.name(of: media.item) else { return false }
    return isOver(at: now) || Self.isPreferred(file, by: users())
  }

  /// Whether more than half of the users with files went from the room's item to this one.
  private static func isPreferred(_ file: SyncplayFile, by users: [SyncplayUser]) -> Bool {
    let open = users.filter { $0.file != nil }
    let agreeing = open.filter { user in
      guard user.hasSwitched, let other = user.file else { return false }
      return other.name == file.name || other.hasLength(file.duration)
    }
    return agreeing.count * 2 > open.count
  }

  /// Whether a user who opens a file goes from the room's item to another film; `nil` if the file
  /// does not tell.
  func isSwitch(to file: SyncplayFile, from old: SyncplayFile?) -> Bool? {
    guard let media = session?.activity.media else { return nil }
    let name = Self.name(of: media.item)
    guard file.name != name else { return false }
    guard let old, file.name != old.name else { return nil }
    return old.name == name || old.hasLength(media.duration) || !file.hasLength(media.duration)
  }
}
