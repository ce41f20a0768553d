/// The lines or messages that a peer of a test heard, in which it looks again after each turn.
package struct HeardTexts {
  package private(set) var all: [String] = []
  /// How many texts from the first one on lack a part.
  private var lacking: [String: Int] = [:]

  package init() {}

  package mutating func append(_ text: String) { all.append(text) }

  /// Whether a text contains this part; each text is searched once for it.
  package mutating func contain(_ part: String) -> Bool {
    let start = lacking[part] ?? 0
    let place = all[start...].firstIndex { $0.contains(part) } ?? all.endIndex
    lacking[part] = place
    return place < all.endIndex
  }
}
