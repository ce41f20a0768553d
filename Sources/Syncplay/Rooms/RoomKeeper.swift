import Vocabulary
import Wire

/// A room's keeper: a peer of the coordinator without a connection, through which the server takes
/// part in the room's group and session.
struct RoomKeeper: Equatable, Sendable {
  /// The peer; `nil` until one is reserved.
  private(set) var peer: PeerID?
  /// When its next ping is due, so that it does not count as lost.
  private(set) var nextPing: Instant?
  /// When it asks again for what it was refused; `nil` if it was refused nothing.
  private var nextAttempt: Instant?
  private var membership: Membership

  /// A keeper without a peer.
  init(device: DeviceID) {
    membership = Membership(device: device)
  }

  /// Its device, which stays the same after a restart.
  var device: DeviceID { membership.device }

  /// The group that it has joined or asked to join.
  var group: GroupID? { membership.group }

  /// The session that it has joined or asked to join.
  var session: SessionID? { membership.session }

  /// Whether a request that steers the session is unanswered.
  var isSteering: Bool { membership.steering != nil }

  /// When it has something to do.
  var nextDeadline: Instant? { Instant.earlier(nextPing, nextAttempt) }

  /// Begins as a peer, or resumes the keeper from before a restart.
  ///
  /// Request numbers continue from the time in microseconds, because the earlier requests had lower
  /// numbers.
  mutating func begin(as peer: PeerID, resuming resumption: Resumption?, at now: Instant) {
    self.peer = peer
    if let resumption {
      membership.goOn(from: RequestID(now.microseconds), in: resumption.session)
    }
  }

  /// Records that the coordinator closed its peer.
  mutating func end() {
    peer = nil
    nextPing = nil
    nextAttempt = nil
    membership.end()
  }

  /// The peer and the number of its next request; `nil` without a peer.
  mutating func nextRequest() -> (peer: PeerID, number: RequestID)? {
    guard let peer else { return nil }
    return (peer, membership.number())
  }

  /// Schedules its next ping.
  mutating func schedulePing(at instant: Instant) { nextPing = instant }

  /// Records that it asks to join a group.
  mutating func enter(_ group: GroupID, by request: RequestID) {
    membership.enter(group, by: request)
  }

  /// Records that it asks to join a session.
  mutating func enter(_ session: SessionID, by request: RequestID) {
    membership.enter(session, by: request)
  }

  /// Records that its session is over.
  mutating func leaveSession() { membership.leaveSession() }

  /// Records the request that steers the session.
  mutating func steer(by request: RequestID?) { membership.steer(by: request) }

  /// Records that a request was carried out.
  mutating func finish(_ request: RequestID) { _ = membership.finish(request) }

  /// Records that a request was refused.
  ///
  /// It asks again as often as clients do, which join at their periodic States.
  mutating func refuse(_ request: RequestID, isTemporary: Bool, at now: Instant) {
    let purpose = membership.refuse(request, isTemporary: isTemporary)
    guard purpose != nil || isTemporary else { return }
    nextAttempt = now + SyncplayLimits.statePeriod
  }

  /// Whether it asks again now for what it was refused; it does so once.
  mutating func takeAttempt(at now: Instant) -> Bool {
    guard let due = nextAttempt, due <= now else { return false }
    nextAttempt = nil
    return true
  }
}
