import UserNotifications
import Vocabulary

/// What those who follow a session's parts by notifications were told last.
struct ToldObjects: Equatable, Sendable {
  private var objects: [SessionObject.Part: ToldObject] = [:]

  var isEmpty: Bool { objects.isEmpty }

  /// All who follow a part, in order.
  var subscribers: [UserID] {
    objects.values.reduce(into: Set()) { $0.formUnion($1.subscribers) }.sorted()
  }

  subscript(part: SessionObject.Part) -> ToldObject? {
    get { objects[part] }
    set { objects[part] = newValue }
  }
}

/// What those who follow one part of a session were told last.
struct ToldObject: Equatable, Sendable {
  var subscribers: Set<UserID> = []
  /// The number of the event after which the part was like this.
  var version: Int64
  var fields: [String: PayloadValue]

  /// The difference to how the part is now; `nil` if there is none.
  func delta(to fields: [String: PayloadValue], version: Int64) -> StateDelta? {
    var changes = fields.filter { self.fields[$0.key] != $0.value }
    for name in self.fields.keys where fields[name] == nil { changes[name] = .null }
    guard !changes.isEmpty else { return nil }
    return StateDelta(from: self.version, to: version, changes: changes)
  }
}
