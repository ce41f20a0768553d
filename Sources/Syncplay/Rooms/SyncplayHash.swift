import Crypto

/// The protocol's hashes, as lowercase hexadecimal.
///
/// The protocol requires MD5 and SHA-1; they protect only access to rooms.
enum SyncplayHash {
  /// The hash in which clients send the server's password.
  static func md5(_ text: String) -> String {
    hexadecimal(Insecure.MD5.hash(data: Array(text.utf8)))
  }

  static func sha1(_ text: String) -> String {
    hexadecimal(Insecure.SHA1.hash(data: Array(text.utf8)))
  }

  static func sha256(_ text: String) -> String {
    hexadecimal(SHA256.hash(data: Array(text.utf8)))
  }

  /// Whether two texts are equal, compared in a time that does not reveal where they differ.
  static func areEqual(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(left.utf8, right.utf8) { difference |= one ^ other }
    return difference == 0
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func hexadecimal(_ hash: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in hash { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
