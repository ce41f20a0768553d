package import GroupSessions
package import JSON
import Vocabulary

extension GroupEvent: JSONWritable, Tagged, Fields {
  static let tag = "event"

  static let cases = CaseTable<GroupEvent>(
    Cases.opened, Cases.memberJoined, Cases.memberLeft, Cases.memberLost, Cases.memberResumed,
    Cases.interrupted, Cases.sharingSet, Cases.preferredDeviceSet, Cases.sessionStarted,
    Cases.sessionEnded, Cases.keyChanged, Cases.userAdmitted, Cases.userRemoved,
    Cases.objectUpdated, Cases.objectRemoved, Cases.emptied, Cases.closed)

  private enum Cases {
    static let opened = Case("opened", GroupEvent.opened, "user")
    static let memberJoined = Case("memberJoined", GroupEvent.memberJoined, .open)
    static let memberLeft = Case("memberLeft", GroupEvent.memberLeft, "device", "reason")
    static let memberLost = Case("memberLost", GroupEvent.memberLost, "device", "until")
    static let memberResumed = Case("memberResumed", GroupEvent.memberResumed, "device")
    static let interrupted = Case("interrupted", GroupEvent.interrupted, "until")
    static let sharingSet = Case("sharingSet", GroupEvent.sharingSet, "device", "sharing")
    static let preferredDeviceSet = Case(
      "preferredDeviceSet", GroupEvent.preferredDeviceSet, "user", "device")
    static let sessionStarted = Case(
      "sessionStarted", GroupEvent.sessionStarted, "session", "device")
    static let sessionEnded = Case("sessionEnded", GroupEvent.sessionEnded, "session")
    static let keyChanged = Case("keyChanged", GroupEvent.keyChanged, "generation")
    static let userAdmitted = Case("userAdmitted", GroupEvent.userAdmitted, "user")
    static let userRemoved = Case("userRemoved", GroupEvent.userRemoved, "user")
    static let objectUpdated = Case(
      "objectUpdated", GroupEvent.objectUpdated, "object", "set", "user")
    static let objectRemoved = Case("objectRemoved", GroupEvent.objectRemoved, "object", "user")
    static let emptied = Case("emptied", GroupEvent.emptied, "until")
    static let closed = Case("closed", GroupEvent.closed)
  }

  /// The spellings of `event`.
  package static var names: [String] { cases.names }

  /// Writes the fields into the open object.
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .opened(let user): Cases.opened.write(user, to: &writer)
    case .memberJoined(let member): Cases.memberJoined.write(member, to: &writer)
    case .memberLeft(let device, let reason): Cases.memberLeft.write((device, reason), to: &writer)
    case .memberLost(let device, let until): Cases.memberLost.write((device, until), to: &writer)
    case .memberResumed(let device): Cases.memberResumed.write(device, to: &writer)
    case .interrupted(let until): Cases.interrupted.write(until, to: &writer)
    case .sharingSet(let device, let isSharing):
      Cases.sharingSet.write((device, isSharing), to: &writer)
    case .preferredDeviceSet(let user, let device):
      Cases.preferredDeviceSet.write((user, device), to: &writer)
    case .sessionStarted(let session, let device):
      Cases.sessionStarted.write((session, device), to: &writer)
    case .sessionEnded(let session): Cases.sessionEnded.write(session, to: &writer)
    case .keyChanged(let generation): Cases.keyChanged.write(generation, to: &writer)
    case .userAdmitted(let user): Cases.userAdmitted.write(user, to: &writer)
    case .userRemoved(let user): Cases.userRemoved.write(user, to: &writer)
    case .objectUpdated(let object, let changes, let user):
      Cases.objectUpdated.write((object, changes, user), to: &writer)
    case .objectRemoved(let object, let user):
      Cases.objectRemoved.write((object, user), to: &writer)
    case .emptied(let until): Cases.emptied.write(until, to: &writer)
    case .closed: Cases.closed.write(to: &writer)
    }
  }

  /// Writes an object.
  package func write(to writer: inout JSONWriter) { put(to: &writer) }

  /// Reads what ``write(to:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object, within: .line)
  }
}

extension MemberLeaveReason: CodedWord {}

extension Group: JSONWritable, Fields {
  /// Writes an object, for a status and for a snapshot in the journal.
  package func write(to writer: inout JSONWriter) {
    put(to: &writer)
  }

  /// Writes the fields into the open object; the members are sorted by device.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("group", id)
    writer.field("seq", seq)
    writer.field("founder", founder)
    writer.array("members") { writer in
      for member in members.values {
        writer.object { writer in
          member.encodeFields(into: &writer)
          writer.field("lostUntil", lost[member.device])
        }
      }
    }
    if !preferredDevices.isEmpty {
      writer.array("preferredDevices") { writer in
        for (user, device) in preferredDevices {
          writer.object { writer in
            writer.field("user", user)
            writer.field("device", device)
          }
        }
      }
    }
    writer.field("session", session)
    writer.flag("closed", isClosed)
    writer.field("entry", entry)
    objects.encodeField(into: &writer)
  }

  /// Reads what ``write(to:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object, within: .line)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    var members = Roster<Member>()
    var lost: SortedMap<DeviceID, Instant> = [:]
    try object.array("members", maximum: .max).forEach { (value) throws(DecodingFlaw) in
      let object = try value.object()
      let member = try Member(decoding: object, within: bounds)
      members.enter(member)
      lost[member.device] = try object.optionalInstant("lostUntil", within: bounds)
    }
    self.init(
      id: try object.identifier("group", within: bounds),
      seq: try object.count("seq"),
      founder: try object.identifier("founder", within: bounds),
      members: members,
      lost: lost,
      preferredDevices: try Self.preferredDevices(in: object, within: bounds),
      session: try object.optionalIdentifier("session", within: bounds),
      isClosed: try object.flag("closed"),
      entry: try GroupEntry.optional("entry", of: object, within: bounds),
      objects: try GroupObjects(decodingFieldOf: object, within: bounds))
  }
}

extension GroupObjects: OwnField {
  /// Writes the field `objects`, unless there are none; they are sorted by name.
  func encodeField(into writer: inout JSONWriter) {
    guard !all.isEmpty else { return }
    writer.array("objects") { writer in
      for (id, object) in all {
        writer.object { writer in
          writer.field("object", id)
          writer.field("version", object.version)
          writer.payloadFields("fields", object.fields)
        }
      }
    }
  }

  /// Reads the field `objects`; absent means none.
  init(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    var objects: [(ObjectID, GroupObject)] = []
    try object.optionalArray("objects", maximum: .max)?.forEach { (value) throws(DecodingFlaw) in
      let object = try value.object()
      let id: ObjectID = try object.identifier("object", within: bounds)
      let content = GroupObject(
        version: try object.count("version"),
        fields: try object.payloadFields("fields", within: bounds))
      objects.append((id, content))
    }
    self.init(objects)
  }
}

extension GroupEntry: Record {
  static let layout = Layout(
    {
      GroupEntry(generation: $0 == 0 ? nil : $0, admitted: $1, removed: $2, closes: $3)
    },
    // Earlier versions require it.
    RecordField("generation", { $0.generation ?? 0 }), RecordField("admitted", \.admitted),
    RecordField("removed", \.removed), RecordField("closes", \.closes))
}

extension Group {
  private static func preferredDevices(
    in object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> SortedMap<UserID, DeviceID> {
    var devices: SortedMap<UserID, DeviceID> = [:]
    try object.optionalArray("preferredDevices", maximum: .max)?.forEach {
      (value) throws(DecodingFlaw) in
      let preference = try value.object()
      let user: UserID = try preference.identifier("user", within: bounds)
      devices[user] = try preference.identifier("device", within: bounds)
    }
    return devices
  }
}

extension Member: Record {
  static let layout = Layout(
    Member.init, RecordField("device", \.device), RecordField("user", \.user),
    RecordField("name", \.name),
    RecordField(.flag("keeper"), \.isKeeper), RecordField("sharing", \.isSharing),
    RecordField("understandsSessions", \.understandsSessions))
}
