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
