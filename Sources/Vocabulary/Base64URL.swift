/// Bytes as text for URLs, headers and file names (RFC 4648, section 5).
///
/// Without the `=` at the end, as tokens and keys are written (RFC 7515).
package enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  /// The value of each byte of a text; 64 if it has none.
  private static let values = (0...UInt8.max).map { byte in
    UInt8(alphabet.firstIndex(of: byte) ?? alphabet.count)
  }

  /// The text of these bytes.
  package static func text(of bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    var waiting: UInt32 = 0
    var bits: UInt32 = 0
    for byte in bytes {
      waiting = waiting << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(waiting >> bits & 63)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(waiting << (6 - bits) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text.
  ///
  /// - Returns: `nil` unless it is the one text for them: nothing between the letters, no `=`, and
  ///   no bits set beyond the last byte. Two texts for one token would be two tokens.
  package static func bytes(of text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3 / 4)
    var waiting: UInt32 = 0
    var bits: UInt32 = 0
    for letter in text.utf8 {
      let value = values[Int(letter)]
      guard value < 64 else { return nil }
      waiting = (waiting << 6 | UInt32(value)) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: waiting >> bits))
      }
    }
    guard bits < 6, waiting & (1 << bits - 1) == 0 else { return nil }
    return bytes
  }
}
