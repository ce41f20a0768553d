/// What the lines between a peer and a server travel in.
enum Carriage {
  /// Bytes over TCP, or TLS over it.
  case lines
  /// A WebSocket's frames, each with one line's text.
  case frames
}

/// A client's words on a WebSocket, as bytes (RFC 6455).
enum ClientWebSocket {
  /// The request for it; the key is that of the RFC's example, because nothing is in between.
  static let request =
    Array(
      """
      GET /ws HTTP/1.1\r
      Host: 127.0.0.1\r
      Connection: Upgrade\r
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      \r

      """.utf8)

  private static let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
  private static let lastText: UInt8 = 0x81
  private static let masked: UInt8 = 0x80

  /// A masked frame for each line.
  static func frames(of lines: [UInt8]) -> [UInt8] {
    lines.split(separator: UInt8(ascii: "\n")).flatMap { line in
      header(bytes: line.count) + mask
        + zip(line, line.indices).map { $0 ^ mask[($1 - line.startIndex) % mask.count] }
    }
  }

  private static func header(bytes count: Int) -> [UInt8] {
    precondition(count <= 0xFFFF, "a request of a benchmark is short")
    if count <= 125 { return [lastText, masked | UInt8(count)] }
    return [lastText, masked | 126, UInt8(count >> 8), UInt8(truncatingIfNeeded: count)]
  }
}

/// Reads what a server sends over a WebSocket: frames that are whole and not masked (RFC 6455, 5.2).
struct FrameReader {
  /// The part of a header that has come.
  private var header: [UInt8] = []
  /// The bytes of the frame's payload that have not come; `nil` within a header.
  private var missing: Int?
  /// The payload so far, if somebody listens.
  private var payload: [UInt8] = []

  private static let text: UInt8 = 0x81

  /// Takes in what arrived.
  ///
  /// - Parameters:
  ///   - isListening: whether `hand` is to get each text; otherwise none is copied.
  /// - Returns: the number of texts that are whole now.
  mutating func read(
    _ bytes: Span<UInt8>, isListening: Bool, _ hand: (Span<UInt8>) -> Void
  ) -> Int {
    var texts = 0
    var place = 0
    while place < bytes.count {
      if let missing {
        let part = min(missing, bytes.count - place)
        if isListening { for index in place..<place + part { payload.append(bytes[index]) } }
        place += part
        self.missing = missing - part
      } else {
        header.append(bytes[place])
        place += 1
        missing = payloadBytes
      }
      guard missing == 0 else { continue }
      if header[0] == Self.text {
        texts += 1
        if isListening { hand(payload.span) }
      }
      self = FrameReader()
    }
    return texts
  }

  /// The length that the header says; `nil` while it is not whole.
  private var payloadBytes: Int? {
    guard header.count >= 2 else { return nil }
    let width =
      switch header[1] {
      case 126: 2
      case 127: 8
      default: 0
      }
    guard header.count == 2 + width else { return nil }
    return width == 0 ? Int(header[1]) : header.dropFirst(2).reduce(0) { $0 << 8 | Int($1) }
  }
}
