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
