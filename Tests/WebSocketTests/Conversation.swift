import WebSocket

/// A session and all that came of its client's bytes, in words: `text hello`, `pong x`,
/// `close 1000`.
final class Conversation {
  static let maximumBytes = 1_000
  static let maximumFrames = 10

  let session = WebSocketSession(
    maximumBytes: Conversation.maximumBytes, maximumFrames: Conversation.maximumFrames)
  private var texts: [String] = []
  private var answers: [String] = []
  /// The most bytes that waited for the rest of their frame.
  private(set) var mostKept = 0
  /// The client's texts, then what the server sent.
  var events: [String] { texts + answers }

  /// What comes of these bytes if they arrive in pieces of this size; ends with `over` if nothing
  /// more is listened to.
  static func events(_ bytes: [UInt8], inPiecesOf size: Int) -> [String] {
    let conversation = Conversation()
    conversation.receive(bytes, inPiecesOf: size)
    return conversation.events + (conversation.session.isOver ? ["over"] : [])
  }

  func receive(_ bytes: [UInt8], inPiecesOf size: Int = .max) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(size))
      rest = rest.dropFirst(piece.count)
      session.receive(piece.span) { message in
        let bytes = message.indices.map { message[$0] }
        texts.append(Self.words("text", bytes))
      }
      takeOutput()
      mostKept = max(mostKept, session.keptBytes)
    }
  }

  /// Reads the frames that the server sends.
  func takeOutput() {
    var rest = session.takeOutput()[...]
    while let frame = ServerFrame(takenFrom: &rest) { answers.append(frame.words) }
  }

  static func words(_ what: String, _ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    // Long texts are told by their length.
    return bytes.isEmpty ? what : "\(what) \(bytes.count > 150 ? "\(bytes.count) bytes" : text)"
  }
}

/// A frame from a server, read with as little as that takes.
private struct ServerFrame {
  let words: String

  /// `nil` if there are no more bytes; `broken` for anything that a server never sends.
  init?(takenFrom rest: inout ArraySlice<UInt8>) {
    guard let first = rest.popFirst() else { return nil }
    guard let count = rest.popFirst(), count <= 125, rest.count >= Int(count) else {
      (words, rest) = ("broken", [])
      return
    }
    let payload = Array(rest.prefix(Int(count)))
    rest = rest.dropFirst(Int(count))
    switch first {
    case 0x88 where payload.isEmpty: words = "close"
    case 0x88 where payload.count > 1:
      words = Conversation.words(
        "close \(UInt16(payload[0]) << 8 | UInt16(payload[1]))", Array(payload.dropFirst(2)))
    case 0x8A: words = Conversation.words("pong", payload)
    default: words = "broken"
    }
  }
}
