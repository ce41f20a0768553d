import GroupSessions
import JSON
package import Vocabulary

/// A chat message in a session: `{"chat":"hello"}`.
package enum ChatLine {
  /// The payload of a chat message.
  package static func payload(_ text: String) -> JSONText {
    var writer = JSONWriter(capacity: text.utf8.count + 16)
    writer.object { $0.field(Chat.field, text) }
    return JSONText(validated: String(decoding: writer.bytes, as: UTF8.self))
  }

  /// The text of a chat message; `nil` for other messages, such as an app's own.
  package static func text(of payload: JSONText) -> String? {
    guard payload.text.hasPrefix("{") else { return nil }
    // A parser for this one call: chat is infrequent, and a value cannot keep a parser.
    var parser = JSONParser(maximumBytes: payload.text.utf8.count)
    do throws(DecodingFlaw) {
      return try parser.parse(payload.text.utf8.span) { (object) throws(DecodingFlaw) in
        try object.optionalString(Chat.field, maximum: .max)
      }
    } catch {
      return nil
    }
  }
}

extension JSONText {
  /// The text of a chat message, or a message that is only a string, without its quotation marks;
  /// `nil` for other messages.
  package var line: String? {
    if let line = ChatLine.text(of: self) { return line }
    guard text.hasPrefix("\""), text.hasSuffix("\""), text.count >= 2 else { return nil }
    return String(text.dropFirst().dropLast())
  }

  /// The readable text of a message: its ``line``, or else the JSON itself.
  package var spoken: String { line ?? text }
}
