import GroupSessions
import Vocabulary
import Wire

/// A device in groups and sessions: its group and session, and the offer it has.
struct Seat: Equatable, Sendable {
  let identity: Identity
  /// The group it is in, or is about to join.
  var group: GroupID?
  /// The session it is in, or is about to join.
  var session: SessionID?
  /// Its participant; while it joins, the session does not have it yet.
  var participant: ParticipantID?
  /// The session it was offered and has neither joined nor declined.
  var offered: SessionID?
  /// The session it left, and why; that session is not offered again on its own.
  var departure: Departure?
  /// What it asked while its joining of the group was being stored, in order.
  var deferred: [DeferredRequest] = []
  /// Where its connection comes from; `nil` for this machine.
  var address: PeerAddress?
  // The smaller fields come last, so that they share two words.
  /// The device's life.
  let life: UInt32
  let understandsSessions: Bool
  let understandsAudiences: Bool
  /// Whether it watches its session without a named place.
  var isSpectator = false
  /// Whether it is in its group only for the audience of its sessions, and is no member.
  var isVisitor = false
  /// Whether its credential no longer names its group, which has not stored its leaving yet.
  var isExpelled = false
  var isConnected: Bool
  /// Whether it comes from the journal, and has not come back since.
  var isRecovered = false
  /// Whether it receives its group's events, while it is connected.
  var followsGroup = false
  /// Whether it receives its session's events.
  var followsSession = false
  /// Whether it has come back, and has heard nothing of its session since.
  var awaitsState = false
  /// The eligibility that it was last told.
  var eligibility = Eligibility.ineligible(.notInGroup)

  init(_ attachment: Attachment, isConnected: Bool) {
    identity = attachment.identity
    life = attachment.life
    understandsSessions = attachment.understandsSessions
    understandsAudiences = attachment.understandsAudiences
    self.isConnected = isConnected
    address = attachment.address
  }

  var device: DeviceID { identity.device }
  var user: UserID { identity.user }
  /// Whose allowance its requests are taken from; `nil` for a keeper.
  var payer: UserID? { identity.isKeeper ? nil : user }
  var place: Place {
    Place(group: group, session: session, isInAudience: isSpectator || isVisitor)
  }
  var member: Member { Member(identity: identity, understandsSessions: understandsSessions) }

  /// Marks the device as disconnected, which ends its subscriptions and its offer.
  mutating func disconnect() {
    isConnected = false
    followsGroup = false
    followsSession = false
    awaitsState = false
    offered = nil
  }

  /// Removes the device from its group.
  mutating func leaveGroup() {
    group = nil
    isVisitor = false
    isExpelled = false
    followsGroup = false
  }

  /// Removes the device from its session.
  mutating func leaveSession() {
    session = nil
    participant = nil
    isSpectator = false
    followsSession = false
  }
}

/// A request that waits until its device's joining of a group is stored.
struct DeferredRequest: Equatable, Sendable {
  let request: Request
  let reply: Reply
  /// A random number for it: those at hand may not suffice when many wait for one append.
  let number: UInt64
}

/// A session that a device has left; indirect, because most devices have none.
enum Departure: Equatable, Sendable {
  indirect case from(SessionID, LeaveReason)

  var session: SessionID {
    switch self {
    case .from(let session, _): session
    }
  }
}

/// Whether a device is where a group or a session has it.
///
/// The initializers take the seat in place from its table. Copying it would count a dozen
/// references for each of the fifty thousand devices of a large start.
enum Presence: Equatable, Sendable {
  /// There, and connected.
  case here
  /// There, but disconnected.
  case away
  /// Gone, no longer entitled to be there, or in another group or session.
  case elsewhere

  init(of seat: Seat?, in group: GroupID) {
    guard seat?.group == group, seat?.isExpelled == false else {
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
