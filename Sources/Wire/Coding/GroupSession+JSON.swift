package import GroupSessions
package import JSON
import Playback
import Vocabulary

extension GroupSession: JSONWritable {
  /// Writes an object, for a status and for a journal's snapshot.
  package func write(to writer: inout JSONWriter) {
    writer.object { encodeFields(into: &$0) }
  }

  /// Writes the fields into the object that is open; whatever has no order of its own is sorted.
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
    writer.field("initialTiming", initialTiming)
    writer.array("participants") { writer in
      for participant in participants.values {
        writer.object { encode(participant, into: &$0) }
      }
    }
    playback.encodeFields(into: &writer)
    writer.field("queue", queue)
    if !declined.isEmpty { writer.field("declined", declined.sorted()) }
    if !banned.isEmpty { writer.field("banned", banned.sorted()) }
    invitations.encodeField(into: &writer)
    writer.field("joinBy", joinBy)
    writer.flag("initiatorHasJoined", initiatorHasJoined)
  }

  /// One object tells all of a participant: who, whether lost, and what its player does.
  private func encode(_ participant: Participant, into writer: inout JSONWriter) {
    participant.encodeFields(into: &writer)
    writer.field("lostUntil", lost[participant.id])
    playback.participants[participant.id]?.encodeFields(into: &writer)
  }

  /// Reads what ``encodeFields(into:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    let people = try People(decoding: object)
    self.init(
      id: try object.identifier("session", within: .line),
      group: try object.identifier("group", within: .line),
      initiator: try Initiator(decoding: object.object("initiator")),
      state: try State(decoding: object),
      seq: try object.count("seq"),
      activity: try GroupActivity(decoding: object.object("activity"), within: .line),
      revision: try object.count("revision"),
      control: try object.choice("control"),
      dismissalPolicy: try DismissalPolicy(decodingFieldOf: object),
      oneDevicePerUser: try object.flag("oneDevicePerUser"),
      initialTiming: try ProposedTiming(
        decodingField: "initialTiming", of: object, within: .line),
      participants: people.participants,
      lost: people.lost,
      playback: try CoordinatedPlayback(decoding: object, participants: people.players),
      queue: try Queue(decoding: object.object("queue")),
      declined: try object.devices("declined"),
      banned: try object.devices("banned"),
      invitations: try Invitations(decodingFieldOf: object),
      joinBy: try object.optionalInstant("joinBy", within: .line),
      initiatorHasJoined: try object.flag("initiatorHasJoined"))
  }
}

/// What the array of participants tells: it stands in three places of a session.
private struct People {
  var participants = Roster<Participant>()
  var lost: SortedMap<ParticipantID, Instant> = [:]
  var players: SortedMap<ParticipantID, CoordinatedParticipant> = [:]

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    try object.array("participants", maximum: .max).forEach { (value) throws(DecodingFlaw) in
      let object = try value.object()
      let participant = try Participant(decoding: object)
      let lostUntil = try object.optionalInstant("lostUntil", within: .line)
      participants.enter(participant)
      lost[participant.id] = lostUntil
      players[participant.id] = try CoordinatedParticipant(
        decoding: object, isConnected: lostUntil == nil)
    }
  }
}

extension GroupSession.State {
  /// The spellings of `state`.
  private enum Name: String, CaseIterable {
    case staged
    case open
    case ended
  }

  fileprivate func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .staged: writer.field("state", word: Name.staged)
    case .open: writer.field("state", word: Name.open)
    case .ended(let reason):
      writer.field("state", word: Name.ended)
      reason.encodeFields(into: &writer)
    }
  }

  fileprivate init(decoding object: JSONObject) throws(DecodingFlaw) {
    switch try object.choice("state", among: Name.self) {
    case .staged: self = .staged
    case .open: self = .open
    case .ended: self = .ended(try EndReason(decoding: object))
    }
  }
}

extension JSONObject {
  fileprivate func devices(_ name: String) throws(DecodingFlaw) -> Set<DeviceID> {
    guard let array = try optionalArray(name, maximum: .max) else { return [] }
    return Set(
      try array.map { (value) throws(DecodingFlaw) -> DeviceID in
        try value.identifier(within: .line)
      })
  }
}
