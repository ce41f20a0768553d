import Cryptography

/// A hash by which people compare a file's name or size with those of their own copy, and which tells
/// neither.
///
/// It equals that of Syncplay's clients (`hashFilename` and `hashFilesize` in their `utils.py`).
package enum FileHash {
  /// Hexadecimal digits of it that are sent.
  package static let digits = 12
  /// Characters that do not distinguish names, because people rename files.
  private static let ignored: Set<Unicode.Scalar> = [
    "-", "~", "_", ".", "[", "]", "(", ")", ":", " ",
  ]

  /// The hash of a file's name.
  package static func of(name: String) -> String {
    var compared = String.UnicodeScalarView()
    compared.append(contentsOf: unquoted(name).unicodeScalars.filter { !ignored.contains($0) })
    return hash(String(compared))
  }

  /// The hash of a file's size.
  package static func of(size bytes: Int64) -> String { hash(String(bytes)) }

  private static func hash(_ text: String) -> String {
    String(Digest.sha256(of: Array(text.utf8)).hexadecimal.prefix(digits))
  }

  /// Decodes `%20` and the like, as Python's `unquote` does.
  private static func unquoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(\.isHexDigit),
        let value = UInt8(digits, radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
