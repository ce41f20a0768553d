/// Text in a part of a URL, with `%` and two hexadecimal digits for the bytes that stand for
/// themselves nowhere (RFC 3986, 2.1).
package enum PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)
  /// What needs no encoding in any part: the unreserved characters (RFC 3986, 2.3).
  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

  /// The text of a part that stands for this text and no other.
  package static func part(for text: String) -> String {
    var part: [UInt8] = []
    for byte in text.utf8 {
      if unreserved.contains(byte) {
        part.append(byte)
      } else {
        part += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: part, as: UTF8.self)
  }

  /// The text that a part stands for.
  ///
  /// Characters outside ASCII may stand for themselves, as people see and copy them.
  ///
  /// - Returns: `nil` if it is no UTF-8, if it contains spaces, controls or the marks between a
  ///   URL's parts, or if a `%` begins no byte.
  package static func text(of part: some Collection<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = part[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value)
        else { return nil }
        bytes.append(high << 4 | low)
      case ...0x20, 0x7F, UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The value of a hexadecimal digit.
  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
