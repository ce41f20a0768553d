/// The items that a message's text lists, for views which let a person choose.
package enum ItemList {
  /// The extra that names the attribute in which the choice is kept.
  package static let attributeKey = "attribute_key"

  /// The items in a text, in its order; empty ones are none.
  package static func items(in text: String, _ separation: ItemSeparation) -> [String] {
    switch separation {
    case .exact: text.split(separator: ", ").map(String.init)
    case .lenient: text.split(separator: ",").map(trimmed).filter { !$0.isEmpty }
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

/// How items are told apart.
package enum ItemSeparation: String, Hashable, Sendable, CaseIterable {
  /// By a comma and a space, nothing else: items may have commas in them.
  case exact
  /// By a comma, whatever the space around.
  case lenient
}
