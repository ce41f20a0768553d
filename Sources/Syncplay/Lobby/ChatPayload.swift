import JSON
import Vocabulary

/// A line of chat as a message of a session's messenger: `{"chat":"hello"}`.
enum ChatPayload {
  private static let key = "chat"

  static func payload(_ text: String) -> JSONText {
    var writer = JSONWriter(capacity: text.utf8.count + 16)
    writer.object { $0.field(key, text) }
    return JSONText(validated: String(decoding: writer.bytes, as: UTF8.self))
  }

  /// The line of a payload; `nil` if it is something else, as an app's own messages are.
  static func text(_ payload: JSONText, codePoints: Int) -> String? {
    guard payload.text.hasPrefix("{") else { return nil }
    // For the moment of the message: people talk seldom, and a value holds no parser.
    var parser = JSONParser(maximumBytes: payload.text.utf8.count)
    do throws(DecodingFlaw) {
      let text = try parser.parse(payload.text.utf8.span) { (object) throws(DecodingFlaw) in
        try object.optionalString(key, maximum: .max)
      }
      return text?.truncated(toCodePoints: codePoints)
    } catch {
      return nil
    }
  }
}
