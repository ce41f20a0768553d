import JSON
package import Vocabulary

/// A line of chat as a message of a session's messenger: `{"chat":"hello"}`.
package enum ChatLine {
  private static let key = "chat"

  /// The payload of a line.
  package static func payload(_ text: String) -> JSONText {
    var writer = JSONWriter(capacity: text.utf8.count + 16)
    writer.object { $0.field(key, text) }
    return JSONText(validated: String(decoding: writer.bytes, as: UTF8.self))
  }

  /// The line of a payload; `nil` if it is something else, as an app's own messages are.
  package static func text(of payload: JSONText) -> String? {
    guard payload.text.hasPrefix("{") else { return nil }
    // For the moment of the message: people talk seldom, and a value holds no parser.
    var parser = JSONParser(maximumBytes: payload.text.utf8.count)
    do throws(DecodingFlaw) {
      return try parser.parse(payload.text.utf8.span) { (object) throws(DecodingFlaw) in
        try object.optionalString(key, maximum: .max)
      }
    } catch {
      return nil
    }
  }
}

extension JSONText {
  /// What a message says to people: its line of chat, or the text of a string without its marks;
  /// anything else as it is.
  package var spoken: String {
    if let line = ChatLine.text(of: self) { return line }
    guard text.hasPrefix("\""), text.hasSuffix("\""), text.count >= 2 else { return text }
    return String(text.dropFirst().dropLast())
  }
}
