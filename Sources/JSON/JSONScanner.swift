/// A single-pass reader for a JSON text whose fields are known in advance.
///
/// It is a fast path for the most frequent kind of line: ``JSONParser`` builds a tape and searches
/// it for each field. The scanner gives the same results (RFC 8259) but rejects what such lines do
/// not need: escapes, exponents, signs and nulls. A rejected text goes to the parser, which also
/// reports its flaws.
package struct JSONScanner: ~Escapable {
  private let text: Span<UInt8>
  private var position = 0

  /// A scanner at the beginning of a text.
  @_lifetime(copy text)
  package init(_ text: Span<UInt8>) {
    self.text = text
  }

  /// Whether the whole text has been read.
  package mutating func isAtEnd() -> Bool {
    skipSpaces()
    return position == text.count
  }

  /// Reads an object with at least one field.
  ///
  /// - Parameter field: reads one field with its name; returns whether it could.
  /// - Returns: whether the whole object was read.
  package mutating func object(_ field: (inout JSONScanner) -> Bool) -> Bool {
    guard skip(UInt8(ascii: "{")) else { return false }
    repeat {
      guard field(&self) else { return false }
    } while skip(UInt8(ascii: ","))
    return skip(UInt8(ascii: "}"))
  }

  /// Skips a field's name and the colon directly behind it, if the name matches.
  package mutating func name(_ name: StaticString) -> Bool {
    skipSpaces()
    let end = position + name.utf8CodeUnitCount + 1
    guard end + 1 < text.count, text[position] == UInt8(ascii: "\""),
      text[end] == UInt8(ascii: "\""), text[end + 1] == UInt8(ascii: ":"),
      text.holds(name.letters, from: position + 1)
    else { return false }
    position = end + 2
    return true
  }

  /// Reads a field with this name, unless its value was read before; otherwise reads nothing.
  package mutating func field(_ name: StaticString, into value: inout Double?) -> Bool {
    field(name, into: &value) { $0.double() }
  }

  /// Reads a field with this name, unless its value was read before; otherwise reads nothing.
  package mutating func field(_ name: StaticString, into value: inout Bool?) -> Bool {
    field(name, into: &value) { $0.bool() }
  }

  /// Reads a field with this name, unless its value was read before; otherwise reads nothing.
  package mutating func field(_ name: StaticString, into value: inout Int?) -> Bool {
    field(name, into: &value) { $0.int() }
  }

  /// Rejects a second field with the same name, because the parser uses the first.
  private mutating func field<Value>(
    _ name: StaticString, into value: inout Value?, _ read: (inout JSONScanner) -> Value?
  ) -> Bool {
    let start = position
    guard value == nil, self.name(name), let found = read(&self) else {
      // Go back before the name, because the next field would otherwise pass for its value.
      position = start
      return false
    }
    value = found
    return true
  }

  /// Reads `true` or `false`.
  package mutating func bool() -> Bool? {
    skipSpaces()
    if word("true") { return true }
    return word("false") ? false : nil
  }

  /// Reads a number of at most nineteen digits without leading zeros, rounded according to IEEE
  /// 754.
  package mutating func double() -> Double? {
    guard let (whole, count) = whole() else { return nil }
    guard position < text.count, text[position] == UInt8(ascii: ".") else { return Double(whole) }
    position += 1
    let room = whole == 0 ? Self.mostDigits : Self.mostDigits - count
    guard let (digits, places) = digits(after: whole, atMost: room) else { return nil }
    return Double(digits, dividedByTenToThe: places)
  }

  /// Reads a number of at most eighteen digits without a fraction.
  package mutating func int() -> Int? {
    guard let (number, count) = whole(), count < Self.mostDigits else { return nil }
    return Int(number)
  }

  /// The most digits that always fit 64 bits.
  private static let mostDigits = 19

  // MARK: Tokens

  /// Reads a whole number without leading zeros, and the number of its digits.
  private mutating func whole() -> (UInt64, Int)? {
    skipSpaces()
    let start = position
    guard let (number, count) = digits(after: 0, atMost: Self.mostDigits),
      count == 1 || text[start] != UInt8(ascii: "0")
    else { return nil }
    return (number, count)
  }

  /// Appends at least one digit to a number.
  private mutating func digits(after known: UInt64, atMost maximum: Int) -> (UInt64, Int)? {
    let rest = text.extracting(position...)
    var (number, count) = (known, 0)
    while count < rest.count {
      let digit = rest[count] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      number = number &* 10 &+ UInt64(digit)
      count += 1
    }
    guard count > 0, count <= maximum else { return nil }
    position += count
    return (number, count)
  }

  private mutating func word(_ word: StaticString) -> Bool {
    let letters = word.letters
    guard position + letters.count <= text.count, text.holds(letters, from: position) else {
      return false
    }
    position += letters.count
    return true
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    skipSpaces()
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpaces() {
    while position < text.count, text[position] == UInt8(ascii: " ") { position += 1 }
  }
}

extension StaticString {
  /// The bytes, which are immortal.
  fileprivate var letters: Span<UInt8> {
    @_lifetime(immortal) get {
      let letters = unsafe UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount).span
      return unsafe _overrideLifetime(letters, borrowing: ())
    }
  }
}
