import GroupSessions
import Participation
public import Playback
public import Vocabulary
import Wire

/// How a group stands to what it watches.
public struct PlaybackStatus: Hashable, Sendable {
  /// What the item is doing.
  public enum Phase: Hashable, Sendable {
    /// Everyone shows the frame at this place.
    case paused(at: MediaTime)
    /// Someone wants to play; nothing moves until all are ready or waiting is over.
    case preparing(at: MediaTime)
    /// It runs: it shows the place at the instant, and goes on from there.
    case playing(from: MediaTime, at: Instant)
    /// It ran to its end.
    case ended(at: MediaTime)
  }

  /// What is on.
  public let item: ItemID
  /// What it is doing.
  public let phase: Phase
  /// How fast it runs, or will when it runs next.
  public let rate: Double
  /// How long it is; `nil` for live content, or until a player told.
  public let duration: Duration?
  /// The names of those a start waits for.
  public let waitingFor: [String]
  /// Whether nobody who watches is there, so that it stands until somebody is.
  public let isUnattended: Bool
  /// Whether this device is out of step by its own or its player's doing.
  public let isSuspended: Bool

  init(_ status: Client.PlaybackStatus) {
    item = status.item
    rate = status.timeline.rate.factor
    duration = status.timeline.duration
    waitingFor = status.waitingFor
    isSuspended = !status.suspensions.isEmpty
    phase = Phase(status.timeline.phase)
    if case .preparing(let barrier) = status.timeline.phase {
      isUnattended = barrier.isFrozen
    } else {
      isUnattended = false
    }
  }
}

extension PlaybackStatus {
  /// Where everyone should be at an instant of ``GroupWatchClient/groupClock()``, if nothing happens
  /// before: for a progress bar.
  public func position(at now: Instant) -> MediaTime {
    switch phase {
    case .paused(let place), .preparing(let place), .ended(let place): return place
    case .playing(let place, let start):
      let reached = place + max(now - start, .zero) * rate
      return duration.map { min(reached, .zero + $0) } ?? reached
    }
  }
}

extension PlaybackStatus.Phase {
  init(_ phase: Timeline.Phase) {
    self =
      switch phase {
      case .paused(let place): .paused(at: place)
      case .preparing(let barrier): .preparing(at: barrier.from)
      case .playing(let anchor): .playing(from: anchor.mediaTime, at: anchor.at)
      case .ended(let place): .ended(at: place)
      }
  }
}

/// One absence of this device from coordinated playback.
public struct PlaybackSuspension: Sendable {
  private let number: SuspensionID
  /// Why.
  public let reason: SuspensionReason
  private let session: SessionID
  private let client: GroupWatchClient

  init(number: Int, reason: SuspensionReason, session: SessionID, client: GroupWatchClient) {
    self.number = number
    self.reason = reason
    self.session = session
    self.client = client
  }

  /// Steps back in, to where the group is; if a place is proposed and this was the last
  /// suspension, the group goes there.
  public func end(proposing place: MediaTime? = nil) async throws(GroupWatchError) {
    try await client.ask(.playback(session, .endSuspension(number, proposing: place)))
  }
}
