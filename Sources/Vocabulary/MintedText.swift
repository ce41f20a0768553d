/// Letters and digits that do not look alike: Crockford's base 32.
private let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

/// The last `digits` digits of a number in base 32, the lowest first.
///
/// Fifteen digits or fewer allocate nothing, as a string keeps them inline.
package func mintedText(_ number: UInt64, digits: Int) -> String {
  var rest = number
  var text = ""
  text.reserveCapacity(digits)
  for _ in 0..<digits {
    text.unicodeScalars.append(UnicodeScalar(alphabet[Int(rest & 31)]))
    rest >>= 5
  }
  return text
}

/// What each byte is worth as a digit; 32 if it is none.
private let values: [UInt8] = {
  var values = Array(repeating: UInt8(32), count: 256)
  for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
  return values
}()

/// The number whose digits, the lowest first, these are; `nil` if they are of no number.
package func mintedNumber(_ digits: some BidirectionalCollection<UInt8>) -> UInt64? {
  var number: UInt64 = 0
  for digit in digits.reversed() {
    let value = values[Int(digit)]
    guard value < 32 else { return nil }
    let (shifted, isTooLarge) = number.multipliedReportingOverflow(by: 32)
    guard !isTooLarge else { return nil }
    number = shifted + UInt64(value)
  }
  return number
}
