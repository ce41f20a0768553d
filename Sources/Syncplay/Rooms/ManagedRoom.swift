import Cryptography
package import Vocabulary

/// The name of a managed room, `+base:HASH`, which contains a hash of the operators' password.
///
/// Only the name says that a room is managed, so it stays managed after a restart, even if nothing
/// else of it is stored.
package struct ManagedRoom: Equatable, Sendable {
  package let base: String
  /// Twelve characters; uppercase hexadecimal if a server made the room.
  package let hash: String

  private static let hashLength = 12
  /// The characters of a name in addition to its base.
  package static let overhead = hashLength + 2

  /// Parses a name; `nil` if it is an ordinary room's.
  package init?(_ name: String) {
    guard name.first == "+", let colon = name.lastIndex(of: ":") else { return nil }
    let tail = name[name.index(after: colon)...]
    guard tail.unicodeScalars.count == Self.hashLength,
      tail.unicodeScalars.allSatisfy({ $0.isPartOfWord })
    else { return nil }
    base = String(name[name.index(after: name.startIndex)..<colon])
    hash = String(tail)
  }

  /// The room with this name and operators' password.
  package init(base: String, password: String, salt: String) {
    self.base = base
    let salted = SyncplayHash.sha256(salt)
    let peppered = SyncplayHash.sha256(base + salted)
    let whole = SyncplayHash.sha1(peppered + salted + password)
    hash = String(whole.prefix(Self.hashLength)).uppercased()
  }

  /// The whole name.
  package var name: String { "+\(base):\(hash)" }

  /// Whether a password is the operators' password.
  package func accepts(_ password: String, salt: String) -> Bool {
    let right = ManagedRoom(base: base, password: password, salt: salt)
    return areEqualInConstantTime(right.hash, hash)
  }

  /// Whether a text has the form of an operators' password, such as `AB-123-456`.
  ///
  /// The whole text has to match; the reference only checks the beginning.
  package static func isPassword(_ text: String) -> Bool {
    let shape = Array("AA-000-000".utf8)
    guard text.utf8.count == shape.count else { return false }
    return zip(text.utf8, shape).allSatisfy { byte, wanted in
      switch wanted {
      case UInt8(ascii: "A"): UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      case UInt8(ascii: "0"): UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      default: byte == wanted
      }
    }
  }
}

extension UnicodeScalar {
  /// A letter, a digit or an underscore, like `\w` in the reference's pattern.
  fileprivate var isPartOfWord: Bool {
    self == "_" || properties.isAlphabetic || properties.numericType != nil
  }
}

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
