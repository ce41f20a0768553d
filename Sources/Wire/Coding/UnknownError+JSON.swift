import JSON

extension UnknownError {
  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("code", code)
    writer.field("message", message)
  }

  /// Reads an error; `nil` if its code is a known one.
  init?(decoding object: JSONObject, isLast: Bool) throws(DecodingFlaw) {
    let code = try object.string("code", maximum: .max)
    guard ErrorCode(rawValue: code) == nil else { return nil }
    let message = try object.optionalString("message", maximum: .max)
    self.init(code: code, message: message ?? code, isLast: isLast)
  }
}
