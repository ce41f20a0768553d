package import JSON
package import Playback
import Vocabulary

extension ProposedTiming: JSONWritable {
  /// Writes an object.
  package func write(to writer: inout JSONWriter) {
    writer.object { encodeFields(into: &$0) }
  }

  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("mediaTime", mediaTime)
    writer.field("rate", rate)
  }

  /// Reads a field that holds a timing, if it is there.
  init?(
    decodingField name: String, of object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    guard let timing = try object.optionalObject(name) else { return nil }
    self.init(
      mediaTime: try timing.optionalMediaTime(within: bounds) ?? .zero,
      rate: try timing.optionalRate())
  }

  /// Reads fields that stand among others, if one of them is there.
  init?(decodingFieldsOf object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    let mediaTime = try object.optionalMediaTime(within: bounds)
    let rate = try object.optionalRate()
    guard mediaTime != nil || rate != nil else { return nil }
    self.init(mediaTime: mediaTime ?? .zero, rate: rate)
  }
}
