import WebSocket

/// A server's side of WebSocket.
///
/// An input is a byte, which tells in which pieces the frames arrive, and the frames.
final class WebSocketBytes: FuzzTarget {
  static let name = "websocket"
  static let claim =
    "frames are the same texts in any pieces, all UTF-8 and none too long, and cost no more than they are"

  private static let maximumBytes = 300
  /// The most that a close has: its header, its code, and a reason.
  private static let closeBytes = 127

  init() {}

  static func seeds() -> [[UInt8]] {
    // The mask is of zeros, so that what is to be found stands in the bytes.
    let frame = { (first: UInt8, payload: [UInt8]) in
      [first, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
    }
    let frames = [
      frame(0x81, Array("héllo".utf8)), frame(0x01, Array("h".utf8)) + frame(0x80, Array("i".utf8)),
      frame(0x89, [1, 2]), frame(0x8A, []), frame(0x88, [3, 0xE8, 0x68]), frame(0x82, [1]),
      [0x81, 0xFE, 0, 126, 0, 0, 0, 0] + [UInt8](repeating: 0x61, count: 126),
      // A close whose reason is no UTF-8, and is not whole.
      [0x88, 0xC3, 0, 0, 0, 0x5D, 0, 3, 0xE8, 0x68],
      // One whose reason has a letter of three bytes.
      frame(0x88, [3, 0xE8, 0x61] + Array("日本".utf8)),
      [0x81, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x61],
    ]
    return (frames + [frames.flatMap(\.self)]).flatMap { bytes in [0, 1, 3].map { [$0] + bytes } }
  }

  func check(_ input: [UInt8]) throws {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    let whole = try read(bytes, inPiecesOf: max(1, bytes.count))
    let pieces = try read(bytes, inPiecesOf: max(1, Int(first)))
    try require(whole == pieces, else: "pieces make \(pieces), not \(whole)")
  }

  private struct Outcome: Equatable {
    var texts: [[UInt8]] = []
    var isOpen = true
    var isOver = false
    var code: WebSocketCloseCode?
  }

  private func read(_ bytes: [UInt8], inPiecesOf size: Int) throws -> Outcome {
    let session = WebSocketSession(maximumBytes: Self.maximumBytes, maximumFrames: 8)
    var outcome = Outcome()
    var rest = bytes[...]
    var sent = 0
    while !rest.isEmpty {
      session.receive(Array(rest.prefix(size)).span) { text in
        outcome.texts.append(text.indices.map { text[$0] })
      }
      rest = rest.dropFirst(size)
      sent += session.takeOutput().count
    }
    try require(sent <= bytes.count + Self.closeBytes, else: "it is answered with \(sent) bytes")
    for text in outcome.texts {
      try require(text.count <= Self.maximumBytes, else: "a text has \(text.count) bytes")
      try require(
        String(validating: text, as: UTF8.self) != nil, else: "\(String(shown: text)) is no text")
    }
    (outcome.isOpen, outcome.isOver) = (session.isOpen, session.isOver)
    outcome.code = session.clientCode
    return outcome
  }
}
