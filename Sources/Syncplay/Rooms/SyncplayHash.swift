import Cryptography
package import Vocabulary

/// The protocol's hashes, as lowercase hexadecimal.
///
/// The protocol requires MD5 and SHA-1; they protect only access to rooms.
package enum SyncplayHash {
  /// The hash in which clients send the server's password.
  static func md5(_ text: String) -> String {
    Digest.md5(of: Array(text.utf8)).hexadecimal
  }

  /// Whether a client sent a key as the server's password, in constant time; a group without a key
  /// has none.
  package static func isPassword(_ text: String, of key: Secret?) -> Bool {
    key.map { areEqualInConstantTime(text, md5($0.text)) } ?? false
  }

  static func sha1(_ text: String) -> String {
    Digest.sha1(of: Array(text.utf8)).hexadecimal
  }

  static func sha256(_ text: String) -> String {
    Digest.sha256(of: Array(text.utf8)).hexadecimal
  }
}
