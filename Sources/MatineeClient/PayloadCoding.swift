import FoundationEssentials
import Vocabulary

/// Apps' own values as JSON and back: the one use of Foundation, and only at an app's pace.
enum PayloadCoding {
  static func encode(_ value: some Encodable) throws(GroupWatchError) -> JSONText {
    let encoder = JSONEncoder()
    // Equal values must come out the same: that is what merges two activations of one thing.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return JSONText(validated: String(decoding: try encoder.encode(value), as: UTF8.self))
    } catch {
      throw GroupWatchError(
        .notEncodable, "the value cannot be written as JSON: \(error)",
        advice: "use only numbers that are finite")
    }
  }

  static func decode<Value: Decodable>(
    _ type: Value.Type, from payload: JSONText
  ) throws(GroupWatchError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(payload.text.utf8))
    } catch {
      throw GroupWatchError(
        .notEncodable, "what came cannot be read as \(type): \(error)",
        advice: "update whichever app is older")
    }
  }
}
