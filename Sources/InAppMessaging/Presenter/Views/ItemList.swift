/// What a message lists for a person to choose from, and where the choice is kept.
package struct ItemList: Equatable, Sendable {
  /// The extra that names the attribute in which the choice is kept.
  package static let key = "attribute_key"

  /// In the order of the text; none where the message is no text.
  package let items: [String]
  /// The attribute in which the choice is kept; without one nothing can be submitted.
  package let attributeKey: String?

  /// The list of a message.
  package init(_ message: InAppMessage, _ separation: ItemSeparation = .exact) {
    items =
      if case .text(let text) = message.body {
        Self.items(in: text.message, separation)
      } else {
        []
      }
    attributeKey = message.extras[Self.key]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The items in a text, in its order, without the space around them; empty ones are none.
  package static func items(in text: String, _ separation: ItemSeparation) -> [String] {
    var parts: [Substring] = []
    let pieces = text.split(separator: ",", omittingEmptySubsequences: false)
    for (place, piece) in pieces.enumerated() {
      let isApart =
        separation == .lenient || piece.first?.isWhitespace ?? (place == pieces.count - 1)
      if let last = parts.last, !isApart {
        parts[parts.count - 1] = text[last.startIndex..<piece.endIndex]
      } else {
        parts.append(piece)
      }
    }
    return parts.map(trimmed).filter { !$0.isEmpty }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

/// How items are told apart.
package enum ItemSeparation: String, Hashable, Sendable, CaseIterable {
  /// By a comma with space behind it: items may have commas in them, as in `1,000`.
  case exact
  /// By a comma, whatever follows it.
  case lenient
}
