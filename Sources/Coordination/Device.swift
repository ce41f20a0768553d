import GroupSessions
import Vocabulary
import Wire

/// One device, with or without a connection.
struct Device: Equatable, Sendable {
  let identity: Identity
  let token: ResumeToken
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
  /// Its late requests and what was answered.
  var answers = AnswerMemory()
  // The smaller fields stand last, where they fill a word together.
  /// Counts hellos that were no resumption, over all devices.
  let life: UInt32
  /// Its connection; `nil` while it is lost.
  var peer: PeerID?
  let understandsSessions: Bool
  /// Whether its hello is kept, or about to be.
  var isKept = false
  /// What it was last told of its eligibility.
  var eligibility = Eligibility.ineligible(.notInGroup)

  var id: DeviceID { identity.device }

  var greeting: Greeting {
    Greeting(identity: identity, token: token, understandsSessions: understandsSessions)
  }

  var member: Member { Member(identity: identity, understandsSessions: understandsSessions) }
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
