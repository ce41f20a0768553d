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

  /// Chooses a row; one that is not there is none.
  package mutating func select(_ row: Int) {
    if rows.indices.contains(row) { self.row = row }
  }

  /// The item that is chosen.
  package var selection: String? { row == 0 ? nil : items[row - 1] }

  /// What submitting does; `nil` while nothing can be submitted.
  package var submission: InAppMessage.ClickAction? {
    guard let selection, let attributeKey else { return nil }
    return .setAttribute(key: attributeKey, value: .string(selection))
  }
}
