import GroupSessions
import Vocabulary
import Wire

/// A device as groups and sessions know it: where it is, and what it was offered.
struct Seat: Equatable, Sendable {
  let identity: Identity
  /// The group it is in or about to join.
  var group: GroupID?
  /// The session it is in or about to join.
  var session: SessionID?
  /// Who it is there; the session does not know it yet while it is joining.
  var participant: ParticipantID?
  /// The session it was offered and has neither joined nor declined.
  var offered: SessionID?
  /// The session it left and why: it is not offered that one again by itself.
  var departure: Departure?
  /// Which of the device's lives it is.
  let life: UInt32
  let understandsSessions: Bool
  var isConnected: Bool
  /// Whether it hears of what happens in its group, while it is connected.
  var followsGroup = false
  /// Whether it hears of what happens in its session.
  var followsSession = false
  /// What it was last told of its eligibility.
  var eligibility = Eligibility.ineligible(.notInGroup)

  init(_ attachment: Attachment, isConnected: Bool) {
    identity = attachment.identity
    life = attachment.life
    understandsSessions = attachment.understandsSessions
    self.isConnected = isConnected
  }

  var device: DeviceID { identity.device }
  var user: UserID { identity.user }
  var place: Place { Place(group: group, session: session) }
  var member: Member { Member(identity: identity, understandsSessions: understandsSessions) }

  /// The connection is gone, and with it what it alone heard.
  mutating func disconnect() {
    isConnected = false
    followsGroup = false
    followsSession = false
    offered = nil
  }

  /// It is in no session any more, or not yet.
  mutating func leaveSession() {
    session = nil
    participant = nil
    followsSession = false
  }
}

/// A session that a device is no longer in; apart from the device, since most have none.
enum Departure: Equatable, Sendable {
  indirect case from(SessionID, LeaveReason)

  var session: SessionID {
    switch self {
    case .from(let session, _): session
    }
  }
}

/// Whether a device is where a group or a session counts it.
///
/// Its initializers are given the seat itself, and look at it where it lies in its table: a copy
/// would count a dozen references, for each of the fifty thousand devices of a large start.
enum Presence: Equatable, Sendable {
  /// It is, and connected.
  case here
  /// It is, without a connection.
  case away
  /// It is gone, or went elsewhere.
  case elsewhere

  init(of seat: Seat?, in group: GroupID) {
    guard seat?.group == group else {
      self = .elsewhere
      return
    }
    self = seat?.isConnected == true ? .here : .away
  }

  init(of seat: Seat?, in group: GroupID, as participant: ParticipantID) {
    guard seat?.participant == participant else {
      self = .elsewhere
      return
    }
    self.init(of: seat, in: group)
  }
}
