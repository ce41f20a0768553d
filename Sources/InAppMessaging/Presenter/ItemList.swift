/// What a message lists for a person to choose from, and where the choice is kept.
package struct ItemList: Equatable, Sendable {
  /// The extra that names the attribute in which the choice is kept.
  package static let key = "attribute_key"

  /// In the order of the text; empty if the message is no text.
  package let items: [String]
  /// The attribute that keeps the choice; without one, nothing can be submitted.
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

/// A choice of one of several items, as its view has it.
package struct PickerView: Equatable, Sendable {
  /// What can be chosen; above it stands a row that is no choice.
  package let items: [String]
  /// What stands in the first row.
  package let placeholder: String
  /// The attribute the choice is kept in; without it nothing can be submitted.
  package let attributeKey: String?
  /// Which row is chosen; 0 is the placeholder.
  package private(set) var row = 0

  /// The choice that a message offers; `nil` if it lists no items.
  package init?(
    _ message: InAppMessage, placeholder: String = "", separation: ItemSeparation = .exact
  ) {
    let list = ItemList(message, separation)
    guard !list.items.isEmpty else { return nil }
    items = list.items
    self.placeholder = placeholder
    attributeKey = list.attributeKey
  }

  /// All rows, the placeholder first.
  package var rows: [String] { [placeholder] + items }

  /// Chooses a row; an unknown row is ignored.
  package mutating func select(_ row: Int) {
    if rows.indices.contains(row) { self.row = row }
  }

  /// The item that is chosen.
  package var selection: String? { row == 0 ? nil : items[row - 1] }

  /// The action of submitting; `nil` while nothing can be submitted.
  package var submission: InAppMessage.ClickAction? {
    guard let selection, let attributeKey else { return nil }
    return .setAttribute(key: attributeKey, value: .string(selection))
  }
}

/// A list of switches, as its view has it: tags, preferences, and what notifications one wants.
package struct SwitchListView: Equatable, Sendable {
  /// The extra that says whether submitting also asks for permission to send notifications.
  package static let requestPushKey = "request_push"

  /// What can be switched, in order.
  package let items: [String]
  /// The attribute the list is kept in; without it nothing can be submitted.
  package let attributeKey: String?
  private let requestsPush: Bool
  private var off: Set<Int> = []

  /// The switches that a message offers, all of them on; `nil` if it lists no items.
  package init?(_ message: InAppMessage, separation: ItemSeparation = .exact) {
    let list = ItemList(message, separation)
    guard !list.items.isEmpty else { return nil }
    items = list.items
    attributeKey = list.attributeKey
    requestsPush = message.extras[Self.requestPushKey]?.bool ?? false
  }

  /// Toggles a switch; an unknown one is ignored.
  package mutating func toggle(_ row: Int) {
    guard items.indices.contains(row) else { return }
    if off.remove(row) == nil { off.insert(row) }
  }

  /// Whether a switch is on.
  package func isOn(_ row: Int) -> Bool { items.indices.contains(row) && !off.contains(row) }

  package var selection: [String] { items.indices.filter(isOn).map { items[$0] } }

  /// What submitting does; `nil` if it can do nothing.
  ///
  /// A list of none is a choice as well.
  package var submission: InAppMessage.ClickAction? {
    guard let attributeKey else { return nil }
    let keep = InAppMessage.ClickAction.setAttribute(key: attributeKey, value: .list(selection))
    return requestsPush ? .sequence([keep, .requestPushPermission]) : keep
  }
}
