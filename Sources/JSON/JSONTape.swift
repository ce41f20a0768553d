/// A parsed text as simdjson lays it out: values in the order of the text, each a word or two.
///
/// A word's first byte is its type, as a letter; the rest is its payload. Containers know where
/// they end, strings where they stand in `strings`; numbers fill the next word. The layout is
/// documented in simdjson's `doc/tape.md`. Reading goes through bounds-checked spans, so even a
/// tape that is not as documented could do no harm to memory.
struct JSONTape: ~Escapable {
  /// The tape itself; the outermost value stands at ``root``.
  let words: Span<UInt64>
  /// The bytes of all strings, each behind its length in four bytes.
  let strings: Span<UInt8>

  /// Where the outermost value stands: behind the word that opens the document.
  static let root = 1

  @_lifetime(copy words, copy strings)
  init(words: Span<UInt64>, strings: Span<UInt8>) {
    self.words = words
    self.strings = strings
  }

  /// The letter that tells the type of the value at a place.
  func letter(at index: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: words[index] >> 56)
  }

  /// Where the value at a place ends: the place of the next one.
  func end(of index: Int) -> Int {
    let word = words[index]
    return switch UInt8(truncatingIfNeeded: word >> 56) {
    case UInt8(ascii: "{"), UInt8(ascii: "["): Int(word & 0xFFFF_FFFF)
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index + 2
    default: index + 1
    }
  }

  /// The places of the values in the container at a place; its end mark is not among them.
  func contents(of index: Int) -> Range<Int> {
    index + 1..<end(of: index) - 1
  }

  /// The bytes of the string at a place.
  @_lifetime(copy self)
  func string(at index: Int) -> Span<UInt8> {
    let start = Int(words[index] & 0x00FF_FFFF_FFFF_FFFF)
    let length =
      Int(strings[start]) | Int(strings[start + 1]) << 8 | Int(strings[start + 2]) << 16
      | Int(strings[start + 3]) << 24
    return strings.extracting(start + 4..<start + 4 + length)
  }

  /// The place of a field's value in the object at a place; the first of that name wins.
  func value(of name: String, in object: Int) -> Int? {
    let name = name.utf8.span
    let contents = contents(of: object)
    var key = contents.lowerBound
    while key < contents.upperBound {
      if string(at: key).equals(name) { return key + 1 }
      key = end(of: key + 1)
    }
    return nil
  }
}

extension Span<UInt8> {
  /// Whether the bytes are the same.
  fileprivate func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] {
      return false
    }
    return true
  }
}
