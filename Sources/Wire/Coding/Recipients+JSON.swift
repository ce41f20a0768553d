import GroupSessions
import JSON
import Vocabulary

extension Recipients {
  /// Writes the field `to`, unless it is everyone.
  func encodeField(into writer: inout JSONWriter) {
    if case .only(let ids) = self { writer.field("to", ids) }
  }

  /// Reads the field `to`: "all", or an array of participants; absent is everyone.
  init(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    guard let value = object.optionalValue("to") else {
      self = .all
      return
    }
    if value.type == .string {
      guard try value.string(maximum: bounds.identifierBytes) == "all" else {
        throw value.outOfRange(allowed: "'all' or an array of participants")
      }
      self = .all
    } else {
      let ids = try value.array(maximum: bounds.participants).map {
        (id) throws(DecodingFlaw) -> ParticipantID in
        try id.identifier(within: bounds)
      }
      self = .only(ids)
    }
  }
}
