package import GroupSessions
package import JSON
import Playback
import Vocabulary

extension SessionEvent: JSONWritable {
  /// Writes an object, for a journal.
  package func write(to writer: inout JSONWriter) {
    writer.object { encodeFields(into: &$0) }
  }

  /// How the event is spelled.
  package var name: String {
    switch self {
    case .began: SessionChange.began.rawValue
    case .activated: SessionChange.activated.rawValue
    case .joined: SessionChange.joined.rawValue
    case .left: SessionChange.left.rawValue
    case .lost: SessionChange.lost.rawValue
    case .resumed: SessionChange.resumed.rawValue
    case .interrupted: SessionChange.interrupted.rawValue
    case .declined: SessionChange.declined.rawValue
    case .invited: SessionChange.invited.rawValue
    case .invitationAnswered: SessionChange.invitationAnswered.rawValue
    case .invitationsRevoked: SessionChange.invitationsRevoked.rawValue
    case .invitationsExpired: SessionChange.invitationsExpired.rawValue
    case .activitySet: SessionChange.activitySet.rawValue
    case .roleSet: SessionChange.roleSet.rawValue
    case .readinessSet: SessionChange.readinessSet.rawValue
    case .controlSet: SessionChange.controlSet.rawValue
    case .dismissalPolicySet: SessionChange.dismissalPolicySet.rawValue
    case .messageSent: SessionChange.messageSent.rawValue
    case .queue(let event, _): event.change.rawValue
    case .playback(let event): event.change.rawValue
    case .ended: SessionChange.ended.rawValue
    }
  }

  /// Writes the fields into the object that is open.
  package func encodeFields(into writer: inout JSONWriter) {
    writer.field("event", name)
    switch self {
    case .began(let beginning): beginning.encodeFields(into: &writer)
    case .activated(let initiator, let joinBy):
      writer.field("initiator", initiator)
      writer.field("joinBy", joinBy)
    case .declined(let device): writer.field("device", device)
    case .invited(let users, let expires, let source):
      writer.field("users", users)
      writer.field("expires", expires)
      writer.field("by", source)
    case .invitationAnswered(let user, let answer, let device):
      writer.field("user", user)
      writer.field("answer", word: answer)
      writer.field("device", device)
    case .invitationsRevoked(let users, let source):
      writer.field("users", users)
      writer.field("by", source)
    case .invitationsExpired(let users): writer.field("users", users)
    case .joined(let participant): participant.encodeFields(into: &writer)
    case .left(let participant, let reason):
      writer.field("participant", participant)
      reason.encodeFields(into: &writer)
    case .lost(let participant, let until):
      writer.field("participant", participant)
      writer.field("until", until)
    case .resumed(let participant): writer.field("participant", participant)
    case .interrupted(let until): writer.field("until", until)
    case .activitySet(let activity, let revision, let source):
      writer.field("activity", activity)
      writer.field("revision", revision)
      writer.field("by", source)
    case .roleSet(let participant, let role, let source):
      writer.field("participant", participant)
      writer.field("role", word: role)
      writer.field("by", source)
    case .readinessSet(let participant, let isReady, let source):
      writer.field("participant", participant)
      writer.field("ready", isReady)
      writer.field("by", source)
    case .controlSet(let control, let source):
      writer.field("control", word: control)
      writer.field("by", source)
    case .dismissalPolicySet(let policy, let source):
      writer.field("dismissalPolicy", word: policy)
      writer.field("by", source)
    case .messageSent(let payload, let recipients, let source):
      writer.payload(payload)
      recipients.encodeField(into: &writer)
      writer.field("by", source)
    case .queue(let event, let source):
      event.encodeFields(into: &writer)
      writer.field("by", source)
    case .playback(let event): event.encodeFields(into: &writer)
    case .ended(let reason): reason.encodeFields(into: &writer)
    }
  }
}

// MARK: Reading

extension SessionEvent {
  /// Reads what ``encodeFields(into:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    switch SessionEventName.spelled[try object.string("event", maximum: .max)] {
    case .session(let change): try self.init(change, decoding: object)
    case .queue(let change):
      self = .queue(
        try QueueEvent(change, decoding: object),
        by: try object.optionalIdentifier("by", within: .line))
    case .playback(let change):
      self = .playback(try PlaybackEvent(change, decoding: object))
    case nil: throw object.outOfRange("event", allowed: "an event of this protocol version")
    }
  }

  private init(_ change: SessionChange, decoding object: JSONObject) throws(DecodingFlaw) {
    switch change {
    case .began: self = .began(try SessionBeginning(decoding: object))
    case .activated:
      self = .activated(
        by: try Initiator(decoding: object.object("initiator")),
        joinBy: try object.instant("joinBy", within: .line))
    case .joined: self = .joined(try Participant(decoding: object))
    case .left: self = .left(try object.participant(), try LeaveReason(decoding: object))
    case .lost:
      self = .lost(try object.participant(), until: try object.instant("until", within: .line))
    case .resumed: self = .resumed(try object.participant())
    case .interrupted: self = .interrupted(until: try object.instant("until", within: .line))
    case .declined: self = .declined(try object.identifier("device", within: .line))
    case .invited, .invitationAnswered, .invitationsRevoked, .invitationsExpired:
      self = try Self.invitation(change, decoding: object)
    case .activitySet:
      self = .activitySet(
        try GroupActivity(decoding: object.object("activity"), within: .line),
        revision: try object.count("revision"), by: try object.source())
    case .roleSet:
      self = .roleSet(
        try object.participant(), try object.choice("role"),
        by: try object.optionalIdentifier("by", within: .line))
    case .readinessSet:
      self = .readinessSet(
        try object.participant(), try object.bool("ready"), by: try object.source())
    case .controlSet: self = .controlSet(try object.choice("control"), by: try object.source())
    case .dismissalPolicySet:
      self = .dismissalPolicySet(try object.choice("dismissalPolicy"), by: try object.source())
    case .messageSent:
      self = .messageSent(
        try object.payload(maximum: .max),
        to: try Recipients(decodingFieldOf: object, within: .line), by: try object.source())
    case .ended: self = .ended(try EndReason(decoding: object))
    }
  }
}

extension SessionEvent {
  /// Who was asked to come, and what became of it.
  private static func invitation(
    _ change: SessionChange, decoding object: JSONObject
  ) throws(DecodingFlaw) -> SessionEvent {
    switch change {
    case .invited:
      return .invited(
        try object.users(), expires: try object.instant("expires", within: .line),
        by: try object.optionalIdentifier("by", within: .line))
    case .invitationAnswered:
      return .invitationAnswered(
        try object.identifier("user", within: .line), try object.choice("answer"),
        on: try object.optionalIdentifier("device", within: .line))
    case .invitationsRevoked:
      return .invitationsRevoked(try object.users(), by: try object.source())
    default: return .invitationsExpired(try object.users())
    }
  }
}

extension JSONObject {
  /// The people whose invitations an event is about.
  fileprivate func users() throws(DecodingFlaw) -> [UserID] {
    try array("users", maximum: .max).map { (value) throws(DecodingFlaw) -> UserID in
      try value.identifier(within: .line)
    }
  }

  /// The participant an event is about.
  func participant() throws(DecodingFlaw) -> ParticipantID {
    try identifier("participant", within: .line)
  }

  /// The participant who made an event happen.
  func source() throws(DecodingFlaw) -> ParticipantID {
    try identifier("by", within: .line)
  }
}
