import UserNotifications
import Vocabulary

/// Where objects are: a session has its parts, a group what apps keep in it.
enum Bucket: Equatable, Sendable {
  case session(SessionID)
  case group(GroupID)
}

extension ServerObject {
  var bucket: Bucket {
    switch self {
    case .part(_, let session): .session(session)
    case .own(_, let group): .group(group)
    }
  }
}

/// What subscribers to a bucket's objects were last told.
struct ToldObjects: Equatable, Sendable {
  private(set) var objects: SortedMap<ServerObject, ToldObject> = [:]

  var isEmpty: Bool { objects.isEmpty }

  subscript(object: ServerObject) -> ToldObject? {
    get { objects[object] }
    set { objects[object] = newValue }
  }

  /// What each subscriber follows.
  var subscribers: SortedMap<UserID, [ServerObject]> {
    var all: SortedMap<UserID, [ServerObject]> = [:]
    for (object, told) in objects {
      for user in told.subscribers { all[user] = (all[user] ?? []) + [object] }
    }
    return all
  }
}

/// What the subscribers of one object were last told.
struct ToldObject: Equatable, Sendable {
  var subscribers: Set<UserID> = []
  var state: ObjectState
}

/// An object as it was after an event.
struct ObjectState: Equatable, Sendable {
  /// The number of the event.
  let version: Int64
  let fields: [String: PayloadValue]

  /// The difference to a later state; `nil` if there is none.
  func delta(to state: ObjectState) -> StateDelta? {
    guard state.version != version else { return nil }
    var changes = state.fields.filter { fields[$0.key] != $0.value }
    for name in fields.keys where state.fields[name] == nil { changes[name] = .null }
    guard !changes.isEmpty else { return nil }
    return StateDelta(from: version, to: state.version, changes: changes)
  }
}

/// A value that is usually absent; it is indirect, so that its absence takes one word.
enum Rare<Value: Sendable>: Sendable {
  case absent
  indirect case present(Value)

  var isPresent: Bool {
    if case .present = self { true } else { false }
  }

  var value: Value? {
    if case .present(let value) = self { value } else { nil }
  }

  /// Changes the value in place, without a copy.
  ///
  /// - Parameter initial: the value if it is absent.
  @discardableResult
  mutating func change<Result>(
    orIn initial: @autoclosure () -> Value, _ body: (inout Value) -> Result
  ) -> Result {
    var value = value ?? initial()
    self = .absent
    defer { self = .present(value) }
    return body(&value)
  }
}
