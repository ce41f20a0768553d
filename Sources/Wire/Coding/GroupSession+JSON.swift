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
    state.encodeFields(into: &writer)
    writer.field("seq", seq)
    writer.field("activity", activity)
    writer.field("revision", revision)
    writer.field("control", word: control)
    dismissalPolicy.encodeField(into: &writer)
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
    invitations.encodeField(into: &writer)
    chat.encodeField(into: &writer)
    attachments.encodeField(into: &writer)
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
      state: try State(decoding: object, within: bounds),
      seq: try object.count("seq"),
      activity: try GroupActivity.read("activity", of: object, within: bounds),
      revision: try object.count("revision"),
      control: try object.choice("control"),
      dismissalPolicy: try DismissalPolicy(decodingFieldOf: object),
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
      invitations: try Invitations(decodingFieldOf: object, within: bounds),
      chat: try Chat(decodingFieldOf: object, within: bounds),
      attachments: try Attachments(decodingFieldOf: object, within: bounds),
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

extension GroupSession.State: Fields {
  /// The spellings of `state`.
  private enum Name: String, CaseIterable {
    case staged
    case open
    case ended
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .staged: writer.field("state", word: Name.staged)
    case .open: writer.field("state", word: Name.open)
    case .ended(let reason):
      writer.field("state", word: Name.ended)
      reason.encodeFields(into: &writer)
    }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    switch try object.choice("state", among: Name.self) {
    case .staged: self = .staged
    case .open: self = .open
    case .ended: self = .ended(try EndReason(decoding: object, within: bounds))
    }
  }
}

extension Participant: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("participant", id)
    writer.field("user", user)
    writer.field("device", device)
    writer.field("name", name)
    writer.flag("keeper", isKeeper)
    writer.field("role", word: role)
    writer.field("joinedAt", joinedAt)
    if let isReadyToStart { writer.field("ready", isReadyToStart) }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      id: try object.identifier("participant", within: bounds),
      user: try object.identifier("user", within: bounds),
      device: try object.identifier("device", within: bounds),
      name: try object.string("name", maximum: .max),
      isKeeper: try object.flag("keeper"),
      role: try object.choice("role"),
      joinedAt: try object.instant("joinedAt", within: bounds),
      isReadyToStart: try object.optionalBool("ready"))
  }
}

extension Initiator: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("user", user)
    writer.field("device", device)
    writer.field("name", name)
    writer.flag("keeper", isKeeper)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      user: try object.identifier("user", within: bounds),
      device: try object.identifier("device", within: bounds),
      name: try object.string("name", maximum: .max),
      isKeeper: try object.flag("keeper"))
  }
}

extension Invitations: OwnField {
  /// Writes the field `invitations` of a session, if there are any.
  func encodeField(into writer: inout JSONWriter) {
    if !isEmpty { writer.field("invitations", Array(values)) }
  }

  /// Reads the field `invitations` of a session; it is absent in sessions from older journals.
  init(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(try object.optionalList("invitations", within: bounds))
  }
}

extension Invitation: Fields {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("user", user)
    writer.field("state", word: state)
    writer.field("seq", seq)
    writer.field("expires", expires)
    writer.field("by", inviter)
    writer.field("device", device)
    writer.flag("hasJoined", hasJoined)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      user: try object.identifier("user", within: bounds),
      seq: try object.count("seq"),
      expires: try object.instant("expires", within: bounds),
      inviter: try object.optionalIdentifier("by", within: bounds),
      state: try object.choice("state"),
      device: try object.optionalIdentifier("device", within: bounds),
      hasJoined: try object.flag("hasJoined"))
  }
}

extension Chat: OwnField {
  /// Writes the field `chat` of a session, if anything was said.
  func encodeField(into writer: inout JSONWriter) {
    if !lines.isEmpty { writer.field("chat", lines) }
  }

  /// Reads the field `chat` of a session; it is absent in sessions from older journals.
  init(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(try object.optionalList("chat", within: bounds))
  }
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
      payload: try object.payload(maximum: .max))
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
