/// A parsed text in simdjson's layout: the values in the order of the text, one or two words each.
///
/// A word's top byte is a letter for its type; the rest is its payload. Containers store where they
/// end, strings where they are in `strings`; numbers use the next word. simdjson's `doc/tape.md`
/// documents the layout. All reads are bounds-checked, so even a malformed tape cannot corrupt
/// memory.
struct JSONTape: ~Escapable {
  /// The tape; the outermost value is at ``root``.
  let words: Span<UInt64>
  /// The bytes of all strings, each preceded by its length in four bytes.
  let strings: Span<UInt8>

  /// The index of the outermost value, after the word that opens the document.
  static let root = 1

  @_lifetime(copy words, copy strings)
  init(words: Span<UInt64>, strings: Span<UInt8>) {
    self.words = words
    self.strings = strings
  }

  /// The letter for the type of the value at an index.
  func letter(at index: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: words[index] >> 56)
  }

  /// The index after the value at an index.
  func end(of index: Int) -> Int {
    let word = words[index]
    return switch UInt8(truncatingIfNeeded: word >> 56) {
    case UInt8(ascii: "{"), UInt8(ascii: "["): Int(word & 0xFFFF_FFFF)
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index + 2
    default: index + 1
    }
  }

  /// The indices of the values in a container, without its end mark.
  func contents(of index: Int) -> Range<Int> {
    index + 1..<end(of: index) - 1
  }

  /// The bytes of the string at an index.
  @_lifetime(copy self)
  func string(at index: Int) -> Span<UInt8> {
    let start = start(ofStringAt: index)
    return strings.extracting(start..<start + length(ofStringFrom: start))
  }

  /// The index of a field's value in an object; of two with the same name the first counts.
  func value(of name: String, in object: Int) -> Int? {
    let name = name.utf8.span
    let contents = contents(of: object)
    var key = contents.lowerBound
    while key < contents.upperBound {
      let start = start(ofStringAt: key)
      // Most names differ in length, so the bytes are rarely compared.
      if length(ofStringFrom: start) == name.count, strings.holds(name, from: start) {
        return key + 1
      }
      key = end(of: key + 1)
    }
    return nil
  }

  private static let lengthBytes = 4

  /// The offset of a string's bytes, after the length.
  private func start(ofStringAt index: Int) -> Int {
    Int(words[index] & 0x00FF_FFFF_FFFF_FFFF) + Self.lengthBytes
  }

  private func length(ofStringFrom start: Int) -> Int {
    Int(strings.number(at: start - Self.lengthBytes, as: UInt32.self))
  }
}

extension Span<UInt8> {
  /// The number in the bytes from an index on; the access is bounds-checked.
  fileprivate func number<Number: FixedWidthInteger & BitwiseCopyable>(
    at index: Int, as type: Number.Type
  ) -> Number {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: type)
  }

  /// Whether these bytes are at an offset.
  ///
  /// It compares eight bytes at a time; the last eight may overlap the previous ones.
  func holds(_ other: Span<UInt8>, from start: Int) -> Bool {
    let count = other.count
    guard count >= 8 else { return holdsFew(other, from: start) }
    var index = 0
    while index < count {
      let offset = Swift.min(index, count - 8)
      if number(at: start + offset, as: UInt64.self) != other.number(at: offset, as: UInt64.self) {
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
  /// The path from the outermost value to the one at an index, such as `queue[2].item`.
  ///
  /// - Parameter name: a field of that value, present or not.
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

  /// The child of a container that contains the target, and its position among the children.
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

  /// The name of the field whose value is at an index, shortened for error messages.
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
  /// Decodes bytes, with U+FFFD for invalid UTF-8.
  fileprivate init(decodingRepaired bytes: Span<UInt8>) {
    self.init(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}
