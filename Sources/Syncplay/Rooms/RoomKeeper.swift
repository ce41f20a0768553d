import Vocabulary
import Wire

/// A room's keeper: a peer of the coordinator without a connection, through which the server takes
/// part in the room's group and session.
struct RoomKeeper: Equatable, Sendable {
  /// The peer; `nil` until one is reserved.
  private(set) var peer: PeerID?
  /// When its next ping is due, so that it does not count as lost.
  private(set) var nextPing: Instant?
  private var membership: Membership

  /// A keeper without a peer.
  init(device: DeviceID) {
    membership = Membership(device: device)
  }

  /// Its device, which stays the same after a restart.
  var device: DeviceID { membership.device }

  /// The session that it has joined or asked to join.
  var session: SessionID? { membership.session }

  /// Whether a request that steers the session is unanswered.
  var isSteering: Bool { membership.steering != nil }

  /// Begins as a peer in a group, or resumes the keeper from before a restart.
  ///
  /// Request numbers continue from the time in microseconds, because the earlier requests had lower
  /// numbers.
  mutating func begin(
    as peer: PeerID, in group: GroupID, resuming resumption: Resumption?, at now: Instant
  ) {
    self.peer = peer
    membership.group = group
    if let resumption {
      membership.goOn(from: RequestID(now.microseconds), in: resumption.session)
    }
  }

  /// Records that the coordinator closed its peer.
  mutating func end() {
    peer = nil
    nextPing = nil
  }

  /// The peer and the number of its next request; `nil` without a peer.
  mutating func nextRequest() -> (peer: PeerID, number: RequestID)? {
    guard let peer else { return nil }
    return (peer, membership.number())
  }

  /// Schedules its next ping.
  mutating func schedulePing(at instant: Instant) { nextPing = instant }

  /// Leaves its session, if it is in one, and records that it asks to join another.
  mutating func enter(_ session: SessionID) {
    membership.leaveSession()
    membership.session = session
  }

  /// Records that its session is over.
  mutating func leaveSession() { membership.leaveSession() }

  /// Records the request that steers the session.
  mutating func steer(by request: RequestID?) { membership.steering = request }

  /// Records that a request was answered.
  mutating func settle(_ request: RequestID) {
    if membership.steering == request { membership.steering = nil }
  }
}
