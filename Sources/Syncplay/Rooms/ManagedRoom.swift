import Crypto

/// The name of a managed room, `+base:HASH`: the hash is of its operators' password.
///
/// That a room is managed stands in its name alone; so it stays so over a restart, whatever is kept
/// of it.
package struct ManagedRoom: Equatable, Sendable {
  package let base: String
  /// Twelve characters; of rooms that a server made, uppercase hexadecimal.
  package let hash: String

  private static let hashLength = 12
  /// What a name has beyond its base.
  package static let overhead = hashLength + 2

  /// Reads a name; `nil` is an ordinary room's.
  package init?(_ name: String) {
    guard name.first == "+", let colon = name.lastIndex(of: ":") else { return nil }
    let tail = name[name.index(after: colon)...]
    guard tail.unicodeScalars.count == Self.hashLength,
      tail.unicodeScalars.allSatisfy({ $0.isPartOfWord })
    else { return nil }
    base = String(name[name.index(after: name.startIndex)..<colon])
    hash = String(tail)
  }

  /// The room of that name whose operators have that password.
  package init(base: String, password: String, salt: String) {
    self.base = base
    let salted = SyncplayHash.sha256(salt)
    let peppered = SyncplayHash.sha256(base + salted)
    let whole = SyncplayHash.sha1(peppered + salted + password)
    hash = String(whole.prefix(Self.hashLength)).uppercased()
  }

  /// The whole name.
  package var name: String { "+\(base):\(hash)" }

  /// Whether a password is its operators'.
  package func accepts(_ password: String, salt: String) -> Bool {
    let right = ManagedRoom(base: base, password: password, salt: salt)
    return SyncplayHash.areEqual(right.hash, hash)
  }

  /// Whether a text can be an operators' password, such as `AB-123-456`.
  ///
  /// Exactly so: the reference takes anything that begins like one.
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
  /// A letter, a digit or an underscore: `\w` of the reference's pattern.
  fileprivate var isPartOfWord: Bool {
    self == "_" || properties.isAlphabetic || properties.numericType != nil
  }
}

/// The hashes of the protocol, as lowercase hexadecimal.
///
/// MD5 and SHA-1 are the protocol's choice; neither keeps a secret that is worth more than a room.
enum SyncplayHash {
  /// How a password is sent.
  static func md5(_ text: String) -> String {
    hexadecimal(Insecure.MD5.hash(data: Array(text.utf8)))
  }

  static func sha1(_ text: String) -> String {
    hexadecimal(Insecure.SHA1.hash(data: Array(text.utf8)))
  }

  static func sha256(_ text: String) -> String {
    hexadecimal(SHA256.hash(data: Array(text.utf8)))
  }

  /// Whether two texts are the same, in a time that does not tell where they differ.
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
