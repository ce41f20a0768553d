import Cryptography

/// The protocol's hashes, as lowercase hexadecimal.
///
/// The protocol requires MD5 and SHA-1; they protect only access to rooms.
enum SyncplayHash {
  /// The hash in which clients send the server's password.
  static func md5(_ text: String) -> String {
    Digest.md5(of: Array(text.utf8)).hexadecimal
  }

  static func sha1(_ text: String) -> String {
    Digest.sha1(of: Array(text.utf8)).hexadecimal
  }

  static func sha256(_ text: String) -> String {
    Digest.sha256(of: Array(text.utf8)).hexadecimal
  }
}
