package import GroupSessions
package import JSON
import Vocabulary

extension Participant {
  /// Writes the fields into the object that is open.
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

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      id: try object.identifier("participant", within: .line),
      user: try object.identifier("user", within: .line),
      device: try object.identifier("device", within: .line),
      name: try object.string("name", maximum: .max),
      isKeeper: try object.flag("keeper"),
      role: try object.choice("role"),
      joinedAt: try object.instant("joinedAt", within: .line),
      isReadyToStart: try object.optionalBool("ready"))
  }
}

extension Initiator: JSONWritable {
  /// Writes an object.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("user", user)
      writer.field("device", device)
      writer.field("name", name)
      writer.flag("keeper", isKeeper)
    }
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      user: try object.identifier("user", within: .line),
      device: try object.identifier("device", within: .line),
      name: try object.string("name", maximum: .max),
      isKeeper: try object.flag("keeper"))
  }
}
