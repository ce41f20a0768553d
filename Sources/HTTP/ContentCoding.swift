internal import CZlib

/// How a content is packed for the way (RFC 9110, 8.4.1).
package enum ContentCoding: String, Equatable, Sendable {
  case identity
  case gzip

  /// What to send to a client, if there is the content in both (`Accept-Encoding`; RFC 9110, 12.5.3).
  ///
  /// The answer has to say `Vary: Accept-Encoding`.
  ///
  /// - Parameter field: the field's value; `nil` if the request has none.
  package init(acceptedBy field: String?) {
    let quality = Self.qualities(in: field ?? "")
    let gzip = quality["gzip"] ?? quality["x-gzip"] ?? quality["*"] ?? 0
    // Where nothing is said about it, it is acceptable, and the last choice.
    let identity = quality["identity"] ?? 0
    self = gzip > 0 && gzip >= identity ? .gzip : .identity
  }

  /// The weights of a list, in thousandths (RFC 9110, 12.4.2); what is malformed counts as refused.
  private static func qualities(in field: String) -> [String: Int] {
    var qualities: [String: Int] = [:]
    for element in field.split(separator: ",") {
      let parts = element.split(separator: ";").map { $0.trimmingSpaces.lowercased() }
      guard let name = parts.first, !name.isEmpty else { continue }
      qualities[name] = parts.count == 1 ? 1000 : quality(parts[1])
    }
    return qualities
  }

  /// The weight of `q=0.5`: 0 or 1 with at most three decimals.
  private static func quality(_ text: String) -> Int {
    guard text.hasPrefix("q=") else { return 0 }
    let parts = text.dropFirst(2).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let decimals = parts.count > 1 ? parts[1] : ""
    guard parts[0] == "0" || parts[0] == "1", decimals.utf8.count <= 3,
      decimals.utf8.allSatisfy(\.isDigit),
      let thousandths = Int(decimals + String(repeating: "0", count: 3 - decimals.utf8.count))
    else { return 0 }
    return min(1000, parts[0] == "1" ? 1000 : thousandths)
  }
}

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
