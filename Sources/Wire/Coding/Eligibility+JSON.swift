import GroupSessions
import JSON

extension Eligibility {
  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .eligible: writer.field("eligible", true)
    case .ineligible(let reason):
      writer.field("eligible", false)
      writer.field("reason", word: reason)
    }
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self = try object.bool("eligible") ? .eligible : .ineligible(try object.choice("reason"))
  }
}
