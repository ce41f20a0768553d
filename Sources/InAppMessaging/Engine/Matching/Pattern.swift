/// A regular expression to search for in a text, in time linear in the length of the text.
///
/// Thompson's construction (1968) follows all ways through the expression at once, so that no text
/// makes it slow. The standard library's `Regex` backtracks, and some texts make it take for ever.
/// Back-references and look-around are refused, because they cannot be followed this way.
/// Supported: `. [a-z] [^x] \d \w \s \b ^ $ ( ) (?: ) | * + ? {2,5}`, their lazy forms, and `(?i)`
/// in front.
///
/// RE2 was measured instead: an event that two hundred campaigns wait for took 6 to 11 % longer, a
/// search in ASCII as long (70 to 120 ns), in other texts a quarter. Its `\w` and `\b` know ASCII
/// only, its errors have no place, and a C++ library in this room would be needed.
package struct Pattern: Equatable, Sendable {
  /// Steps of one expression: as many as a set of four words holds, which is plenty for a filter.
  package static let longest = 256
  /// Characters of a text that are searched: enough for a title or a URL.
  static let longestText = 1_024

  /// One step of the way through.
  enum Step: Equatable, Sendable {
    case take(Taken)
    /// Continues at both steps.
    case fork(Int, Int)
    case jump(Int)
    case demand(Place)
    case found
  }

  /// What a step takes.
  enum Taken: Equatable, Sendable {
    case scalar(Unicode.Scalar)
    /// Anything but the end of a line.
    case any
    /// A character of a class, or one outside it; the class is given by its place.
    case anyOf(Int, isNegated: Bool)
  }

  /// What a class holds.
  enum Member: Equatable, Sendable {
    case range(ClosedRange<Unicode.Scalar>)
    case digit(Bool)
    case word(Bool)
    case space(Bool)
  }

  /// An assertion about the place in the text.
  enum Place: Equatable, Sendable {
    case start
    case end
    case wordEdge(Bool)
  }

  let steps: [Step]
  let classes: [[Member]]
  let ignoresCase: Bool
  /// The ASCII characters that each step takes, because most texts are ASCII.
  private let takenASCII: [ASCIISet]
  /// The ASCII characters that a match can begin with; `nil` if it can be empty.
  private let beginnings: ASCIISet?
  /// Whether it can match only at the start of a text.
  let isAnchored: Bool
  /// For ASCII texts; `nil` if it would be too large.
  private var automaton: PatternAutomaton?

  /// Reads an expression.
  ///
  /// - Throws: what is not supported, and where.
  package init(_ source: String) throws(PatternError) {
    var parser = PatternParser(source)
    let steps = try parser.program()
    let classes = parser.classes
    let ignoresCase = parser.ignoresCase
    self.steps = steps
    self.classes = classes
    self.ignoresCase = ignoresCase
    let takenASCII = steps.map { step in
      guard case .take(let taken) = step else { return ASCIISet() }
      return ASCIISet { Self.takes(taken, $0, classes, ignoresCase: ignoresCase) }
    }
    self.takenASCII = takenASCII
    let first = Self.firstSteps(of: steps) { _ in true }
    beginnings =
      first.contains(steps.count - 1)
      ? nil
      : first.reduce(into: ASCIISet()) { $0.formUnion(takenASCII[$1]) }
    isAnchored = Self.firstSteps(of: steps) { $0 != .start }.isEmpty
    automaton = PatternAutomaton(of: self)
  }

  /// Whether it is found anywhere in a text.
  package func isFound(in text: String) -> Bool {
    let bytes = text.utf8Span.span
    return automaton?.isFound(in: bytes) ?? isFound(in: bytes)
  }

  /// Follows all ways, character by character.
  private func isFound(in bytes: Span<UInt8>) -> Bool {
    var ways = Ways()
    var previous: Unicode.Scalar?
    var unread: Unicode.Scalar?
    var place = 0
    var count = 0
    while place < bytes.count {
      if ways.isEmpty {
        if isAnchored, previous != nil { return false }
        let skipped = skip(bytes, from: place, atMost: Self.longestText - count)
        if skipped > 0 { previous = Unicode.Scalar(bytes[place + skipped - 1]) }
        count += skipped
        place += skipped
        guard place < bytes.count else { break }
      }
      let scalar = bytes.scalar(at: &place)
      guard count < Self.longestText else {
        unread = scalar
        break
      }
      count += 1
      guard let next = advanced(ways, from: previous, over: scalar) else { return true }
      ways = next
      previous = scalar
    }
    return endsFound(ways, from: previous, to: unread)
  }

  /// The ways after a character, with those that begin at it; `nil` if a match ends before it.
  func advanced(_ ways: Ways, from previous: Unicode.Scalar?, over scalar: Unicode.Scalar) -> Ways?
  {
    let here = reached(canBegin(with: scalar), ways, from: previous, to: scalar)
    guard !here.contains(steps.count - 1) else { return nil }
    var next = Ways()
    here.forEach { way in if takes(way, scalar) { next.insert(way + 1) } }
    return next
  }

  /// Whether a match ends here, without taking another character.
  func endsFound(_ ways: Ways, from previous: Unicode.Scalar?, to next: Unicode.Scalar? = nil)
    -> Bool
  {
    reached(true, ways, from: previous, to: next).contains(steps.count - 1)
  }

  private func reached(
    _ begins: Bool, _ ways: Ways, from previous: Unicode.Scalar?, to next: Unicode.Scalar?
  ) -> Ways {
    var here = Ways()
    if begins { follow(0, from: previous, to: next, into: &here) }
    ways.forEach { follow($0, from: previous, to: next, into: &here) }
    return here
  }

  /// Follows a way through all steps that take no character.
  private func follow(
    _ way: Int, from previous: Unicode.Scalar?, to next: Unicode.Scalar?, into here: inout Ways
  ) {
    guard !here.contains(way) else { return }
    here.insert(way)
    switch steps[way] {
    case .take, .found: break
    case .jump(let target): follow(target, from: previous, to: next, into: &here)
    case .fork(let first, let second):
      follow(first, from: previous, to: next, into: &here)
      follow(second, from: previous, to: next, into: &here)
    case .demand(let place):
      let holds =
        switch place {
        case .start: previous == nil
        case .end: next == nil
        case .wordEdge(let isEdge):
          (Self.isWord(previous) != Self.isWord(next)) == isEdge
        }
      if holds { follow(way + 1, from: previous, to: next, into: &here) }
    }
  }

  func takes(_ way: Int, _ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return takenASCII[way].contains(scalar) }
    guard case .take(let taken) = steps[way] else { return false }
    return Self.takes(taken, scalar, classes, ignoresCase: ignoresCase)
  }

  private static func takes(
    _ taken: Taken, _ scalar: Unicode.Scalar, _ classes: [[Member]], ignoresCase: Bool
  ) -> Bool {
    switch taken {
    case .scalar(let wanted):
      scalar == wanted || (ignoresCase && folded(scalar) == folded(wanted))
    case .any: scalar != "\n"
    case .anyOf(let place, let isNegated):
      (holds(classes[place], scalar)
        || (ignoresCase && variants(scalar).contains { holds(classes[place], $0) })) != isNegated
    }
  }

  private static func holds(_ members: [Member], _ scalar: Unicode.Scalar) -> Bool {
    members.contains { member in
      switch member {
      case .range(let range): range.contains(scalar)
      case .digit(let isOne): ("0"..."9").contains(scalar) == isOne
      case .word(let isOne): isWord(scalar) == isOne
      case .space(let isOne): scalar.properties.isWhitespace == isOne
      }
    }
  }

  static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar else { return false }
    if scalar.isASCII {
      return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        || ("0"..."9").contains(scalar) || scalar == "_"
    }
    return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 ? lower.first ?? scalar : scalar
  }

  private static func variants(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let upper = scalar.properties.uppercaseMapping.unicodeScalars
    return [folded(scalar)] + (upper.count == 1 ? Array(upper) : [])
  }
}

// MARK: Where a find can begin

extension Pattern {
  private func canBegin(with scalar: Unicode.Scalar) -> Bool {
    guard let beginnings, scalar.isASCII else { return true }
    return beginnings.contains(scalar)
  }

  /// How many of the next characters cannot begin a match.
  ///
  /// Skipping them pays off because most filters begin with a letter and two hundred of them search
  /// the same text.
  private func skip(_ bytes: Span<UInt8>, from start: Int, atMost limit: Int) -> Int {
    guard let beginnings else { return 0 }
    var count = 0
    while count < limit, start + count < bytes.count, bytes[start + count] < 0x80,
      !beginnings.contains(Unicode.Scalar(bytes[start + count]))
    {
      count += 1
    }
    return count
  }

  /// The steps that take a character or end a match and are reached before any character is taken.
  private static func firstSteps(of steps: [Step], passing: (Place) -> Bool) -> [Int] {
    var seen = Ways()
    var first: [Int] = []
    var open = [0]
    while let way = open.popLast() {
      guard !seen.contains(way) else { continue }
      seen.insert(way)
      switch steps[way] {
      case .take, .found: first.append(way)
      case .jump(let target): open.append(target)
      case .fork(let one, let other): open += [one, other]
      case .demand(let place): if passing(place) { open.append(way + 1) }
      }
    }
    return first
  }
}
