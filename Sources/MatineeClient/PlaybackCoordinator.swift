import GroupSessions
import Participation
public import Playback
public import Vocabulary
import Wire

/// Plays with the group: AVFoundation's `AVPlaybackCoordinator`.
///
/// The verbs say what the person wants of everyone. Play and seek wait until all are ready; pause
/// is at once. While this device is suspended they move only its own player.
public struct PlaybackCoordinator: Sendable {
  private let core: SessionCore
  private let client: GroupWatchClient

  /// The coordinator of a session.
  public init<Activity: GroupActivity>(session: GroupSession<Activity>) {
    core = session.core
    client = session.client
  }

  /// How the group stands to what is on; `nil` until it is known.
  public var status: Observed<PlaybackStatus?> { core.playback }

  /// How far this device's player is from where it should be, about once a second while it runs;
  /// positive is ahead.
  public var drift: Observed<Duration?> { core.drift }

  /// What is done about this device's player where it is off, from now on; 256 of it wait for a slow
  /// reader, and then the oldest goes.
  public var corrections: AsyncStream<PlaybackCorrection> {
    let queue = core.corrections.listen()
    return AsyncStream {
      while let delivery = await queue.next() {
        if case .element(let correction) = delivery { return correction }
      }
      return nil
    }
  }

  /// The suspensions of this device that an app can end, the newest one last.
  ///
  /// Those that the server imposed on a player that was not ready in time are not among them: they end
  /// by themselves.
  public func suspensions() async -> [PlaybackSuspension] {
    let numbered = await client.look { client, _ in
      client.participantID.flatMap { client.session?.playback.participants[$0]?.suspensions }
    }
    return (numbered ?? []).filter { !$0.isImposed }.map {
      PlaybackSuspension(number: $0.id, reason: $0.reason, session: core.id, client: client)
    }
  }

  /// Plays, at the speed that was set last or this one.
  ///
  /// - Parameter immediately: starts without waiting for those who are not ready.
  public func play(rate: Double? = nil, immediately: Bool = false) async throws(GroupWatchError) {
    let rate = try rate.map { (factor) throws(GroupWatchError) in try Rate.checked(factor) }
    try await ask(.play(try item(), rate: rate, immediately: immediately))
  }

  /// Pauses; everyone lands on the same frame.
  public func pause() async throws(GroupWatchError) {
    try await ask(.pause(try item()))
  }

  /// Goes elsewhere.
  public func seek(
    to place: MediaTime, immediately: Bool = false
  ) async throws(GroupWatchError) {
    try await ask(.seek(try item(), to: place, immediately: immediately))
  }

  /// Sets the speed, from 0.25 to 4; zero pauses.
  public func setRate(_ rate: Double) async throws(GroupWatchError) {
    guard rate != 0 else { return try await pause() }
    try await ask(.setRate(try item(), try Rate.checked(rate)))
  }

  /// Steps out until the suspension is ended.
  public func beginSuspension(
    for reason: SuspensionReason
  ) async throws(GroupWatchError) -> PlaybackSuspension {
    let answer = try await client.ask(.playback(core.id, .suspend(reason)))
    guard case .suspended(let number) = answer else { throw .closedSession }
    return PlaybackSuspension(number: number, reason: reason, session: core.id, client: client)
  }

  /// Brings this device's player to where the group is once more, as if nothing were known of it.
  ///
  /// For an app that put another player in the place of its player, or moved it without a report.
  /// While this device is suspended, or its person's wish is under way, nothing happens.
  public func reapply() { client.reapply(of: core.id) }

  /// Where this device's player should be now, or at an instant of ``GroupWatchClient/groupClock()``
  /// if nothing happens before; `nil` with nothing to follow.
  public func expectedItemTime(at instant: Instant? = nil) async -> MediaTime? {
    await client.look { participant, now in
      participant.expectedPlace(at: instant.flatMap { participant.clock?.hostTime(of: $0) } ?? now)
    }
  }

  /// What of the item can be gone to now, of live content too; `nil` while that is not known.
  ///
  /// A seek beyond is taken to the nearest place inside.
  public func seekableRange() async -> ClosedRange<MediaTime>? {
    await client.look { participant, now in participant.seekableRange(at: now) }
  }

  private func item() throws(GroupWatchError) -> ItemID {
    guard let item = core.playback.current?.item ?? core.activity.current.value.media?.item else {
      throw GroupWatchError(
        .notJoined, "nothing is on", advice: "set an activity with media, and join")
    }
    return item
  }

  private func ask(_ command: PlaybackCommand) async throws(GroupWatchError) {
    try await client.ask(.playback(core.id, command))
  }
}

/// What was done about a player that was not where the group was.
public struct PlaybackCorrection: Hashable, Sendable {
  /// What was done.
  public enum Kind: Hashable, Sendable {
    /// It runs at this factor of the group's speed for a while.
    case rate(Double)
    /// It runs at the group's speed again.
    case groupRate
    /// It went to where the group is.
    case seek
    /// It started late, by too little to seek for.
    case startedLate
    /// It stepped out for a while: it cannot keep up.
    case gaveUp
  }

  /// What was done.
  public let kind: Kind
  /// How far it was from where it should be; positive is ahead.
  public let error: Duration
}

extension PlaybackCorrection.Kind {
  init(_ correction: Follower.Correction) {
    self =
      switch correction {
      case .rate(let factor): .rate(factor)
      case .groupRate: .groupRate
      case .seek: .seek
      case .startedLate: .startedLate
      case .gaveUp: .gaveUp
      }
  }
}

extension Rate {
  /// The rate of a factor.
  ///
  /// - Throws: that there is none.
  static func checked(_ factor: Double) throws(GroupWatchError) -> Rate {
    guard let rate = Rate(factor) else {
      throw GroupWatchError(
        .invalidField, "a rate of \(factor) does not exist",
        advice: "choose one from 0.25 to 4")
    }
    return rate
  }
}
