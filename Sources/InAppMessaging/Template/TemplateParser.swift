/// Reads a text into the pieces of a ``Template``.
struct TemplateParser {
  /// Placeholders in one text: each is looked up and copied.
  private static let mostPlaces = 64

  private let source: [Character]
  private var index = 0

  init(_ source: String) {
    self.source = Array(source)
  }

  mutating func pieces() throws(TemplateError) -> [Template.Piece] {
    var pieces: [Template.Piece] = []
    var literal = ""
    while index < source.count {
      if starts(with: "{{") {
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        literal = ""
        pieces.append(.place(try place()))
      } else if starts(with: "{%") {
        throw error("tags are not known, only places such as {{event.title}}")
      } else {
        literal.append(source[index])
        index += 1
      }
    }
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    guard pieces.count <= 2 * Self.mostPlaces else {
      throw error("more than \(Self.mostPlaces) places")
    }
    return pieces
  }

  private func starts(with text: String) -> Bool {
    source[index...].starts(with: text)
  }

  private func error(_ reason: String, at place: Int? = nil) -> TemplateError {
    TemplateError(position: (place ?? index) + 1, reason: reason)
  }

  /// Reads `{{ source | filter: argument }}`; the index is at the braces.
  private mutating func place() throws(TemplateError) -> Template.Place {
    let start = index
    index += 2
    skipSpaces()
    let source = try self.source(from: start)
    var filters: [Template.Filter] = []
    while true {
      skipSpaces()
      if index < self.source.count, self.source[index] == "|" {
        index += 1
        filters.append(try filter())
      } else if starts(with: "}}") {
        index += 2
        return Template.Place(source: source, filters: filters)
      } else {
        throw index < self.source.count
          ? error("a | or }} belongs here") : error("this {{ is never closed", at: start)
      }
    }
  }

  private mutating func skipSpaces() {
    while index < source.count, source[index].isWhitespace { index += 1 }
  }

  private mutating func source(from start: Int) throws(TemplateError) -> Template.Source {
    if let text = try quoted() { return .literal(text) }
    let position = index
    let name = word(upTo: "|")
    guard let dot = name.firstIndex(of: "."), dot != name.startIndex else {
      throw name.isEmpty
        ? error("name a value, such as event.title")
        : error("a value is event.…, user.… or session.…", at: position)
    }
    let key = String(name[name.index(after: dot)...])
    guard !key.isEmpty else { throw error("a name belongs behind the dot") }
    switch name[..<dot] {
    case "event": return .event(key)
    case "user": return .user(key)
    case "session": return .session(key)
    default: throw error("a value is event.…, user.… or session.…", at: position)
    }
  }

  private mutating func filter() throws(TemplateError) -> Template.Filter {
    skipSpaces()
    let position = index
    let name = word(upTo: ":|")
    skipSpaces()
    var argument: String?
    if index < source.count, source[index] == ":" {
      index += 1
      argument = try self.argument()
    }
    switch (name, argument) {
    case ("default", let argument?): return .fallback(argument)
    case ("join", let argument?): return .join(argument)
    case ("default", nil), ("join", nil):
      throw error("\(name) needs a text, such as {{event.x | \(name): …}}", at: position)
    case ("upcase", nil): return .upcase
    case ("downcase", nil): return .downcase
    case ("upcase", _), ("downcase", _): throw error("\(name) takes nothing", at: position)
    default:
      throw error("filters are default, upcase, downcase and join", at: position)
    }
  }

  /// A quoted text, or the trimmed text up to the next filter or the end.
  private mutating func argument() throws(TemplateError) -> String {
    skipSpaces()
    if let text = try quoted() { return text }
    var text = ""
    while index < source.count, source[index] != "|", !starts(with: "}}") {
      text.append(source[index])
      index += 1
    }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  private mutating func quoted() throws(TemplateError) -> String? {
    guard index < source.count, source[index] == "'" || source[index] == "\"" else { return nil }
    let start = index
    let quote = source[index]
    guard let end = source[(index + 1)...].firstIndex(of: quote) else {
      throw error("this quotation is never closed", at: start)
    }
    index = end + 1
    return String(source[(start + 1)..<end])
  }

  private mutating func word(upTo ends: String) -> String {
    var word = ""
    while index < source.count, !ends.contains(source[index]), !source[index].isWhitespace,
      !starts(with: "}}")
    {
      word.append(source[index])
      index += 1
    }
    return word
  }
}
