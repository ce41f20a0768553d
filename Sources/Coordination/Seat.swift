import GroupSessions
import Signatures
import Vocabulary
import Wire

/// A device in groups and sessions: its group and session, and the offer it has.
struct Seat: Equatable, Sendable {
  private(set) var identity: Identity
  /// The groups that its credential names; `nil` for all.
  private var groups: GroupGrants?
  /// The group it is in, or is about to join.
  private(set) var group: GroupID?
  /// The session it is in, or is about to join.
  private(set) var session: SessionID?
  /// Its participant; while it joins, the session does not have it yet.
  private(set) var participant: ParticipantID?
  /// The session it was offered and has neither joined nor declined.
  private(set) var offered: SessionID?
  /// The session it left, and why; that session is not offered again on its own.
  private(set) var departure: Departure?
  /// What it asked while its joining of the group was being stored, in order.
  private(set) var deferred: [DeferredRequest] = []
  /// Where its connection comes from; `nil` for this machine.
  private(set) var address: PeerAddress?
  // The smaller fields come last, so that they share two words.
  /// The device's life.
  let life: UInt32
  let understandsSessions: Bool
  let understandsAudiences: Bool
  /// Whether it watches its session without a named place.
  private(set) var isSpectator = false
  /// Whether it is in its group only for the audience of its sessions, and is no member.
  private(set) var isVisitor = false
  /// Whether its credential no longer names its group, which has not stored its leaving yet.
  private(set) var isExpelled = false
  private(set) var isConnected: Bool
  /// Whether it comes from the journal, and has not come back since.
  private(set) var isRecovered: Bool
  /// Whether it receives its group's events, while it is connected.
  private(set) var followsGroup = false
  /// Whether it receives its session's events.
  private(set) var followsSession = false
  /// Whether it has come back, and has heard nothing of its session since.
  private(set) var awaitsState = false
  /// The eligibility that it was last told.
  private(set) var eligibility = Eligibility.ineligible(.notInGroup)

  /// - Parameter isRecovered: whether it comes from the journal, so that it is disconnected.
  init(_ attachment: Attachment, isRecovered: Bool = false) {
    identity = attachment.identity
    life = attachment.life
    understandsSessions = attachment.understandsSessions
    understandsAudiences = attachment.understandsAudiences
    isConnected = !isRecovered
    self.isRecovered = isRecovered
    address = attachment.address
    groups = attachment.groups
  }

  var device: DeviceID { identity.device }
  var user: UserID { identity.user }
  /// Whose allowance its requests are taken from; `nil` for a keeper.
  var payer: UserID? { identity.isKeeper ? nil : user }
  var place: Place {
    Place(group: group, session: session, isInAudience: isSpectator || isVisitor)
  }
  var member: Member { Member(identity: identity, understandsSessions: understandsSessions) }

  // MARK: The connection

  /// Marks the device as connected again.
  mutating func connect(_ attachment: Attachment) {
    isConnected = true
    address = attachment.address
    renew(attachment.identity, within: attachment.groups)
  }

  /// Notes what a newer credential says: the person's name, and the groups that it names.
  mutating func renew(_ identity: Identity, within groups: GroupGrants?) {
    self.identity = identity
    self.groups = groups
  }

  /// Whether its credential names a group, if it has to.
  func mayEnter(_ group: GroupID) -> Bool { groups?.matches(group) ?? true }

  /// Marks the device as disconnected: it follows nothing any more, and loses its offer.
  mutating func disconnect() {
    isConnected = false
    followsGroup = false
    followsSession = false
    awaitsState = false
    offered = nil
  }

  /// Notes that it has been told all that it missed.
  mutating func endRecovery() { isRecovered = false }

  // MARK: The group

  /// Notes that it is in a group, or about to join it.
  mutating func enter(_ id: GroupID) { group = id }

  /// Notes that it is in a group only for the audience of its sessions.
  mutating func visit(_ id: GroupID) {
    group = id
    isVisitor = true
  }

  /// Notes that a visitor is a member now.
  mutating func endVisit() { isVisitor = false }

  mutating func followGroup() { followsGroup = true }

  mutating func expel() { isExpelled = true }

  /// Removes the device from its group.
  mutating func leaveGroup() {
    group = nil
    isVisitor = false
    isExpelled = false
    followsGroup = false
  }

  /// Keeps a request until the joining of the group is stored.
  mutating func wait(with request: DeferredRequest) { deferred.append(request) }

  /// Removes and returns the requests that waited for the joining.
  mutating func takeDeferred() -> [DeferredRequest] {
    defer { deferred = [] }
    return deferred
  }

  /// Notes the eligibility that it is told.
  mutating func note(_ eligibility: Eligibility) { self.eligibility = eligibility }

  /// Restores the membership that the journal has; nobody is connected yet.
  mutating func restore(in id: GroupID) {
    group = id
    eligibility = .ineligible(.notConnected)
  }

  // MARK: The session

  /// Notes that it is about to join a session.
  mutating func enter(_ id: SessionID, as participant: ParticipantID) {
    session = id
    self.participant = participant
  }

  /// Notes that it takes part in a session.
  mutating func join(_ id: SessionID, as participant: ParticipantID) {
    enter(id, as: participant)
    offered = nil
  }

  /// Notes that it watches a session without a named place.
  mutating func watch(_ id: SessionID, as participant: ParticipantID) {
    join(id, as: participant)
    isSpectator = true
    departure = nil
  }

  /// Notes that a spectator has found a named place.
  mutating func endWatching() { isSpectator = false }

  mutating func followSession() { followsSession = true }

  /// Notes whether it has still to hear of its session after it came back.
  mutating func awaitState(_ awaitsState: Bool) { self.awaitsState = awaitsState }

  /// Removes the device from its session.
  mutating func leaveSession() {
    session = nil
    participant = nil
    isSpectator = false
    followsSession = false
  }

  /// Notes why it left a session, which is not offered again on its own.
  mutating func depart(from id: SessionID, _ reason: LeaveReason) { departure = .from(id, reason) }

  mutating func forgetDeparture() { departure = nil }

  mutating func offer(_ id: SessionID) { offered = id }

  /// Removes and returns the session that it was offered.
  mutating func takeOffer() -> SessionID? { offered.take() }
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
