import GroupSessions
import Participation
import Playback
public import Vocabulary
import Wire

extension GroupWatchClient {
  /// Joins a group, which the first member opens; a group takes the role of a call.
  ///
  /// - Parameters:
  ///   - id: the group.
  ///   - key: the key in the group's link, where groups have keys; the server's founding key opens
  ///     a new group. Who has joined once needs none.
  public func joinGroup(_ id: GroupID, key: String? = nil) async throws(GroupWatchError) {
    try await ask(.joinGroup(id, key: key))
  }

  /// Leaves the group and its session.
  public func leaveGroup() async throws(GroupWatchError) {
    try await ask(.leaveGroup)
  }

  /// Closes the group for everyone; only the person who opened it may.
  public func closeGroup() async throws(GroupWatchError) {
    try await ask(.closeGroup())
  }

  /// Turns sharing on or off for this device; while it is off, the device joins no session.
  public func setSharing(_ isSharing: Bool) async throws(GroupWatchError) {
    try await ask(.setSharing(isSharing))
  }

  /// Makes this device the one that takes part for its person.
  ///
  /// It applies if several of the person's devices are in the group; `false` removes the
  /// preference.
  public func setPreferredDevice(_ isPreferred: Bool) async throws(GroupWatchError) {
    try await ask(.setPreferredDevice(isPreferred ? identity.device : nil))
  }

  /// Changes fields of one of the group's objects, or creates it.
  ///
  /// All members of the group have its objects and may change them; see
  /// ``GroupStateObserver/objects``. Of two that change the same field, the later one counts. The
  /// objects end with the group.
  ///
  /// - Parameters:
  ///   - id: the object's name, of the app's own choice.
  ///   - changes: the fields that change, with their new values; `null` takes one out (RFC 7396, one
  ///     level). Other fields stay.
  /// - Throws: ``GroupWatchError/Code/objectsFull``; ``GroupWatchError/Code/notInGroup``;
  ///   ``GroupWatchError/Code/notEncodable`` if a number is not finite.
  public func updateObject(
    _ id: ObjectID, set changes: [String: PayloadValue]
  ) async throws(GroupWatchError) {
    guard changes.values.allSatisfy(\.isFinite) else {
      throw GroupWatchError(
        .notEncodable, "a number cannot be written as JSON",
        advice: "use only numbers that are finite")
    }
    try await ask(.updateObject(id, set: changes))
  }

  /// Removes one of the group's objects.
  public func removeObject(_ id: ObjectID) async throws(GroupWatchError) {
    try await ask(.removeObject(id))
  }

  /// Joins a session of the group that this device left or declined, and is not offered any more.
  ///
  /// ``GroupSummary/session`` has its identifier. ``sessions(of:)`` delivers it as another object.
  public func joinSession(_ id: SessionID) async throws(GroupWatchError) {
    try await ask(.join(id, handoffFrom: nil))
  }

  /// The group's shared clock; `nil` before the first measurement and once the client is closed.
  public func groupClock() async -> GroupClock? {
    await look { participant, now in participant.clock.map { GroupClock($0, at: now) } }
  }

  /// The server's status for this device's group; for all groups if the device is in none.
  ///
  /// - Parameter group: the last group of the previous page, to get the next page; see
  ///   ``ServerStatus/hasMore``.
  public func status(after group: GroupID? = nil) async throws(GroupWatchError) -> ServerStatus {
    switch await outcome(of: .status(after: group)) {
    case .reported(let report): return ServerStatus(report)
    case .answered, .explained, .listed, .object: throw .closedSession
    case .failed(let failure): throw GroupWatchError(failure)
    }
  }
}

extension PayloadValue {
  /// Whether all its numbers are finite.
  fileprivate var isFinite: Bool {
    switch self {
    case .number(let number): number.isFinite
    case .list(let values): values.allSatisfy(\.isFinite)
    case .dictionary(let fields): fields.values.allSatisfy(\.isFinite)
    case .string, .integer, .bool, .null: true
    }
  }
}

/// The group's shared clock, for an app's own events that happen everywhere at once.
///
/// It is a snapshot of the client's estimate. It stays accurate to a few milliseconds for minutes;
/// take a new one now and then.
public struct GroupClock: Sendable {
  private let estimate: ClockEstimate
  private let host: HostTime
  private let moment: ContinuousClock.Instant

  init(_ estimate: ClockEstimate, at host: HostTime) {
    self.estimate = estimate
    self.host = host
    moment = .now
  }

  /// Whether the error may be more than 250 ms; ``GroupWatchClient/isClockPoor`` tells of changes.
  public var isPoor: Bool { estimate.isPoor }

  /// Returns the group's time now.
  public func now() -> Instant { instant(at: .now) }

  /// Converts a local instant into the group's time.
  public func instant(at moment: ContinuousClock.Instant) -> Instant {
    estimate.instant(at: host + (moment - self.moment))
  }

  /// Converts the group's time into a local instant.
  public func hostInstant(for instant: Instant) -> ContinuousClock.Instant {
    moment + (estimate.hostTime(of: instant) - host)
  }

  /// The maximum error of these conversions.
  public var uncertainty: Duration { estimate.uncertainty }
}
