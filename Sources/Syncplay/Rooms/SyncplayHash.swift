import Cryptography

/// The protocol's hashes, as lowercase hexadecimal.
///
/// The protocol requires MD5 and SHA-1; they protect only access to rooms.
enum SyncplayHash {
  /// The hash in which clients send the server's password.
  static func md5(_ text: String) -> String {
    hexadecimal(.md5(of: Array(text.utf8)))
  }

  static func sha1(_ text: String) -> String {
    hexadecimal(.sha1(of: Array(text.utf8)))
  }

  static func sha256(_ text: String) -> String {
    hexadecimal(.sha256(of: Array(text.utf8)))
  }

  /// Whether two texts are equal, compared in a time that does not reveal where they differ.
  static func areEqual(_ left: String, _ right: String) -> Bool {
    Cryptography.areEqual(Array(left.utf8), Array(right.utf8))
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func hexadecimal(_ hash: Digest) -> String {
    var text: [UInt8] = []
    for byte in hash.bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
