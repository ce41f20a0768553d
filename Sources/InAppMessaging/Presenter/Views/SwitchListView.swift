/// A list of switches, as its view has it: tags, preferences, and what notifications one wants.
package struct SwitchListView: Equatable, Sendable {
  /// The extra that says whether submitting asks for leave to send notifications, too.
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

  /// Turns a switch over; one that is not there is none.
  package mutating func toggle(_ row: Int) {
    guard items.indices.contains(row) else { return }
    if off.remove(row) == nil { off.insert(row) }
  }

  /// Whether a switch is on.
  package func isOn(_ row: Int) -> Bool { items.indices.contains(row) && !off.contains(row) }

  /// The items whose switches are on.
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
