/// A regular expression as a deterministic automaton for ASCII texts: each character is one
/// look-up.
///
/// Rabin and Scott's construction (1959), computed when the campaign is compiled: each set of open
/// ways is a state, and a table gives the next state for each kind of character. Following the ways
/// themselves takes some twenty times as long, and two hundred campaigns may each search a title.
struct PatternAutomaton: Equatable, Sendable {
  /// States times kinds of characters: 4 KiB, and some milliseconds to compute.
  ///
  /// Usual expressions take a tenth of it; for larger ones the ways are followed instead.
  private static let largest = 4_096

  /// Stand for a state: a match is found, or no match is possible any more.
  private static let found = UInt8.max
  private static let lost = UInt8.max - 1

  /// The kind of each of the 128 characters; then for each state, whether the end of the text is a
  /// match, and the next state for each kind.
  private let table: [UInt8]
  private let rowLength: Int

  /// A pattern's automaton; `nil` if it would be too large.
  init?(of pattern: Pattern) {
    let kinds = Self.kinds(for: pattern)
    var states = [State()]
    var places = [State(): UInt8(0)]
    var rows: [UInt8] = []
    var place = 0
    while place < states.count {
      let state = states[place]
      rows.append(pattern.endsFound(state.ways, from: state.previous) ? 1 : 0)
      for character in kinds.samples {
        guard let next = state.next(over: character, in: pattern) else {
          rows.append(Self.found)
          continue
        }
        if pattern.isAnchored, next.ways.isEmpty {
          rows.append(Self.lost)
          continue
        }
        if let known = places[next] {
          rows.append(known)
          continue
        }
        guard states.count < Self.lost, rows.count < Self.largest else { return nil }
        places[next] = UInt8(states.count)
        rows.append(UInt8(states.count))
        states.append(next)
      }
      place += 1
    }
    table = kinds.ofCharacters + rows
    rowLength = 1 + kinds.samples.count
  }

  /// Whether it is found anywhere in a text; `nil` if the text is not of ASCII.
  func isFound(in text: Span<UInt8>) -> Bool? {
    let table = table.span
    var row = 128
    for place in 0..<min(text.count, Pattern.longestText) {
      guard text[place] < 0x80 else { return nil }
      let next = table[row + 1 + Int(table[Int(text[place])])]
      if next >= Self.lost { return next == Self.found }
      row = 128 + Int(next) * rowLength
    }
    guard text.count > Pattern.longestText else { return table[row] == 1 }
    // The text goes on after the searched part, so `$` does not match there, but `\b` may.
    let unread = text[Pattern.longestText]
    guard unread < 0x80 else { return nil }
    return table[row + 1 + Int(table[Int(unread)])] == Self.found
  }
}

// MARK: Making it

extension PatternAutomaton {
  /// The open ways, and the character before.
  private struct State: Hashable {
    var ways = Ways()
    /// A representative of its kind; `nil` at the start.
    var previous: Unicode.Scalar?

    /// The state after a character; `nil` if a match ends before it.
    func next(over character: Unicode.Scalar, in pattern: Pattern) -> State? {
      pattern.advanced(ways, from: previous, over: character).map {
        State(ways: $0, previous: pattern.asksForWords && Pattern.isWord(character) ? "a" : " ")
      }
    }
  }

  /// What distinguishes characters for a pattern.
  private struct Traits: Hashable {
    var taken = Ways()
    var isWord = false
  }

  /// The kinds of characters that no state distinguishes, and a sample of each.
  private static func kinds(for pattern: Pattern)
    -> (ofCharacters: [UInt8], samples: [Unicode.Scalar])
  {
    var known: [Traits: UInt8] = [:]
    var samples: [Unicode.Scalar] = []
    let ofCharacters = (UInt8(0)..<128).map { byte in
      let character = Unicode.Scalar(byte)
      var traits = Traits()
      for way in pattern.steps.indices where pattern.takes(way, character) {
        traits.taken.insert(way)
      }
      traits.isWord = pattern.asksForWords && Pattern.isWord(character)
      if let kind = known[traits] { return kind }
      let kind = UInt8(samples.count)
      known[traits] = kind
      samples.append(character)
      return kind
    }
    return (ofCharacters, samples)
  }
}

extension Pattern {
  /// Whether it has `\b` or `\B`.
  fileprivate var asksForWords: Bool {
    steps.contains { step in
      if case .demand(.wordEdge) = step { true } else { false }
    }
  }
}

/// A set of places in an expression, as numbers below 256.
struct Ways: Hashable, Sendable {
  private var words = SIMD4<UInt64>()

  var isEmpty: Bool { words == .zero }

  func contains(_ way: Int) -> Bool { words[way >> 6] & (1 << UInt64(way & 63)) != 0 }

  mutating func insert(_ way: Int) { words[way >> 6] |= 1 << UInt64(way & 63) }

  func forEach(_ body: (Int) -> Void) {
    for index in 0..<4 {
      var word = words[index]
      while word != 0 {
        body(index << 6 + word.trailingZeroBitCount)
        word &= word - 1
      }
    }
  }
}

/// A set of ASCII characters.
struct ASCIISet: Equatable, Sendable {
  private var words = SIMD2<UInt64>()

  /// The empty set.
  init() {}

  /// The characters that satisfy a condition.
  init(where holds: (Unicode.Scalar) -> Bool) {
    for value in UInt8(0)..<128 where holds(Unicode.Scalar(value)) {
      words[Int(value >> 6)] |= 1 << UInt64(value & 63)
    }
  }

  /// Whether a character, which must be ASCII, is in the set.
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    words[Int(scalar.value >> 6) & 1] & (1 << UInt64(scalar.value & 63)) != 0
  }

  mutating func formUnion(_ other: ASCIISet) {
    words |= other.words
  }
}

extension Span<UInt8> {
  /// The character at a place of a UTF-8 text; the place moves behind it.
  ///
  /// Only bounds are checked, because the text of a string is well-formed.
  func scalar(at place: inout Int) -> Unicode.Scalar {
    let lead = self[place]
    place += 1
    guard lead >= 0x80 else { return Unicode.Scalar(lead) }
    let followers = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3
    var value = UInt32(lead) & (0x3F >> UInt32(followers))
    for _ in 0..<followers where place < count {
      value = value << 6 | UInt32(self[place] & 0x3F)
      place += 1
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}
