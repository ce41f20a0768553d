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

/// What a participant tells of "start when all are ready", as the payload of a message in a session.
package enum CountdownLine: Equatable, Sendable {
  /// Somebody wants it to start when all are ready: `{"countdown":{}}`.
  case wanted
  /// All are ready, and it starts at this instant: `{"countdown":{"at":1795672573500139}}`.
  case starts(Instant)
  /// It was taken back: `{"countdown":null}`.
  case takenBack

  private static let key = "countdown"
  /// JavaScript's largest safe integer.
  private static let latest: Int64 = 1 << 53 - 1

  /// The payload of the message.
  package var payload: JSONText {
    var writer = JSONWriter(capacity: 48)
    writer.object { writer in
      switch self {
      case .wanted: writer.object(Self.key) { _ in }
      case .starts(let instant): writer.object(Self.key) { $0.field("at", instant) }
      case .takenBack: writer.null(Self.key)
      }
    }
    return JSONText(validated: String(decoding: writer.bytes, as: UTF8.self))
  }

  /// Reads a payload; `nil` for other messages and for nonsense.
  package init?(_ payload: JSONText) {
    guard payload.text.hasPrefix("{"), payload.text.contains("\"\(Self.key)\"") else { return nil }
    // A parser for this one call: countdowns are rare, and a value cannot keep a parser.
    var parser = JSONParser(maximumBytes: payload.text.utf8.count)
    var found: CountdownLine?
    do throws(DecodingFlaw) {
      try parser.parse(payload.text.utf8.span) { (object) throws(DecodingFlaw) in
        try object.forEachField(nameMaximum: .max) { (name, value) throws(DecodingFlaw) in
          guard name == Self.key else { return }
          guard value.type != .null else { return found = .takenBack }
          let at = try value.object().optionalInt64("at", in: 0...Self.latest)
          found = at.map { .starts(Instant(microseconds: $0)) } ?? .wanted
        }
      }
    } catch {
      return nil
    }
    guard let found else { return nil }
    self = found
  }
}
