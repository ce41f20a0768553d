internal import CZlib

/// Packing of contents that are made once and sent often (RFC 1952), by zlib.
package enum Gzip {
  /// Contents as small as this fit one packet with the head, so packing gains nothing.
  private static let leastBytes = 1024
  /// The window of 32 KiB, with a head and a check sum of gzip instead of zlib's.
  private static let window: Int32 = 15 + 16
  private static let memory: Int32 = 9

  /// The packed content; `nil` if it would be hardly smaller.
  package static func packed(_ content: [UInt8]) -> [UInt8]? {
    guard content.count >= leastBytes else { return nil }
    var stream = unsafe z_stream()
    let isReady = unsafe deflateInit2_(
      &stream, Z_BEST_COMPRESSION, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard isReady == Z_OK else { return nil }
    defer { unsafe deflateEnd(&stream) }
    // What is not smaller by a tenth is sent as it is.
    let most = content.count * 9 / 10
    var input = content
    let packed = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      unsafe input.withUnsafeMutableBufferPointer { input in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = UInt32(input.count)
        unsafe stream.next_out = buffer.baseAddress
        unsafe stream.avail_out = UInt32(most)
        let isWhole = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
        unsafe count = isWhole ? most - Int(stream.avail_out) : 0
      }
    }
    return packed.isEmpty ? nil : packed
  }
}
