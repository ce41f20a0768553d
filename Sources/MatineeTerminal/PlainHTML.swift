/// The text of an HTML page, for terminals.
///
/// It is not a full parser: it drops tags, starts a line at each block element, and drops scripts
/// and styles with their contents.
package struct PlainHTML {
  package let text: String

  private static let blocks: Set = [
    "p", "br", "div", "li", "ul", "ol", "tr", "table", "section", "article", "header", "footer",
    "h1", "h2", "h3", "h4", "h5", "h6", "button", "title",
  ]
  private static let silent: Set = ["script", "style", "head", "template"]
  /// `&amp;` comes last, so that an escaped entity is not decoded twice.
  private static let entities = [
    ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "),
    ("&#96;", "`"), ("&amp;", "&"),
  ]

  package init(_ source: String) {
    var text = ""
    var rest = source[...]
    while let opening = rest.firstIndex(of: "<") {
      text += Self.flowing(rest[..<opening])
      let inner = rest[rest.index(after: opening)...]
      guard let closing = inner.firstIndex(of: ">") else {
        rest = inner[inner.endIndex...]
        break
      }
      let tag = inner[..<closing].drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
        .lowercased()
      rest = inner[inner.index(after: closing)...]
      if Self.silent.contains(tag), inner.first != "/" {
        rest = Self.skipping(tag, in: rest)
      }
      if Self.blocks.contains(tag), !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
    }
    text += Self.flowing(rest)
    for (entity, character) in Self.entities { text.replace(entity, with: character) }
    self.text = text.split(separator: "\n").map { $0.trimmingSpaces }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  private static func skipping(_ tag: String, in text: Substring) -> Substring {
    var rest = text
    while let opening = rest.firstIndex(of: "<") {
      rest = rest[opening...]
      if rest.prefix(tag.count + 2).lowercased() == "</\(tag)" { return rest }
      rest = rest.dropFirst()
    }
    return rest[rest.endIndex...]
  }

  /// Replaces each run of white space by one space.
  private static func flowing(_ text: Substring) -> String {
    var result = ""
    for character in text {
      if character.isWhitespace {
        if result.last != " " { result += " " }
      } else {
        result.append(character)
      }
    }
    return result
  }
}

extension StringProtocol {
  /// The text without the spaces around it.
  package var trimmingSpaces: String {
    let start = drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}
