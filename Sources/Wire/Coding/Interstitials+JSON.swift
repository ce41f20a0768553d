package import JSON
package import Playback
import Vocabulary

extension InterstitialRange: JSONWritable {
  /// Writes an object.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("start", start)
      writer.field("end", end)
    }
  }

  fileprivate init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      start: try object.mediaTime("start", within: bounds),
      end: try object.mediaTime("end", within: bounds))
  }
}

extension Interstitials {
  private static let field = "interstitials"

  /// Writes the field `interstitials`, if there are any.
  func encodeField(into writer: inout JSONWriter) {
    if !isEmpty { writer.field(Self.field, ranges) }
  }

  /// Reads the field `interstitials`; absent, there are none.
  init(decodingFieldOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    guard let array = try object.optionalArray(Self.field, maximum: bounds.interstitials) else {
      self.init()
      return
    }
    let ranges = try array.map { (value) throws(DecodingFlaw) in
      try InterstitialRange(decoding: value.object(), within: bounds)
    }
    guard let interstitials = Interstitials(ranges) else {
      throw object.outOfRange(
        Self.field, allowed: "ranges in order and apart, each with an end behind its start")
    }
    self = interstitials
  }
}
