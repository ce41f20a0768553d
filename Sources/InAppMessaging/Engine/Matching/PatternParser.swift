/// Reads a regular expression into the steps of a ``Pattern``.
struct PatternParser {
  /// Nested groups: the parser recurses into each.
  private static let deepest = 32

  private let source: [Unicode.Scalar]
  private var place = 0
  private var depth = 0
  private(set) var ignoresCase = false
  private(set) var classes: [[Pattern.Member]] = []

  /// The parsed expression, before it becomes steps.
  private indirect enum Node {
    case take(Pattern.Taken)
    case demand(Pattern.Place)
    case sequence([Node])
    case choice([Node])
    case repetition(Node, from: Int, to: Int?)
  }

  init(_ source: String) {
    self.source = Array(source.unicodeScalars)
  }

  mutating func program() throws(PatternError) -> [Pattern.Step] {
    if source.starts(with: "(?i)".unicodeScalars) {
      ignoresCase = true
      place = 4
    }
    guard place < source.count else { throw error("the expression is empty; write what to find") }
    let node = try choice()
    if place < source.count { throw error("this ) closes nothing; write \\) for the character") }
    var steps: [Pattern.Step] = []
    try emit(node, into: &steps)
    steps.append(.found)
    // A loop's jump is written after its content was checked, so the whole is measured here.
    guard steps.count <= Pattern.longest else { throw tooLong }
    return steps
  }

  private var tooLong: PatternError {
    error("the expression is too long; its repetitions count as often as they may", at: 0)
  }

  private func error(_ reason: String, at place: Int? = nil) -> PatternError {
    PatternError(position: (place ?? self.place) + 1, reason: reason)
  }

  private var next: Unicode.Scalar? { place < source.count ? source[place] : nil }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }
}

// MARK: Reading

extension PatternParser {
  private mutating func choice() throws(PatternError) -> Node {
    var branches = [try sequence()]
    while skip("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func sequence() throws(PatternError) -> Node {
    var nodes: [Node] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      nodes.append(try repeated(try atom()))
    }
    return .sequence(nodes)
  }

  private mutating func repeated(_ node: Node) throws(PatternError) -> Node {
    let range: (Int, Int?)
    switch next {
    case "*": range = (0, nil)
    case "+": range = (1, nil)
    case "?": range = (0, 1)
    case "{": range = try counts()
    default: return node
    }
    place += 1
    // A lazy repetition matches in the same texts.
    _ = skip("?")
    if next == "+" || next == "*" || next == "{" || next == "?" {
      throw error("a repetition of a repetition; put the first one in ( )")
    }
    return .repetition(node, from: range.0, to: range.1)
  }

  /// Reads `{2}`, `{2,}` or `{2,5}` up to the brace.
  private mutating func counts() throws(PatternError) -> (Int, Int?) {
    let start = place
    place += 1
    guard let low = number() else { throw error("a number belongs here, such as {2,5}") }
    var high: Int? = low
    if skip(",") { high = number() }
    guard next == "}" else { throw error("a } belongs here, as in {2,5}") }
    guard low <= high ?? .max, max(low, high ?? 0) <= Pattern.longest else {
      throw error("these counts are the wrong way round, or too large", at: start)
    }
    return (low, high)
  }

  private mutating func number() -> Int? {
    var number: Int?
    while let digit = next, ("0"..."9").contains(digit), (number ?? 0) < 1_000 {
      number = (number ?? 0) * 10 + Int(digit.value - 48)
      place += 1
    }
    return number
  }

  private mutating func atom() throws(PatternError) -> Node {
    let start = place
    let scalar = source[place]
    place += 1
    switch scalar {
    case ".": return .take(.any)
    case "^": return .demand(.start)
    case "$": return .demand(.end)
    case "(": return try group(from: start)
    case "[": return .take(try characterClass(from: start))
    case "\\": return try escaped()
    case "*", "+", "?", "{":
      throw error("there is nothing to repeat; write \\\(scalar) for the character", at: start)
    default: return .take(.scalar(scalar))
    }
  }

  private mutating func group(from start: Int) throws(PatternError) -> Node {
    if skip("?"), !skip(":") {
      throw error("groups that look around or have names are not known; use ( ) or (?: )")
    }
    depth += 1
    guard depth <= Self.deepest else { throw error("too many groups in groups", at: start) }
    let node = try choice()
    depth -= 1
    guard skip(")") else { throw error("this ( is never closed", at: start) }
    return node
  }

  private mutating func escaped() throws(PatternError) -> Node {
    guard let scalar = next else { throw error("a character belongs behind the \\") }
    switch scalar {
    case "b", "B":
      place += 1
      return .demand(.wordEdge(scalar == "b"))
    case "1"..."9", "k":
      throw error("back-references are not known: no bounded time would do for them")
    default:
      return switch try classEscape() {
      case .range(let range) where range.lowerBound == range.upperBound:
        .take(.scalar(range.lowerBound))
      case let member: .take(kept([member], isNegated: false))
      }
    }
  }

  /// An escape, in a class or outside; the place is after the backslash.
  private mutating func classEscape() throws(PatternError) -> Pattern.Member {
    guard let scalar = next else { throw error("a character belongs behind the \\") }
    place += 1
    switch scalar {
    case "d", "D": return .digit(scalar == "d")
    case "w", "W": return .word(scalar == "w")
    case "s", "S": return .space(scalar == "s")
    case "n": return .range("\n"..."\n")
    case "r": return .range("\r"..."\r")
    case "t": return .range("\t"..."\t")
    case "a"..."z", "A"..."Z", "0"..."9":
      throw error("\\\(scalar) is not known", at: place - 2)
    default: return .range(scalar...scalar)
    }
  }

  private mutating func characterClass(from start: Int) throws(PatternError) -> Pattern.Taken {
    let isNegated = skip("^")
    var members: [Pattern.Member] = []
    while let scalar = next, scalar != "]" || members.isEmpty {
      place += 1
      let low = scalar == "\\" ? try classEscape() : .range(scalar...scalar)
      guard case .range(let lowest) = low, next == "-", place + 1 < source.count,
        source[place + 1] != "]"
      else {
        members.append(low)
        continue
      }
      place += 1
      let end = source[place]
      place += 1
      let high = end == "\\" ? try classEscape() : .range(end...end)
      guard case .range(let highest) = high, lowest.lowerBound <= highest.lowerBound else {
        throw error("this range is the wrong way round", at: place - 1)
      }
      members.append(.range(lowest.lowerBound...highest.lowerBound))
    }
    guard skip("]") else { throw error("this [ is never closed", at: start) }
    return kept(members, isNegated: isNegated)
  }

  private mutating func kept(_ members: [Pattern.Member], isNegated: Bool) -> Pattern.Taken {
    classes.append(members)
    return .anyOf(classes.count - 1, isNegated: isNegated)
  }
}

// MARK: Writing

extension PatternParser {
  private func emit(_ node: Node, into steps: inout [Pattern.Step]) throws(PatternError) {
    // Ends before repetitions of repetitions take time and memory.
    guard steps.count < Pattern.longest - 2 else { throw tooLong }
    switch node {
    case .take(let taken): steps.append(.take(taken))
    case .demand(let place): steps.append(.demand(place))
    case .sequence(let nodes): for node in nodes { try emit(node, into: &steps) }
    case .choice(let branches): try emit(branches[...], into: &steps)
    case .repetition(let node, let from, let to):
      let before = steps.count
      for _ in 0..<from {
        try emit(node, into: &steps)
        // A repetition of nothing emits nothing; otherwise nested empty groups would take for ever.
        if steps.count == before { return }
      }
      guard let to else { return try emitLoop(node, into: &steps) }
      for _ in from..<to { try emitOptional(node, into: &steps) }
    }
  }

  private func emit(_ branches: ArraySlice<Node>, into steps: inout [Pattern.Step])
    throws(PatternError)
  {
    guard let first = branches.first else { return }
    guard branches.count > 1 else { return try emit(first, into: &steps) }
    let fork = steps.count
    steps.append(.found)
    try emit(first, into: &steps)
    let jump = steps.count
    steps.append(.found)
    steps[fork] = .fork(fork + 1, steps.count)
    try emit(branches.dropFirst(), into: &steps)
    steps[jump] = .jump(steps.count)
  }

  private func emitLoop(_ node: Node, into steps: inout [Pattern.Step]) throws(PatternError) {
    let fork = steps.count
    steps.append(.found)
    try emit(node, into: &steps)
    steps.append(.jump(fork))
    steps[fork] = .fork(fork + 1, steps.count)
  }

  private func emitOptional(_ node: Node, into steps: inout [Pattern.Step]) throws(PatternError) {
    let fork = steps.count
    steps.append(.found)
    try emit(node, into: &steps)
    steps[fork] = .fork(fork + 1, steps.count)
  }
}

/// Why a regular expression is refused.
package struct PatternError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The position in characters, from 1.
  package var position: Int
  package var reason: String

  /// Both in a line.
  package var description: String { "at character \(position): \(reason)" }
}
