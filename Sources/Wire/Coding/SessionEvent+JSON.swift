package import GroupSessions
package import JSON
import Playback
import Vocabulary

extension SessionEvent: JSONWritable, Tagged, Fields {
  static let tag = "event"

  static let cases: CaseTable<SessionEvent> = {
    var cases = CaseTable(
      Cases.began, Cases.activated, Cases.joined, Cases.left, Cases.lost, Cases.resumed,
      Cases.interrupted, Cases.declined, Cases.invited, Cases.invitationAnswered,
      Cases.invitationsRevoked, Cases.invitationsExpired, Cases.activitySet, Cases.roleSet,
      Cases.readinessSet, Cases.controlSet, Cases.dismissalPolicySet, Cases.messageSent,
      Cases.attachmentAdded, Cases.attachmentRemoved, Cases.ended)
    cases.insert(QueueEvent.cases) { (event, object, bounds) throws(DecodingFlaw) in
      .queue(event, by: try object.optionalIdentifier("by", within: bounds))
    }
    cases.insert(PlaybackEvent.cases) { (event, _, _) in .playback(event) }
    return cases
  }()

  private enum Cases {
    static let began = Case("began", SessionEvent.began, .open)
    static let activated = Case("activated", SessionEvent.activated, "initiator", "joinBy")
    static let joined = Case("joined", SessionEvent.joined, .open)
    static let left = Case("left", SessionEvent.left, "participant", .open)
    static let lost = Case("lost", SessionEvent.lost, "participant", "until")
    static let resumed = Case("resumed", SessionEvent.resumed, "participant")
    static let interrupted = Case("interrupted", SessionEvent.interrupted, "until")
    static let declined = Case("declined", SessionEvent.declined, "device")
    static let invited = Case("invited", SessionEvent.invited, "users", "expires", "by")
    static let invitationAnswered = Case(
      "invitationAnswered", SessionEvent.invitationAnswered, "user", "answer", "device")
    static let invitationsRevoked = Case(
      "invitationsRevoked", SessionEvent.invitationsRevoked, "users", "by")
    static let invitationsExpired = Case(
      "invitationsExpired", SessionEvent.invitationsExpired, "users")
    static let activitySet = Case(
      "activitySet", SessionEvent.activitySet, "activity", "revision", "by")
    static let roleSet = Case("roleSet", SessionEvent.roleSet, "participant", "role", "by")
    static let readinessSet = Case(
      "readinessSet", SessionEvent.readinessSet, "participant", "ready", "by")
    static let controlSet = Case("controlSet", SessionEvent.controlSet, "control", "by")
    static let dismissalPolicySet = Case(
      "dismissalPolicySet", SessionEvent.dismissalPolicySet, "dismissalPolicy", "by")
    static let messageSent = Case("messageSent", SessionEvent.messageSent, .payload, "to", "by")
    static let attachmentAdded = Case("attachmentAdded", SessionEvent.attachmentAdded, .open)
    static let attachmentRemoved = Case(
      "attachmentRemoved", SessionEvent.attachmentRemoved, "attachment", "by")
    static let ended = Case("ended", SessionEvent.ended, .open)
  }

  /// The spellings of `event`.
  package static var names: [String] { cases.names }

  /// Writes the fields into the open object.
  package func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .began(let beginning): Cases.began.write(beginning, to: &writer)
    case .activated(let initiator, let joinBy):
      Cases.activated.write((initiator, joinBy), to: &writer)
    case .joined(let participant): Cases.joined.write(participant, to: &writer)
    case .left(let participant, let reason): Cases.left.write((participant, reason), to: &writer)
    case .lost(let participant, let until): Cases.lost.write((participant, until), to: &writer)
    case .resumed(let participant): Cases.resumed.write(participant, to: &writer)
    case .interrupted(let until): Cases.interrupted.write(until, to: &writer)
    case .declined(let device): Cases.declined.write(device, to: &writer)
    case .invited(let users, let expires, let source):
      Cases.invited.write((users, expires, source), to: &writer)
    case .invitationAnswered(let user, let answer, let device):
      Cases.invitationAnswered.write((user, answer, device), to: &writer)
    case .invitationsRevoked(let users, let source):
      Cases.invitationsRevoked.write((users, source), to: &writer)
    case .invitationsExpired(let users): Cases.invitationsExpired.write(users, to: &writer)
    case .activitySet(let activity, let revision, let source):
      Cases.activitySet.write((activity, revision, source), to: &writer)
    case .roleSet(let participant, let role, let source):
      Cases.roleSet.write((participant, role, source), to: &writer)
    case .readinessSet(let participant, let isReady, let source):
      Cases.readinessSet.write((participant, isReady, source), to: &writer)
    case .controlSet(let control, let source):
      Cases.controlSet.write((control, source), to: &writer)
    case .dismissalPolicySet(let policy, let source):
      Cases.dismissalPolicySet.write((policy, source), to: &writer)
    case .messageSent(let payload, let recipients, let source):
      Cases.messageSent.write((payload, recipients, source), to: &writer)
    case .attachmentAdded(let attachment): Cases.attachmentAdded.write(attachment, to: &writer)
    case .attachmentRemoved(let id, let source):
      Cases.attachmentRemoved.write((id, source), to: &writer)
    case .queue(let event, let source):
      event.encodeFields(into: &writer)
      writer.field("by", source)
    case .playback(let event): event.encodeFields(into: &writer)
    case .ended(let reason): Cases.ended.write(reason, to: &writer)
    }
  }

  /// Writes an object.
  package func write(to writer: inout JSONWriter) { put(to: &writer) }

  /// Reads what ``write(to:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object, within: .line)
  }
}

// MARK: Parts

extension SessionBeginning: Record {
  static let layout = Layout(
    SessionBeginning.init, RecordField("group", \.group), RecordField("activity", \.activity),
    RecordField("initiator", \.initiator), RecordField(.flag("staged"), \.isStaged),
    RecordField("control", \.control),
    RecordField("waitingPolicy", \.waitingPolicy, fallback: .keepGoing),
    RecordField("dismissalPolicy", \.dismissalPolicy, absent: .unsaid),
    RecordField("initialTiming", \.initialTiming),
    RecordField(.flag("oneDevicePerUser"), \.oneDevicePerUser),
    RecordField(.flag("audience"), \.hasAudience), RecordField("joinBy", \.joinBy))
}

extension DismissalPolicy {
  /// The policy of a session without the field, for example from an older journal; new sessions get
  /// the server's default instead.
  static let unsaid = DismissalPolicy.endsWithInitiator
}

extension EndReason: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("reason", word: name)
    switch self {
    case .endedBy(let participant), .dismissedBy(let participant): writer.field("by", participant)
    case .replaced(let session): writer.field("replacedBy", session)
    case .initiatorLeft, .withdrawn, .neverJoined, .empty, .groupClosed, .serverShutdown: break
    }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    switch try object.choice("reason", among: Name.self) {
    case .endedBy: self = .endedBy(try object.identifier("by", within: bounds))
    case .dismissedBy: self = .dismissedBy(try object.identifier("by", within: bounds))
    case .initiatorLeft: self = .initiatorLeft
    case .replaced: self = .replaced(by: try object.identifier("replacedBy", within: bounds))
    case .withdrawn: self = .withdrawn
    case .neverJoined: self = .neverJoined
    case .empty: self = .empty
    case .groupClosed: self = .groupClosed
    case .serverShutdown: self = .serverShutdown
    }
  }
}

extension LeaveReason: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("reason", word: name)
    switch self {
    case .left, .dismissed, .connectionLost: break
    case .removed(let host, let isBanned):
      writer.field("by", host)
      writer.field("banned", isBanned)
    case .handedOff(let participant): writer.field("to", participant)
    }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    switch try object.choice("reason", among: Name.self) {
    case .left: self = .left
    case .dismissed: self = .dismissed
    case .removed:
      self = .removed(
        by: try object.identifier("by", within: bounds), isBanned: try object.bool("banned"))
    case .connectionLost: self = .connectionLost
    case .handedOff: self = .handedOff(to: try object.identifier("to", within: bounds))
    }
  }
}
