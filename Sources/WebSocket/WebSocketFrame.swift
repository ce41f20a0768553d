/// Frames that a server sends, as bytes: whole and not masked (RFC 6455, 5.2).
package enum WebSocketFrame {
  /// What stands before a text of so many bytes.
  package static func textHeader(bytes count: Int) -> [UInt8] {
    header(.text, bytes: count)
  }

  /// A text as one frame, which is made once and sent to everyone.
  package static func text(_ payload: Span<UInt8>) -> [UInt8] {
    var frame: [UInt8] = []
    frame.reserveCapacity(payload.count + headerBytes)
    frame += textHeader(bytes: payload.count)
    unsafe payload.withUnsafeBufferPointer { unsafe frame.append(contentsOf: $0) }
    return frame
  }

  /// A close with its code and a reason, of which at most 123 bytes are sent, whole letters.
  static func close(_ code: WebSocketCloseCode, _ reason: String = "") -> [UInt8] {
    precondition(code.maySend, "a close with \(code.rawValue) is never sent")
    var text = reason
    while text.utf8.count > reasonBytes { text.unicodeScalars.removeLast() }
    return header(.close, bytes: 2 + text.utf8.count)
      + [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)] + text.utf8
  }

  private enum Opcode: UInt8 {
    case text = 1
    case close = 8
  }

  /// The most that a server's header has.
  package static let headerBytes = 10
  /// The most that a close has behind its code: 125 bytes are a control frame's (RFC 6455, 5.5).
  private static let reasonBytes = 123
  private static let lastFrame: UInt8 = 0x80

  private static func header(_ opcode: Opcode, bytes count: Int) -> [UInt8] {
    let first = lastFrame | opcode.rawValue
    return switch count {
    case ...125: [first, UInt8(count)]
    case ...0xFFFF: [first, 126, UInt8(count >> 8), UInt8(truncatingIfNeeded: count)]
    default:
      [first, 127]
        + stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }
    }
  }
}

/// Why a side closes (RFC 6455, 7.4).
package struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static let normal = Self(rawValue: 1000)
  /// The server stops, or the page is left.
  package static let goingAway = Self(rawValue: 1001)
  package static let protocolError = Self(rawValue: 1002)
  /// A message of a kind that is not taken, such as a binary one.
  package static let unsupportedData = Self(rawValue: 1003)
  /// The close had no code; never sent.
  package static let none = Self(rawValue: 1005)
  package static let policyViolation = Self(rawValue: 1008)

  /// Whether a close may be sent with it (RFC 6455, 7.4.1 and 7.4.2).
  var maySend: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// Lets a client's bytes through frame by frame, control frames only once they are whole (RFC 6455,
/// 5.2 and 5.5).
///
/// wslay checks the reason of a close in each piece as if it began with the code, and so takes a letter
/// that is spread over two pieces for none. It judges frames; the gate only finds where they begin.
struct FrameGate {
  /// The bytes of the data frame that is passing through.
  private var left: UInt64 = 0

  private static let maskBytes = 4
  /// The longest payload of a control frame, and what the first byte of its kind has.
  private static let controlBytes = 125
  private static let controlBit: UInt8 = 0x08

  /// How many of these bytes, which are the next ones, may pass now; those have passed then.
  ///
  /// - Parameter most: how many are asked for; a control frame is never longer.
  mutating func pass(_ bytes: UnsafeRawBufferPointer, atMost most: Int) -> Int {
    if left == 0 {
      guard bytes.count >= 2 else { return 0 }
      let (kind, length) = unsafe (bytes[0], Int(bytes[1] & 0x7F))
      let mask = unsafe bytes[1] & 0x80 == 0 ? 0 : Self.maskBytes
      if kind & Self.controlBit != 0 {
        // A longer one is none, which the first two bytes say.
        let whole = length > Self.controlBytes ? bytes.count : 2 + mask + length
        return bytes.count < whole ? 0 : min(whole, most)
      }
      let extra = length == 126 ? 2 : length == 127 ? 8 : 0
      guard bytes.count >= 2 + extra else { return 0 }
      let written = unsafe bytes[2..<2 + extra].reduce(0) { $0 << 8 | UInt64($1) }
      let payload = extra == 0 ? UInt64(length) : written
      // Frames have less than 2⁶³ bytes (RFC 6455, 5.2). wslay refuses a longer one once it has the
      // header, so the header has to pass whatever it claims.
      left = UInt64(2 + extra + mask) + min(payload, UInt64(Int64.max))
    }
    let passing = min(bytes.count, most, Int(clamping: left))
    left -= UInt64(passing)
    return passing
  }
}
