import Vocabulary

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

/// How often operator passwords may be guessed: by each address, whatever its connections.
struct GuessLimit: Equatable, Sendable {
  /// When each has all its guesses again; who has, is not remembered.
  private var restored: SortedMap<String, Instant> = [:]

  /// How many addresses are remembered.
  var count: Int { restored.count }

  /// Takes a guess; false if there is none left for now.
  ///
  /// The generic cell rate algorithm (ITU-T I.371): one instant for each instead of a count and
  /// one.
  mutating func take(by address: String, at now: Instant) -> Bool {
    let full = max(restored[address] ?? now, now) + SyncplayLimits.guessInterval
    guard full - now <= SyncplayLimits.guessInterval * SyncplayLimits.guesses else { return false }
    if restored[address] == nil { makeRoom(at: now) }
    restored[address] = full
    return true
  }

  /// A right guess costs nothing: an operator may come back as often as a bad line has it.
  mutating func forgive(_ address: String) {
    restored[address] = nil
  }

  private mutating func makeRoom(at now: Instant) {
    guard restored.count >= SyncplayLimits.guessers else { return }
    for (address, instant) in restored where instant <= now { restored[address] = nil }
    guard restored.count >= SyncplayLimits.guessers,
      let first = restored.min(by: { $0.value < $1.value })
    else { return }
    restored[first.key] = nil
  }
}
