import JSON
import Playback
import Vocabulary

extension SeekWindow {
  private static let field = "seekWindow"

  /// Writes the field `seekWindow`.
  func encodeField(into writer: inout JSONWriter) {
    writer.object(Self.field) { encodeFields(into: &$0) }
  }

  /// Writes the fields into the object that is open.
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    writer.field("start", start)
    writer.field("end", end)
    writer.flag("slides", slides)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    let window = SeekWindow(
      start: try object.mediaTime("start", within: bounds),
      end: try object.mediaTime("end", within: bounds), slides: try object.flag("slides"))
    guard let window else {
      throw object.outOfRange("end", allowed: "at or behind the start, which is at least 0")
    }
    self = window
  }

  /// Reads the field `seekWindow`.
  static func optional(
    in object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> SeekWindow? {
    guard let value = object.optionalValue(field) else { return nil }
    return try SeekWindow(decoding: value.object(), within: bounds)
  }
}

extension ToldSeekWindow {
  /// Writes the field `seekWindow`, with the instant at which it was like that.
  func encodeField(into writer: inout JSONWriter) {
    guard case .told(let window, let instant) = self else { return }
    writer.object("seekWindow") { writer in
      window.encodeFields(into: &writer)
      writer.field("at", instant)
    }
  }

  /// Reads the same.
  static func optional(in object: JSONObject) throws(DecodingFlaw) -> ToldSeekWindow? {
    guard let value = try object.optionalValue("seekWindow")?.object() else { return nil }
    return .told(
      try SeekWindow(decoding: value, within: .line), at: try value.instant("at", within: .line))
  }
}
