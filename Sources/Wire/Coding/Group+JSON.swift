package import GroupSessions
package import JSON
import Vocabulary

extension Group: JSONWritable {
  /// Writes an object, for a status and for a journal's snapshot.
  package func write(to writer: inout JSONWriter) {
    writer.object { encodeFields(into: &$0) }
  }

  /// Writes the fields into the object that is open; members stand in the order of their devices.
  package func encodeFields(into writer: inout JSONWriter) {
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
  }

  /// Reads what ``encodeFields(into:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    var members = Roster<Member>()
    var lost: SortedMap<DeviceID, Instant> = [:]
    try object.array("members", maximum: .max).forEach { (value) throws(DecodingFlaw) in
      let object = try value.object()
      let member = try Member(decoding: object)
      members.enter(member)
      lost[member.device] = try object.optionalInstant("lostUntil", within: .line)
    }
    self.init(
      id: try object.identifier("group", within: .line),
      seq: try object.count("seq"),
      founder: try object.identifier("founder", within: .line),
      members: members,
      lost: lost,
      preferredDevices: try Self.preferredDevices(in: object),
      session: try object.optionalIdentifier("session", within: .line),
      isClosed: try object.flag("closed"))
  }
}

extension Group {
  private static func preferredDevices(in object: JSONObject) throws(DecodingFlaw)
    -> SortedMap<UserID, DeviceID>
  {
    var devices: SortedMap<UserID, DeviceID> = [:]
    try object.optionalArray("preferredDevices", maximum: .max)?.forEach {
      (value) throws(DecodingFlaw) in
      let preference = try value.object()
      let user: UserID = try preference.identifier("user", within: .line)
      devices[user] = try preference.identifier("device", within: .line)
    }
    return devices
  }
}

extension Member {
  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("device", device)
    writer.field("user", user)
    writer.field("name", name)
    writer.flag("keeper", isKeeper)
    writer.field("sharing", isSharing)
    writer.field("understandsSessions", understandsSessions)
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      device: try object.identifier("device", within: .line),
      user: try object.identifier("user", within: .line),
      name: try object.string("name", maximum: .max),
      isKeeper: try object.flag("keeper"),
      isSharing: try object.bool("sharing"),
      understandsSessions: try object.bool("understandsSessions"))
  }
}
