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
    let start = start(ofStringAt: index)
    return strings.extracting(start..<start + length(ofStringFrom: start))
  }

  /// The place of a field's value in the object at a place; the first of that name wins.
  func value(of name: String, in object: Int) -> Int? {
    let name = name.utf8.span
    let contents = contents(of: object)
    var key = contents.lowerBound
    while key < contents.upperBound {
      let start = start(ofStringAt: key)
      // Most names differ in length: of those that do nothing else is looked at.
      if length(ofStringFrom: start) == name.count, strings.holds(name, from: start) {
        return key + 1
      }
      key = end(of: key + 1)
    }
    return nil
  }

  private static let lengthBytes = 4

  /// Where the bytes of the string at a place begin, behind their length.
  private func start(ofStringAt index: Int) -> Int {
    Int(words[index] & 0x00FF_FFFF_FFFF_FFFF) + Self.lengthBytes
  }

  private func length(ofStringFrom start: Int) -> Int {
    Int(strings.number(at: start - Self.lengthBytes, as: UInt32.self))
  }
}

extension Span<UInt8> {
  /// The number that stands in the bytes from a place on, which is checked like any other access.
  fileprivate func number<Number: FixedWidthInteger & BitwiseCopyable>(
    at place: Int, as type: Number.Type
  ) -> Number {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: type)
  }

  /// Whether other bytes stand here from a place on.
  ///
  /// A word at a time; the last word may begin in the one before it, so that nothing is left over.
  func holds(_ other: Span<UInt8>, from start: Int) -> Bool {
    let count = other.count
    guard count >= 8 else { return holdsFew(other, from: start) }
    var index = 0
    while index < count {
      let place = Swift.min(index, count - 8)
      if number(at: start + place, as: UInt64.self) != other.number(at: place, as: UInt64.self) {
        return false
      }
      index += 8
    }
    return true
  }

  private func holdsFew(_ other: Span<UInt8>, from start: Int) -> Bool {
    let count = other.count
    guard count >= 4 else {
      return other.indices.allSatisfy { self[start + $0] == other[$0] }
    }
    let last = count - 4
    return number(at: start, as: UInt32.self) == other.number(at: 0, as: UInt32.self)
      && number(at: start + last, as: UInt32.self) == other.number(at: last, as: UInt32.self)
  }
}

extension JSONTape {
  /// The way from the outermost value to the one at a place, such as `queue[2].item`.
  ///
  /// - Parameter name: A field of that value, there or not.
  func path(to target: Int, then name: String? = nil) -> String {
    var path = ""
    var container = Self.root
    while container != target, let step = step(from: container, towards: target) {
      if letter(at: container) == UInt8(ascii: "[") {
        path += "[\(step.position)]"
      } else {
        path += path.isEmpty ? key(before: step.child) : "." + key(before: step.child)
      }
      container = step.child
    }
    guard let name else { return path }
    return path.isEmpty ? name : path + "." + name
  }

  /// The child of a container in which the target stands, and its position among the children.
  private func step(from container: Int, towards target: Int) -> (child: Int, position: Int)? {
    let isObject = letter(at: container) == UInt8(ascii: "{")
    guard isObject || letter(at: container) == UInt8(ascii: "[") else { return nil }
    let contents = contents(of: container)
    var child = contents.lowerBound + (isObject ? 1 : 0)
    var position = 0
    while child < contents.upperBound {
      let end = end(of: child)
      if target < end { return (child, position) }
      child = end + (isObject ? 1 : 0)
      position += 1
    }
    return nil
  }

  /// The name of the field whose value stands at a place, shortened so that an error stays one.
  private func key(before child: Int) -> String {
    let name = string(at: child - 1)
    let maximum = 64
    guard name.count <= maximum else {
      return String(decodingRepaired: name.extracting(first: maximum)) + "…"
    }
    return String(decodingRepaired: name)
  }
}

extension String {
  /// The bytes as text, with U+FFFD for what is no UTF-8.
  fileprivate init(decodingRepaired bytes: Span<UInt8>) {
    self.init(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}
