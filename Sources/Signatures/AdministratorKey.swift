import Crypto

/// The word by which whoever runs the server shows it who they are.
///
/// Only its hash is kept.
package struct AdministratorKey: Equatable, Sendable {
  /// The shortest, in bytes: 16 letters that a generator chose nobody guesses over a network.
  package static let shortest = 16
  /// The longest, in bytes: nobody has a longer one, and it has to fit a line.
  package static let longest = 512

  private let hash: SHA256.Digest

  /// A key of this text, without the white space around it.
  ///
  /// - Throws: what is wrong with the text; never any of it, as logs are no place for keys.
  package init(_ text: String) throws(AdministratorKeyFlaw) {
    let key = Self.trimmed(text)
    guard !key.isEmpty else { throw .empty }
    guard key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .letters }
    guard key.utf8.count >= Self.shortest else { throw .tooShort }
    guard key.utf8.count <= Self.longest else { throw .tooLong }
    hash = Self.hash(of: key)
  }

  /// Whether a text is the key, in a time that says nothing about how much of it is right.
  package func matches(_ text: String) -> Bool {
    // The comparison of hashes is made for this; lengths do not show either.
    Self.hash(of: text) == hash
  }

  /// The text as it is compared: what editors and `echo` put around it is no part of it.
  package static func trimmed(_ text: String) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.prefix(start.reversed().drop(while: \.isWhitespace).count))
  }

  private static func hash(of text: String) -> SHA256.Digest {
    SHA256.hash(data: Array(text.utf8))
  }
}

/// Why a text is no administrator's key.
package enum AdministratorKeyFlaw: Error, Equatable, Sendable {
  case empty
  /// It has something in it that is no visible letter of ASCII, such as a space or a second line.
  case letters
  /// It has fewer than ``AdministratorKey/shortest`` bytes.
  case tooShort
  /// It has more than ``AdministratorKey/longest`` bytes.
  case tooLong
}
