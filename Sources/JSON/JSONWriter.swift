/// Writes minified JSON texts (RFC 8259) by appending to an array of bytes.
///
/// It adds the commas; the caller has to write values only where JSON allows them. A writer is
/// meant to be reused: ``removeAll()`` keeps the memory.
package struct JSONWriter: Sendable {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []
  /// Whether the next name or element needs a comma before it.
  private var needsComma = false

  /// An empty writer with capacity for this many bytes.
  package init(capacity: Int = 512) {
    bytes.reserveCapacity(capacity)
  }

  /// Removes what was written, and keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Ends a text of JSON Lines; another may follow.
  package mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  /// Ends a text of a protocol whose lines end with CRLF (RFC 854); another may follow.
  package mutating func endNetworkLine() {
    bytes.append(UInt8(ascii: "\r"))
    endLine()
  }
}

// MARK: Containers

extension JSONWriter {
  /// Writes an object whose fields the body writes.
  package mutating func object(_ fields: (inout JSONWriter) -> Void) {
    beginObject()
    fields(&self)
    endObject()
  }

  /// Writes an array whose elements the body writes.
  package mutating func array(_ elements: (inout JSONWriter) -> Void) {
    beginArray()
    elements(&self)
    endArray()
  }

  /// Writes a field with an object whose fields the body writes.
  package mutating func object(_ name: String, _ fields: (inout JSONWriter) -> Void) {
    self.name(name)
    object(fields)
  }

  /// Writes a field with an array whose elements the body writes.
  package mutating func array(_ name: String, _ elements: (inout JSONWriter) -> Void) {
    self.name(name)
    array(elements)
  }

  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  /// Closes the object opened last.
  package mutating func endObject() { close(UInt8(ascii: "}")) }
  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  /// Closes the array opened last.
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }
}

// MARK: Fields and elements

extension JSONWriter {
  /// Writes a field's name; the next element is its value.
  package mutating func name(_ name: String) {
    quote(name, isName: true)
    needsComma = false
  }

  /// Writes a field.
  package mutating func field(_ name: String, _ value: some JSONWritable) {
    self.name(name)
    value.write(to: &self)
  }

  /// Writes a field, or nothing if the value is nil.
  package mutating func field(_ name: String, _ value: (some JSONWritable)?) {
    guard let value else { return }
    field(name, value)
  }

  /// Writes a field whose value is null.
  package mutating func null(_ name: String) {
    self.name(name)
    elementNull()
  }

  /// Writes an element of an array, or a text's only value.
  package mutating func element(_ value: some JSONWritable) {
    value.write(to: &self)
  }

  /// Writes null as an element.
  package mutating func elementNull() {
    literal("null")
  }
}

// MARK: Values

extension JSONWriter {
  /// Writes a string with only the escapes that JSON requires.
  package mutating func string(_ text: String) {
    quote(text, isName: false)
    needsComma = true
  }

  /// Writes text that is already JSON: a number, a literal or a whole value.
  package mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  /// Writes the constant part of a message: names, brackets and commas.
  ///
  /// The caller has to ensure that the result is valid. It writes a State of ten fields in a third
  /// of the time.
  package mutating func fixed(_ text: StaticString) {
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    needsComma = false
  }

  /// Writes bytes that were written before in the same context and end with an element.
  package mutating func again(_ text: [UInt8]) {
    bytes.append(contentsOf: text)
    needsComma = true
  }

  /// Writes a whole number.
  package mutating func integer(_ number: Int64) {
    decimal(number.magnitude, isNegative: number < 0) { _ in }
  }

  /// Writes thousandths as the shortest decimal: 1, 1.05, 0.25.
  package mutating func thousandths(_ number: Int64) {
    decimal(number.magnitude / 1000, isNegative: number < 0) { output in
      let fraction = number.magnitude % 1000
      guard fraction > 0 else { return }
      output.append(UInt8(ascii: "."))
      output.append(fraction: fraction, places: 3)
    }
  }

  /// Writes millionths as a decimal with at least one fraction digit: 1.0, 0.25.
  package mutating func millionths(_ number: Int64) {
    decimal(number.magnitude / 1_000_000, isNegative: number < 0) { output in
      output.append(UInt8(ascii: "."))
      output.append(fraction: number.magnitude % 1_000_000, places: 6)
    }
  }

  /// Appends a number at once: a comma if needed, a sign, the whole part, and what the body
  /// appends.
  private mutating func decimal(
    _ whole: UInt64, isNegative: Bool, _ rest: (inout OutputSpan<UInt8>) -> Void
  ) {
    bytes.append(addingCapacity: Self.numberBytes) { output in
      if needsComma { output.append(UInt8(ascii: ",")) }
      if isNegative { output.append(UInt8(ascii: "-")) }
      output.append(digitsOf: whole)
      rest(&output)
    }
    needsComma = true
  }

  /// A comma, a sign and twenty digits; the longest fraction still fits, because the whole part is
  /// shorter then.
  private static let numberBytes = 24

  /// Appends a comma if needed, the text in quotes, and a colon if it is a name.
  ///
  /// Few texts need escapes, so the text is first copied without, and copied again if it needs
  /// some.
  private mutating func quote(_ text: String, isName: Bool) {
    let span = text.utf8.span
    let start = bytes.count
    var needsEscapes = false
    // Growing once saves the uniqueness checks of five appends.
    bytes.append(addingCapacity: span.count + 4) { output in
      if needsComma { output.append(UInt8(ascii: ",")) }
      output.append(UInt8(ascii: "\""))
      for index in span.indices {
        let byte = span[index]
        needsEscapes = needsEscapes || byte.needsEscape
        output.append(byte)
      }
      output.append(UInt8(ascii: "\""))
      if isName { output.append(UInt8(ascii: ":")) }
    }
    if needsEscapes {
      bytes.removeSubrange(start...)
      quoteEscaped(text, isName: isName)
    }
  }

  private mutating func quoteEscaped(_ text: String, isName: Bool) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 { escape(byte) }
    bytes.append(UInt8(ascii: "\""))
    if isName { bytes.append(UInt8(ascii: ":")) }
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
    case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
    case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
    case UInt8(ascii: "\r"): bytes.append(contentsOf: #"\r"#.utf8)
    case UInt8(ascii: "\t"): bytes.append(contentsOf: #"\t"#.utf8)
    case 0..<0x20:
      bytes.append(contentsOf: byte < 0x10 ? #"\u000"#.utf8 : #"\u001"#.utf8)
      bytes.append(Self.hexDigit(byte & 0xF))
    default: bytes.append(byte)
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

extension UInt8 {
  /// Whether a JSON string has to escape this byte.
  fileprivate var needsEscape: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}

extension Double {
  /// The double that is nearest to a decimal fraction; ties go to the even one.
  ///
  /// Up to 2^53 a single division is exact (Clinger, *How to Read Floating Point Numbers
  /// Accurately*, 1990). Beyond, the quotient is computed with at least 62 bits and a sticky bit
  /// for the remainder.
  ///
  /// - Parameters:
  ///   - digits: the number without its decimal point.
  ///   - places: the number of digits after the decimal point, up to 19.
  init(_ digits: UInt64, dividedByTenToThe places: Int) {
    precondition((0...19).contains(places), "a power of ten that fits a word")
    // This is exact: 10^19 is 5^19, which has 45 bits, times a power of two.
    let power = Self.powersOfTen[places]
    guard digits > 1 << 53 else {
      self = Double(digits) / Double(power)
      return
    }
    let (shift, powerShift) = (digits.leadingZeroBitCount, power.leadingZeroBitCount)
    let (dividend, divisor) = (digits << shift, power << powerShift)
    let (quotient, rest) = divisor.dividingFullWidth((dividend >> 1, dividend << 63))
    let significand = Double(rest == 0 ? quotient : quotient | 1)
    self = Double(sign: .plus, exponent: powerShift - shift - 63, significand: significand)
  }

  private static let powersOfTen = (0...19).map { place in
    (0..<place).reduce(1 as UInt64) { power, _ in power * 10 }
  }
}

extension OutputSpan<UInt8> {
  /// Appends a number's digits, with leading zeros up to a minimum length.
  ///
  /// - Parameters:
  ///   - number: at most twenty digits; the span has room for them.
  ///   - minimum: the minimum length, at least one.
  mutating func append(digitsOf number: UInt64, atLeast minimum: Int = 1) {
    if number < 10, minimum == 1 { return append(UInt8(ascii: "0") + UInt8(number)) }
    var minimum = minimum
    var block = number
    if number >= Self.blockEnd {
      append(digitsOf: number / Self.blockEnd, atLeast: Swift.max(minimum - Self.blockDigits, 1))
      (block, minimum) = (number % Self.blockEnd, Self.blockDigits)
    }
    append(block: block, atLeast: minimum)
  }

  /// Appends the digits after a decimal point, without trailing zeros but with at least one digit.
  mutating func append(fraction: UInt64, places: Int) {
    var (fraction, places) = (fraction, places)
    while places > 1, fraction % 10 == 0 {
      fraction /= 10
      places -= 1
    }
    append(digitsOf: fraction, atLeast: places)
  }

  /// Appends the digits of a number below 10⁸, the first one first.
  ///
  /// The number is converted to a fixed-point fraction of 10⁷, whose integer part is the first
  /// digit; multiplying the rest by ten gives the next digit. The rounding error grows to 10¹⁵ in
  /// 2⁵⁷, a hundredth of the last digit.
  private mutating func append(block number: UInt64, atLeast minimum: Int) {
    var rest = number &* Self.tenMillionth
    var digitsDue = minimum
    for digitsLeft in (1...Self.blockDigits).reversed() {
      let digit = UInt8(truncatingIfNeeded: rest >> Self.fractionBits)
      if digit > 0 || digitsLeft <= digitsDue {
        append(UInt8(ascii: "0") &+ digit)
        digitsDue = digitsLeft
      }
      rest = (rest & Self.fractionMask) &* 10
    }
  }

  private static var blockDigits: Int { 8 }
  private static var blockEnd: UInt64 { 100_000_000 }
  private static var fractionBits: UInt64 { 57 }
  private static var fractionMask: UInt64 { 1 << fractionBits - 1 }
  private static var tenMillionth: UInt64 { (1 << fractionBits) / 10_000_000 + 1 }
}
