import Vocabulary
import YAML

/// The words of a phrase, read one after the other.
struct Words {
  let phrase: String
  private var rest: ArraySlice<Word>

  private struct Word {
    var text = ""
    /// Where it begins in the phrase, with its quotation mark if it has one.
    let start: String.Index
  }

  /// Splits a phrase at its spaces; text in quotation marks is one word.
  init(_ phrase: String) throws(PhraseError) {
    self.phrase = phrase
    var words: [Word] = []
    var isQuoted = false
    var isInWord = false
    for (place, character) in zip(phrase.indices, phrase) {
      guard isQuoted || !character.isWhitespace else {
        isInWord = false
        continue
      }
      if !isInWord { words.append(Word(start: place)) }
      isInWord = true
      if character == "\"" {
        isQuoted.toggle()
      } else {
        words[words.count - 1].text.append(character)
      }
    }
    guard !isQuoted else {
      throw PhraseError(
        "`\(phrase)` has an opening quotation mark without a closing one", "add a \"")
    }
    rest = words[...]
  }

  var isEmpty: Bool { rest.isEmpty }

  /// Takes all remaining words.
  mutating func takeAll() -> [String] {
    defer { rest = [] }
    return rest.map(\.text)
  }

  mutating func next() -> String? { rest.popFirst()?.text }

  /// Takes the next word, which is required.
  mutating func next(_ what: String) throws(PhraseError) -> String {
    guard let word = next() else {
      throw PhraseError("`\(phrase)` lacks \(what)", "write it at the end")
    }
    return word
  }

  /// Takes the next word if it is this one.
  mutating func take(_ word: String) -> Bool {
    guard rest.first?.text == word else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Takes the only word that may follow.
  mutating func expect(_ word: String, of first: String) throws(PhraseError) {
    let next = try next("`\(word)`")
    guard next == word else { throw Verb.unknown(next, of: first, [word]) }
  }

  /// Takes all remaining words, at least one, as they are written.
  ///
  /// Quotation marks around the whole text only mark its ends; those inside belong to it.
  mutating func text() throws(PhraseError) -> String {
    guard let start = rest.first?.start else { return try next("a text") }
    let words = takeAll()
    var written = phrase[start...]
    while written.last?.isWhitespace == true { written.removeLast() }
    guard let word = words.first, words.count == 1, written == "\"\(word)\"" else {
      return String(written)
    }
    return word
  }

  func finish() throws(PhraseError) {
    guard let word = rest.first?.text else { return }
    throw PhraseError("`\(word)` is not expected in `\(phrase)`", "remove it")
  }
}

// MARK: Numbers

extension Words {
  /// A duration: a number with a unit, such as `40 ms`, `1.5 s`, `5min` or `2 h`; seconds without.
  mutating func duration(_ what: String) throws(PhraseError) -> Duration {
    let word = try next(what)
    for (unit, scale) in Self.units where word.hasSuffix(unit) {
      return try Self.duration(String(word.dropLast(unit.count)), scale, what)
    }
    let unit = Self.units.first { $0.name == rest.first?.text }
    if unit != nil { _ = next() }
    return try Self.duration(word, unit?.seconds ?? 1, what)
  }

  /// The units of durations; one that ends like another comes first.
  private static let units: [(name: String, seconds: Double)] = [
    ("ms", 0.001), ("s", 1), ("min", 60), ("h", 3600),
  ]

  private static func duration(
    _ text: String, _ scale: Double, _ what: String
  ) throws(PhraseError) -> Duration {
    guard let number = Double(text), number >= 0, number * scale <= 86_400 else {
      throw PhraseError(
        "`\(text)` is not \(what)",
        "write seconds such as 1.5, or a unit such as 40 ms, 5 min or 2 h; a day at most")
    }
    return .microseconds(Int64((number * scale * 1_000_000).rounded()))
  }

  /// A position in an item: `30`, `30.5` or `1:05`.
  mutating func position() throws(PhraseError) -> MediaTime {
    let word = try next("a position")
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard numbers.count == parts.count, parts.count <= 3, numbers.allSatisfy({ $0 >= 0 }) else {
      throw PhraseError(
        "`\(word)` is not a position in an item",
        "write seconds, or minutes and seconds such as 1:05")
    }
    return .seconds(numbers.reduce(0) { $0 * 60 + $1 })
  }

  /// The duration after `±` or `+-`, or the default tolerance.
  mutating func tolerance(_ usual: Duration) throws(PhraseError) -> Duration {
    for sign in ["±", "+-"] {
      if take(sign) { return try duration("a tolerance") }
      guard let word = rest.first?.text, word.hasPrefix(sign) else { continue }
      rest[rest.startIndex].text = String(word.dropFirst(sign.count))
      return try duration("a tolerance")
    }
    return usual
  }

  mutating func count(_ what: String) throws(PhraseError) -> Int {
    let word = try next(what)
    guard let count = Int(word), count >= 0 else {
      throw PhraseError("`\(word)` is not \(what)", "write a whole number, such as 2")
    }
    return count
  }

  mutating func rate() throws(PhraseError) -> Rate {
    let word = try next("a rate")
    guard let factor = Double(word), let rate = Rate(factor) else {
      throw PhraseError("`\(word)` is not a rate", "write a factor from 0.25 to 4, such as 1.5")
    }
    return rate
  }

  /// The enumeration case with this raw value.
  mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ what: String, _: Choice.Type = Choice.self
  ) throws(PhraseError) -> Choice where Choice.RawValue == String {
    let word = try next(what)
    guard let choice = Choice(rawValue: word) else {
      throw PhraseError(
        "`\(word)` is not \(what)", suggestion(for: word, Choice.allCases.map(\.rawValue)))
    }
    return choice
  }
}
