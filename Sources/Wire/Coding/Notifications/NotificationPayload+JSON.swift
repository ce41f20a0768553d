package import JSON
package import UserNotifications

extension NotificationPayload: JSONWritable {
  /// Writes the payload as it travels: `aps`, and the fields beside it.
  package func write(to writer: inout JSONWriter) {
    PayloadValue.dictionary(fields).write(to: &writer)
  }

  /// Reads the field `payload`, which must be an object; what is wrong within it is as good as not
  /// there.
  package init(decodingFieldOf object: JSONObject) throws(DecodingFlaw) {
    try self.init(decodingFieldOf: object, within: .line)
  }

  init(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(try object.payloadFields("payload", within: bounds))
  }
}

extension NotificationPayload.Alert {
  /// Reads the field `alert` of a request: a text, or an object of texts as `aps` has it.
  init?(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    guard let value = object.optionalValue("alert") else { return nil }
    let field = try PayloadValue(decoding: value, levels: bounds.payloadLevels)
    guard let alert = Self(field) else {
      throw value.outOfRange(
        allowed: "a text that is not empty, or an object with a title, a subtitle or a body")
    }
    self = alert
  }
}
