import YAML

/// The one place where templates in campaign files are looked through.
enum TemplateCheck {
  /// Throws what is wrong with the templates in a text.
  static func check(_ text: String) throws(PhraseError) {
    var rest = text[...]
    while let opening = rest.firstRange(of: "{{") {
      rest = rest[opening.upperBound...]
      guard let closing = rest.firstRange(of: "}}") else {
        throw PhraseError("`{{` opens a template that does not end", "close it with `}}`")
      }
      rest = rest[closing.upperBound...]
    }
  }

  /// Whether there is one in it, so that what it will say is not known yet.
  static func isTemplate(_ text: String) -> Bool { text.contains("{{") || text.contains("{%") }
}
