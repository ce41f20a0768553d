package import JSON
import Vocabulary

extension ProtocolError {
  /// Writes the fields into the object that is open.
  package func encodeFields(into writer: inout JSONWriter) {
    writer.field("code", word: code)
    writer.field("message", message)
    writer.field("field", field)
    writer.field("limit", limit)
    writer.field("reason", reason)
    writer.field("session", session)
    writer.field("revision", revision)
    writer.field("seq", seq)
    writer.field("retryAfter", retryAfter)
  }

  /// Reads what ``encodeFields(into:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      try object.choice("code"),
      try object.optionalString("message", maximum: .max),
      field: try object.optionalString("field", maximum: .max),
      limit: try object.optionalInt("limit"),
      reason: try object.optionalString("reason", maximum: .max),
      session: try object.optionalIdentifier("session", within: .line),
      revision: try object.optionalCount("revision"),
      seq: try object.optionalCount("seq"),
      retryAfter: try object.optionalDuration("retryAfter", within: .line))
  }
}
