import Vocabulary

/// A secret of 128 bits that lets a device go on where its connection broke.
package struct ResumeToken: Equatable, Sendable {
  package let high: UInt64
  package let low: UInt64

  /// A token of two random numbers.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The token that a text spells; `nil` if it spells none.
  package init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 2 * Self.digits, let high = mintedNumber(digits.prefix(Self.digits)),
      let low = mintedNumber(digits.suffix(Self.digits))
    else { return nil }
    self.init(high: high, low: low)
  }

  /// 13 digits of five bits hold 64.
  private static var digits: Int { 13 }

  /// The token as it is told.
  package var text: String {
    mintedText(high, digits: Self.digits) + mintedText(low, digits: Self.digits)
  }

  /// Compares in a time that does not depend on where the texts differ.
  func matches(_ text: String) -> Bool {
    let mine = Array(self.text.utf8)
    let theirs = Array(text.utf8)
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
