/// 128 random bits that prove something to whoever knows them: a token, a key or a credential.
///
/// Its text has 26 letters and digits of Crockford's base 32.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  package let high: UInt64
  package let low: UInt64

  /// Makes a secret from two numbers of a cryptographically secure generator.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes a new secret; the generator must be cryptographically secure.
  public init(using generator: inout some RandomNumberGenerator) {
    self.init(high: generator.next(), low: generator.next())
  }

  /// Parses a secret's text; `nil` if it is none.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 2 * Self.digits, let high = mintedNumber(digits.prefix(Self.digits)),
      let low = mintedNumber(digits.suffix(Self.digits))
    else { return nil }
    self.init(high: high, low: low)
  }

  /// The number of letters and digits of a secret's text.
  package static var length: Int { 2 * digits }

  /// 13 digits of five bits encode 64 bits.
  private static var digits: Int { 13 }

  /// The secret itself, for whom it is meant.
  public var text: String {
    mintedText(high, digits: Self.digits) + mintedText(low, digits: Self.digits)
  }

  /// Whether a text is this secret.
  package func matches(_ text: String) -> Bool { areEqualInConstantTime(self.text, text) }

  /// Nothing of the secret, for logs.
  public var description: String { "a secret" }
  /// Nothing of the secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whether two texts are equal, compared in a time that does not reveal where they differ.
package func areEqualInConstantTime(_ left: String, _ right: String) -> Bool {
  let (left, right) = (Array(left.utf8), Array(right.utf8))
  guard left.count == right.count else { return false }
  return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
