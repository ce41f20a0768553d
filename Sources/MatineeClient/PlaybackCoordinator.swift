import GroupSessions
import Participation
public import Playback
public import Vocabulary
import Wire

/// Plays with the group; the counterpart of AVFoundation's `AVPlaybackCoordinator`.
///
/// The methods request a change for everyone. Play and seek wait until all are ready; pause takes
/// effect at once. While this device is suspended, they affect its own player only.
public struct PlaybackCoordinator: Sendable {
  private let core: SessionCore
  private let client: GroupWatchClient

  /// Makes the coordinator of a session.
  public init<Activity: GroupActivity>(session: GroupSession<Activity>) {
    core = session.core
    client = session.client
  }

  init(_ core: SessionCore, _ client: GroupWatchClient) {
    self.core = core
    self.client = client
  }

  /// Has the group drive a player of the app's, for as long as the result is kept and the session
  /// lasts; the counterpart of `coordinateWithSession(_:)`.
  ///
  /// A view calls it when it shows the player, before or after the session is joined. A player that was
  /// attached before makes way. The client needs ``ClientOptions/Playing/app``.
  public func coordinate(with control: any PlaybackControl) -> AttachedPlayer {
    client.attach(control, for: core)
  }

  /// The group's playback status; `nil` until it is known.
  public var status: Observed<PlaybackStatus?> { core.playback }

  /// This device's drift from the group, about once a second while playing; positive is ahead.
  public var drift: Observed<Duration?> { core.drift }

  /// The corrections of this device's player, from now on.
  ///
  /// The backlog holds 256 corrections for a slow reader; beyond that, the oldest is dropped.
  public var corrections: AsyncStream<PlaybackCorrection> {
    let queue = core.corrections.listen()
    return AsyncStream {
      while let delivery = await queue.next() {
        if case .element(let correction) = delivery { return correction }
      }
      return nil
    }
  }

  /// Returns this device's suspensions that an app can end, newest last.
  ///
  /// It leaves out the suspensions that the server imposes on a player that is not ready in time;
  /// those end automatically.
  public func suspensions() async -> [PlaybackSuspension] {
    await ownSuspensions().filter { !$0.isImposed }.map { PlaybackSuspension($0, of: core, client) }
  }

  /// Plays at the given speed, or at the last one that was set.
  ///
  /// - Parameters:
  ///   - rate: the speed, 1 being normal; `nil` is the last one that was set.
  ///   - immediately: starts without waiting for participants that are not ready.
  public func play(rate: Double? = nil, immediately: Bool = false) async throws(GroupWatchError) {
    let rate = try rate.map { (factor) throws(GroupWatchError) in try Rate.checked(factor) }
    try await ask(.play(try item(), rate: rate, immediately: immediately))
  }

  /// Pauses; all participants stop on the same frame.
  public func pause() async throws(GroupWatchError) {
    try await ask(.pause(try item()))
  }

  /// Seeks to a position.
  public func seek(
    to position: MediaTime, immediately: Bool = false
  ) async throws(GroupWatchError) {
    try await ask(.seek(try item(), to: position, immediately: immediately))
  }

  /// Sets the speed, from 0.25 to 4; zero pauses.
  public func setRate(_ rate: Double) async throws(GroupWatchError) {
    guard rate != 0 else { return try await pause() }
    try await ask(.setRate(try item(), try Rate.checked(rate)))
  }

  /// Suspends this device from coordinated playback until the suspension is ended.
  public func beginSuspension(
    for reason: SuspensionReason
  ) async throws(GroupWatchError) -> PlaybackSuspension {
    let answer = try await ask(.suspend(reason))
    guard case .suspended(let number) = answer else { throw .closedSession }
    var begun = await ownSuspensions().first { $0.id == number }
    if begun == nil { begun = await spectatorSuspension(number, reason) }
    guard let begun else { throw .closedSession }
    return PlaybackSuspension(begun, of: core, client)
  }

  /// A spectator's suspension, of which nobody else is told.
  private func spectatorSuspension(
    _ number: SuspensionID, _ reason: SuspensionReason
  ) async -> Suspension? {
    guard core.state.current == .joined, core.local.current == nil else { return nil }
    let now = await client.look(in: core) { client, now in client.instant(at: now) }
    return now.map { Suspension(id: number, reason: reason, since: $0, isImposed: false) }
  }

  /// Moves this device's player to the group's position again, ignoring the player's known state.
  ///
  /// Use it after the app has replaced its player, or moved it without a report. It does nothing
  /// while this device is suspended or a change that its person made is pending.
  public func reapply() { client.reapply(of: core) }

  /// Returns the position at which this device's player should be.
  ///
  /// - Parameter instant: a time of ``GroupWatchClient/groupClock()``; `nil` is now.
  /// - Returns: the position if nothing happens before then; `nil` if there is nothing to follow.
  public func expectedItemTime(at instant: Instant? = nil) async -> MediaTime? {
    await client.look(in: core) { participant, now in
      participant.expectedPosition(
        at: instant.flatMap { participant.clock?.hostTime(of: $0) } ?? now)
    }
  }

  private func ownSuspensions() async -> [Suspension] {
    await client.look(in: core) { client, _ in
      client.participantID.flatMap { client.session?.playback.participants[$0]?.suspensions }
    } ?? []
  }

  /// The activity's item: after a change of it, the status is about the one before until somebody
  /// has opened it.
  private func item() throws(GroupWatchError) -> ItemID {
    guard let item = core.activity.current.value.media?.item else {
      throw GroupWatchError(
        .notJoined, "nothing is on", advice: "set an activity with media, and join")
    }
    return item
  }

  @discardableResult
  private func ask(_ command: PlaybackCommand) async throws(GroupWatchError) -> Answer {
    try await client.ask(.playback(core.id, command), of: core)
  }
}

extension GroupWatchClient {
  /// The coordinator of a session that waits or goes on here, for a view that knows only its
  /// message's session; `nil` for any other.
  public func playbackCoordinator(of session: SessionID) -> PlaybackCoordinator? {
    shared.sessions.current.first { $0.id == session }.map { PlaybackCoordinator($0, self) }
  }
}

/// A correction of a player that was not at the group's position.
public struct PlaybackCorrection: Hashable, Sendable {
  /// How the player was corrected.
  public enum Kind: Hashable, Sendable {
    /// It plays at this factor of the group's speed for a while.
    case rate(Double)
    /// It plays at the group's speed again.
    case groupRate
    /// It sought to the group's position.
    case seek
    /// It started late, by too little to justify a seek.
    case startedLate
    /// It was suspended for a while because it cannot keep up.
    case gaveUp
  }

  /// How the player was corrected.
  public let kind: Kind
  /// The player's distance from its expected position; positive is ahead.
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
  /// Makes a rate from a factor of normal speed.
  ///
  /// - Throws: ``GroupWatchError/Code/invalidField`` if the factor is out of range.
  static func checked(_ factor: Double) throws(GroupWatchError) -> Rate {
    guard let rate = Rate(factor) else {
      throw GroupWatchError(
        .invalidField, "a rate of \(factor) does not exist",
        advice: "choose one from 0.25 to 4")
    }
    return rate
  }
}
