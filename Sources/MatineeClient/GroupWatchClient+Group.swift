import GroupSessions
import Participation
import Playback
public import Vocabulary
import Wire

extension GroupWatchClient {
  /// Joins a group, which opens with its first member: the stand-in for a call.
  public func joinGroup(_ id: GroupID) async throws(GroupWatchError) {
    try await ask(.joinGroup(id))
  }

  /// Leaves the group, and with it any session.
  public func leaveGroup() async throws(GroupWatchError) {
    try await ask(.leaveGroup)
  }

  /// Closes the group for everyone, as one hangs up a call; only whoever opened it may.
  public func closeGroup() async throws(GroupWatchError) {
    try await ask(.closeGroup)
  }

  /// Switches sharing on or off for this device; off means that it takes part in no session.
  public func setSharing(_ isSharing: Bool) async throws(GroupWatchError) {
    try await ask(.setSharing(isSharing))
  }

  /// Names this device the one that takes part for its person, of those that are in the group; `false`
  /// leaves it to the devices.
  public func setPreferredDevice(_ isPreferred: Bool) async throws(GroupWatchError) {
    try await ask(.setPreferredDevice(isPreferred ? identity.device : nil))
  }

  /// Joins a session of the group that is not offered any more, since this device left or declined it;
  /// see ``GroupSummary/session``.
  ///
  /// It comes by ``sessions(of:)`` as another object.
  public func joinSession(_ id: SessionID) async throws(GroupWatchError) {
    try await ask(.join(id, handoffFrom: nil))
  }

  /// The group's common time; `nil` until the server was asked for it, and once the client is closed.
  public func groupClock() async -> GroupClock? {
    await look { participant, now in participant.clock.map { GroupClock($0, at: now) } }
  }

  /// What goes on at the server: of this device's group, or, in none, of all.
  ///
  /// - Parameter group: the last group of the page before, if there was one; see
  ///   ``ServerStatus/hasMore``.
  public func status(after group: GroupID? = nil) async throws(GroupWatchError) -> ServerStatus {
    switch await outcome(of: .status(after: group)) {
    case .reported(let report): return ServerStatus(report)
    case .answered, .explained, .listed, .object: throw .closedSession
    case .failed(let failure): throw GroupWatchError(failure)
    }
  }
}

/// The group's common time, which is the same for everyone: for an app's own things that are to
/// happen together.
///
/// A snapshot of what the client knew when asked. It stays right to a few milliseconds for minutes;
/// ask for another one now and then.
public struct GroupClock: Sendable {
  private let estimate: ClockEstimate
  private let host: HostTime
  private let moment: ContinuousClock.Instant

  init(_ estimate: ClockEstimate, at host: HostTime) {
    self.estimate = estimate
    self.host = host
    moment = .now
  }

  /// The group's time now.
  public func now() -> Instant { instant(at: .now) }

  /// The group's time at a moment of this device.
  public func instant(at moment: ContinuousClock.Instant) -> Instant {
    estimate.instant(at: host + (moment - self.moment))
  }

  /// The moment of this device at which it is that time in the group.
  public func hostInstant(for instant: Instant) -> ContinuousClock.Instant {
    moment + (estimate.hostTime(of: instant) - host)
  }

  /// How far from the truth these can be.
  public var uncertainty: Duration { estimate.uncertainty }
}
