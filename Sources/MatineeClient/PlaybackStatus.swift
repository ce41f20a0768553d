public import GroupSessions
import Participation
public import Playback
public import Vocabulary
import Wire

/// A group's playback status.
public struct PlaybackStatus: Hashable, Sendable {
  /// The state of the current item.
  public enum Phase: Hashable, Sendable {
    /// Paused; everyone shows the frame at this position.
    case paused(at: MediaTime)
    /// About to play; the timeline stands still until all are ready or the deadline passes.
    case preparing(at: MediaTime)
    /// Playing; the timeline was at this position at this instant and has advanced since.
    case playing(from: MediaTime, at: Instant)
    /// The item ran to its end.
    case ended(at: MediaTime)
  }

  /// The current item.
  public let item: ItemID
  /// The item's state.
  public let phase: Phase
  /// The current speed, or the speed of the next start, as a factor of normal speed.
  public let rate: Double
  /// The item's length; `nil` for live content, and until a player has reported it.
  public let duration: Duration?
  /// The item's advertisements and other interstitials; empty for none.
  public let interstitials: Interstitials
  /// The participants for whom a start waits, and why; empty unless the phase is preparing.
  public let waitingFor: [AwaitedParticipant]
  /// Whether the timeline is stopped because no viewer is connected.
  public let isUnattended: Bool
  /// Why this device is suspended, at its person's request or because of its player; empty while it
  /// follows the group.
  public let suspensionReasons: Set<SuspensionReason>
  private let seekWindow: ToldSeekWindow?

  /// Whether this device is suspended.
  public var isSuspended: Bool { !suspensionReasons.isEmpty }

  init(_ status: Client.PlaybackStatus) {
    item = status.item
    rate = status.timeline.rate.factor
    duration = status.timeline.duration
    interstitials = status.timeline.interstitials
    waitingFor = status.waitingFor
    suspensionReasons = Set(status.suspensions.map(\.reason))
    seekWindow = status.timeline.seekWindow
    phase = Phase(status.timeline.phase)
    if case .preparing(let barrier) = status.timeline.phase {
      isUnattended = barrier.isFrozen
    } else {
      isUnattended = false
    }
  }
}

extension PlaybackStatus {
  /// Returns the group's position at an instant of ``GroupWatchClient/groupClock()``.
  ///
  /// It assumes that nothing happens before then; meant for a progress bar.
  public func position(at now: Instant) -> MediaTime {
    switch phase {
    case .paused(let position), .preparing(let position), .ended(let position): return position
    case .playing(let position, let start):
      let reached = position + max(now - start, .zero) * rate
      return duration.map { min(reached, .zero + $0) } ?? reached
    }
  }

  /// Returns the range that can be sought at an instant of ``GroupWatchClient/groupClock()``; `nil`
  /// while it is unknown.
  ///
  /// The end of live content advances by a second each second, and its start may, too. A seek outside
  /// the range goes to its nearest end.
  public func seekableRange(at now: Instant) -> ClosedRange<MediaTime>? {
    if let duration { return .zero ... .zero + duration }
    return seekWindow.map { $0.window(at: now) }.map { $0.start...$0.end }
  }
}

extension PlaybackStatus.Phase {
  init(_ phase: Timeline.Phase) {
    self =
      switch phase {
      case .paused(let position): .paused(at: position)
      case .preparing(let barrier): .preparing(at: barrier.from)
      case .playing(let anchor): .playing(from: anchor.mediaTime, at: anchor.at)
      case .ended(let position): .ended(at: position)
      }
  }
}

/// One suspension of this device from coordinated playback.
public struct PlaybackSuspension: Sendable {
  private let number: SuspensionID
  /// The reason for the suspension.
  public let reason: SuspensionReason
  /// Since when it lasts, in the group's time.
  public let since: Instant
  private let core: SessionCore
  private let client: GroupWatchClient

  init(_ suspension: Suspension, of core: SessionCore, _ client: GroupWatchClient) {
    number = suspension.id
    reason = suspension.reason
    since = suspension.since
    self.core = core
    self.client = client
  }

  /// Ends the suspension and returns to the group.
  ///
  /// - Parameter position: a position to which the group moves, if this was the last suspension.
  public func end(proposingNewTime position: MediaTime? = nil) async throws(GroupWatchError) {
    try await client.ask(
      .playback(core.id, .endSuspension(number, proposing: position)), of: core)
  }
}
