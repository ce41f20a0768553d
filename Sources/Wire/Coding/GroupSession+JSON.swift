package import GroupSessions
package import JSON
import Playback
import Vocabulary

extension GroupSession: JSONWritable, Fields {
  /// Writes an object, for a status and for a snapshot in the journal.
  package func write(to writer: inout JSONWriter) {
    put(to: &writer)
  }

  /// Writes the fields into the open object; sets are sorted.
  package func encodeFields(into writer: inout JSONWriter) {
    writer.field("session", id)
    writer.field("group", group)
    writer.field("initiator", initiator)
    writer.field("stagedBy", stagedBy)
    state.encodeFields(into: &writer)
    writer.field("seq", seq)
    writer.field("activity", activity)
    writer.field("revision", revision)
    writer.field("control", word: control)
    if dismissalPolicy != .unsaid { writer.field("dismissalPolicy", word: dismissalPolicy) }
    writer.flag("oneDevicePerUser", oneDevicePerUser)
    writer.flag("audience", hasAudience)
    writer.field("initialTiming", initialTiming)
    writer.array("participants") { writer in
      for participant in participants.values {
        writer.object { encode(participant, into: &$0) }
      }
    }
    playback.encodeFields(into: &writer)
    writer.field("queue", queue)
    if !declined.isEmpty { writer.field("declined", declined.sorted()) }
    if !listeners.isEmpty { writer.field("listeners", listeners.sorted()) }
    if !banned.devices.isEmpty { writer.field("banned", banned.devices.sorted()) }
    if !banned.users.isEmpty { writer.field("bannedUsers", banned.users.sorted()) }
    writer.list("invitations", Array(invitations.values))
    writer.list("chat", chat.lines)
    writer.list("attachments", attachments.list)
    writer.field("joinBy", joinBy)
    writer.flag("initiatorHasJoined", initiatorHasJoined)
  }

  /// Writes a participant with its grace period and its player's state, which the session stores
  /// separately.
  private func encode(_ participant: Participant, into writer: inout JSONWriter) {
    participant.encodeFields(into: &writer)
    writer.field("lostUntil", lost[participant.id])
    playback.participants[participant.id]?.encodeFields(into: &writer)
  }

  /// Reads what ``write(to:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object, within: .line)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    let people = try People(decoding: object, within: bounds)
    self.init(
      id: try object.identifier("session", within: bounds),
      group: try object.identifier("group", within: bounds),
      initiator: try Initiator.read("initiator", of: object, within: bounds),
      stagedBy: try object.optionalIdentifier("stagedBy", within: bounds),
      state: try State(decoding: object, within: bounds),
      seq: try object.count("seq"),
      activity: try GroupActivity.read("activity", of: object, within: bounds),
      revision: try object.count("revision"),
      control: try object.choice("control"),
      dismissalPolicy: try object.optionalChoice("dismissalPolicy") ?? .unsaid,
      oneDevicePerUser: try object.flag("oneDevicePerUser"),
      hasAudience: try object.flag("audience"),
      initialTiming: try ProposedTiming.optional("initialTiming", of: object, within: bounds),
      participants: people.participants,
      lost: people.lost,
      playback: try CoordinatedPlayback(
        decoding: object, within: bounds, participants: people.players),
      queue: try Queue.read("queue", of: object, within: bounds),
      declined: try Set(object.optionalList("declined", within: bounds)),
      listeners: try Set(object.optionalList("listeners", within: bounds)),
      banned: Bans(
        devices: try Set(object.optionalList("banned", within: bounds)),
        users: try Set(object.optionalList("bannedUsers", within: bounds))),
      invitations: try Invitations(object.optionalList("invitations", within: bounds)),
      chat: try Chat(object.optionalList("chat", within: bounds)),
      attachments: try Attachments(object.optionalList("attachments", within: bounds)),
      joinBy: try object.optionalInstant("joinBy", within: bounds),
      initiatorHasJoined: try object.flag("initiatorHasJoined"))
  }
}

/// The contents of the array of participants, which a session stores in three places.
private struct People {
  var participants = Roster<Participant>()
  var lost: SortedMap<ParticipantID, Instant> = [:]
  var players: SortedMap<ParticipantID, CoordinatedParticipant> = [:]

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    try object.array("participants", maximum: .max).forEach { (value) throws(DecodingFlaw) in
      let object = try value.object()
      let participant = try Participant(decoding: object, within: bounds)
      let lostUntil = try object.optionalInstant("lostUntil", within: bounds)
      participants.enter(participant)
      lost[participant.id] = lostUntil
      players[participant.id] = try CoordinatedParticipant(
        decoding: object, within: bounds, isConnected: lostUntil == nil)
    }
  }
}

extension GroupSession.State: Tagged, Fields {
  static let tag = "state"
  static let cases = CaseTable<GroupSession.State>(Cases.staged, Cases.open, Cases.ended)

  private enum Cases {
    static let staged = Case("staged", GroupSession.State.staged)
    static let open = Case("open", GroupSession.State.open)
    static let ended = Case("ended", GroupSession.State.ended, .open)
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .staged: Cases.staged.write(to: &writer)
    case .open: Cases.open.write(to: &writer)
    case .ended(let reason): Cases.ended.write(reason, to: &writer)
    }
  }
}

extension Participant: Record {
  static let layout = Layout(
    Participant.init, RecordField("participant", \.id), RecordField("user", \.user),
    RecordField("device", \.device),
    RecordField("name", \.name), RecordField(.flag("keeper"), \.isKeeper),
    RecordField("role", \.role),
    RecordField("joinedAt", \.joinedAt), RecordField("ready", \.isReadyToStart))
}

extension Initiator: Record {
  static let layout = Layout(
    Initiator.init, RecordField("user", \.user), RecordField("device", \.device),
    RecordField("name", \.name),
    RecordField(.flag("keeper"), \.isKeeper))
}

extension Invitation.State: CodedWord {}

extension Invitation: Record {
  static let layout = Layout(
    {
      Invitation(user: $0, seq: $2, expires: $3, inviter: $4, state: $1, device: $5, hasJoined: $6)
    },
    RecordField("user", \.user), RecordField("state", \.state), RecordField("seq", \.seq),
    RecordField("expires", \.expires),
    RecordField("by", \.inviter), RecordField("device", \.device),
    RecordField(.flag("hasJoined"), \.hasJoined))
}

extension Chat.Line: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("seq", seq)
    writer.field("at", at)
    writer.field("from", by)
    writer.field("name", name)
    writer.field("payload", payload)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      seq: try object.count("seq"), at: try object.instant("at", within: bounds),
      by: try object.identifier("from", within: bounds),
      name: try object.string("name", maximum: .max),
      payload: try object.payload(maximum: .max, levels: .max))
  }
}

extension SessionSnapshot: Fields {
  static let type = "snapshot"

  /// Writes the session's fields, and the receiver's participant.
  func encodeFields(into writer: inout JSONWriter) {
    encodeReceiver(into: &writer)
    session.encodeFields(into: &writer)
  }

  /// Writes what is different for each receiver.
  func encodeReceiver(into writer: inout JSONWriter) {
    writer.field("participant", participant)
    writer.field("at", at)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      session: try GroupSession(decoding: object, within: bounds),
      participant: try object.identifier("participant", within: bounds),
      at: try object.instant("at", within: bounds))
  }
}
