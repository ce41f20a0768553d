import GroupSessions
import JSON
import Vocabulary

extension SessionSnapshot {
  /// Writes the session's fields, and whose snapshot this is.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("participant", participant)
    writer.field("at", at)
    session.encodeFields(into: &writer)
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      session: try GroupSession(decoding: object),
      participant: try object.identifier("participant", within: .line),
      at: try object.instant("at", within: .line))
  }
}
