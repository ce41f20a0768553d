import Cryptography
import Vocabulary

/// The secret that identifies the server's administrator; only its hash is stored.
package struct AdministratorKey: Equatable, Sendable {
  /// The minimum length in bytes: 16 random characters cannot be guessed over a network.
  package static let shortest = 16
  /// The maximum length in bytes.
  package static let longest = Limits.keyBytes

  private let hash: Digest

  /// Makes a key from a text, ignoring white space around it.
  ///
  /// - Throws: what is wrong with the text, without any part of it, because errors are logged.
  package init(_ text: String) throws(AdministratorKeyFlaw) {
    let key = Self.trimmed(text)
    guard !key.isEmpty else { throw .empty }
    guard key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .letters }
    guard key.utf8.count >= Self.shortest else { throw .tooShort }
    guard key.utf8.count <= Self.longest else { throw .tooLong }
    hash = Self.hash(of: key)
  }

  /// Whether a text is the key, compared in constant time.
  package func matches(_ text: String) -> Bool {
    // Comparing digests takes constant time and hides the lengths, too.
    Self.hash(of: text) == hash
  }

  /// The text without the white space that editors and `echo` add.
  package static func trimmed(_ text: String) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.prefix(start.reversed().drop(while: \.isWhitespace).count))
  }

  private static func hash(of text: String) -> Digest {
    .sha256(of: Array(text.utf8))
  }
}

/// Why a text is not a valid administrator key.
package enum AdministratorKeyFlaw: Error, Equatable, Sendable {
  case empty
  /// It contains something other than visible ASCII characters, such as a space or a second line.
  case letters
  /// It has fewer than ``AdministratorKey/shortest`` bytes.
  case tooShort
  /// It has more than ``AdministratorKey/longest`` bytes.
  case tooLong
}
