/// Reads a JSON text whose fields are known beforehand, once from its beginning to its end.
///
/// For the one kind of line that nearly all are: ``JSONParser`` first makes a tape of a text, which is
/// then searched for each field. What can be read so, the parser reads with the same result (RFC
/// 8259). What a writer of such lines has no need of, as escapes, exponents, signs and nulls, it does
/// not know: it says no, and the text is the parser's, which also tells what is wrong with it.
package struct JSONScanner: ~Escapable {
  private let text: Span<UInt8>
  private var place = 0

  /// A scanner at the beginning of a text.
  @_lifetime(copy text)
  package init(_ text: Span<UInt8>) {
    self.text = text
  }

  /// Whether nothing is left to read.
  package mutating func isAtEnd() -> Bool {
    skipSpaces()
    return place == text.count
  }

  /// Reads an object of one field at least.
  ///
  /// - Parameter field: reads one field with its name; says whether it could.
  /// - Returns: whether all of it was read.
  package mutating func object(_ field: (inout JSONScanner) -> Bool) -> Bool {
    guard skip(UInt8(ascii: "{")) else { return false }
    repeat {
      guard field(&self) else { return false }
    } while skip(UInt8(ascii: ","))
    return skip(UInt8(ascii: "}"))
  }

  /// Goes behind a field's name and its colon, if it is this one and nothing stands between them.
  package mutating func name(_ name: StaticString) -> Bool {
    skipSpaces()
    let end = place + name.utf8CodeUnitCount + 1
    guard end + 1 < text.count, text[place] == UInt8(ascii: "\""),
      text[end] == UInt8(ascii: "\""), text[end + 1] == UInt8(ascii: ":"),
      text.holds(name.letters, from: place + 1)
    else { return false }
    place = end + 2
    return true
  }

  /// Reads a field of this name whose value was not read yet; else stays where it is.
  package mutating func field(_ name: StaticString, into value: inout Double?) -> Bool {
    field(name, into: &value) { $0.double() }
  }

  /// Reads a field of this name whose value was not read yet; else stays where it is.
  package mutating func field(_ name: StaticString, into value: inout Bool?) -> Bool {
    field(name, into: &value) { $0.bool() }
  }

  /// Reads a field of this name whose value was not read yet; else stays where it is.
  package mutating func field(_ name: StaticString, into value: inout Int?) -> Bool {
    field(name, into: &value) { $0.int() }
  }

  /// Of two fields with the same name the parser takes the first: the second one is left to it.
  private mutating func field<Value>(
    _ name: StaticString, into value: inout Value?, _ read: (inout JSONScanner) -> Value?
  ) -> Bool {
    let start = place
    guard value == nil, self.name(name), let found = read(&self) else {
      // A name that was gone behind would leave the next one to pass for its value.
      place = start
      return false
    }
    value = found
    return true
  }

  /// Reads a truth value.
  package mutating func bool() -> Bool? {
    skipSpaces()
    if word("true") { return true }
    return word("false") ? false : nil
  }

  /// Reads a number of nineteen digits at most, zeros before them apart, rounded as IEEE 754 asks.
  package mutating func double() -> Double? {
    guard let (whole, count) = whole() else { return nil }
    guard place < text.count, text[place] == UInt8(ascii: ".") else { return Double(whole) }
    place += 1
    let room = whole == 0 ? Self.mostDigits : Self.mostDigits - count
    guard let (digits, places) = digits(after: whole, atMost: room) else { return nil }
    return Double(digits, dividedByTenToThe: places)
  }

  /// Reads a number without a fraction, of eighteen digits at most.
  package mutating func int() -> Int? {
    guard let (number, count) = whole(), count < Self.mostDigits else { return nil }
    return Int(number)
  }

  /// What always fits a word of 64 bits.
  private static let mostDigits = 19

  // MARK: What values are made of

  /// Reads a whole number, and how many digits it has; none stands behind a zero that it begins with.
  private mutating func whole() -> (UInt64, Int)? {
    skipSpaces()
    let start = place
    guard let (number, count) = digits(after: 0, atMost: Self.mostDigits),
      count == 1 || text[start] != UInt8(ascii: "0")
    else { return nil }
    return (number, count)
  }

  /// Goes on with a number's digits; one at least.
  private mutating func digits(after known: UInt64, atMost maximum: Int) -> (UInt64, Int)? {
    let rest = text.extracting(place...)
    var (number, count) = (known, 0)
    while count < rest.count {
      let digit = rest[count] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      number = number &* 10 &+ UInt64(digit)
      count += 1
    }
    guard count > 0, count <= maximum else { return nil }
    place += count
    return (number, count)
  }

  private mutating func word(_ word: StaticString) -> Bool {
    let letters = word.letters
    guard place + letters.count <= text.count, text.holds(letters, from: place) else {
      return false
    }
    place += letters.count
    return true
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    skipSpaces()
    guard place < text.count, text[place] == byte else { return false }
    place += 1
    return true
  }

  private mutating func skipSpaces() {
    while place < text.count, text[place] == UInt8(ascii: " ") { place += 1 }
  }
}

extension StaticString {
  /// What it is made of, which is there as long as the program.
  fileprivate var letters: Span<UInt8> {
    @_lifetime(immortal) get {
      let letters = unsafe UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount).span
      return unsafe _overrideLifetime(letters, borrowing: ())
    }
  }
}
