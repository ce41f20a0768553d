package import Vocabulary

/// What an app keeps in a group.
///
/// An object's fields change one by one: a change names those that differ, and `null` takes one out
/// (RFC 7396, one level).
package struct GroupObjects: Equatable, Sendable {
  package private(set) var all: SortedMap<ObjectID, GroupObject> = [:]
  /// How many bytes they take as JSON at most.
  package private(set) var byteCount = 0

  package init() {}

  /// Restores the objects from a snapshot.
  package init(_ objects: [(ObjectID, GroupObject)]) {
    for (id, object) in objects { set(object, for: id) }
  }

  package subscript(id: ObjectID) -> GroupObject? { all[id] }

  /// Checks that there is room for a change.
  ///
  /// - Returns: the event, with the fields that differ; none if the change changes nothing.
  func update(
    _ id: ObjectID, _ changes: [String: PayloadValue], by user: UserID, _ limits: Limits
  ) throws(GroupRejection) -> [GroupEvent] {
    let known = all[id]?.fields
    let changes = changes.filter { $0.value != known?[$0.key] ?? .null }
    guard !changes.isEmpty || known == nil else { return [] }
    guard known != nil || all.count < limits.objects else {
      throw .tooManyObjects(limit: limits.objects)
    }
    var changed = self
    changed.apply(changes, to: id, version: .max)
    // What makes objects smaller is always possible.
    guard changed.byteCount <= max(limits.objectBytes, byteCount) else {
      throw .objectsTooLarge(limit: limits.objectBytes)
    }
    return [.objectUpdated(id, set: changes, by: user)]
  }

  mutating func apply(_ changes: [String: PayloadValue], to id: ObjectID, version: Int) {
    var fields = all[id]?.fields ?? [:]
    for (name, value) in changes { fields[name] = value == .null ? nil : value }
    set(GroupObject(version: version, fields: fields), for: id)
  }

  mutating func remove(_ id: ObjectID) {
    byteCount -= Self.byteCount(of: id, all[id])
    all[id] = nil
  }

  private mutating func set(_ object: GroupObject, for id: ObjectID) {
    byteCount += Self.byteCount(of: id, object) - Self.byteCount(of: id, all[id])
    all[id] = object
  }

  private static func byteCount(of id: ObjectID, _ object: GroupObject?) -> Int {
    guard let object else { return 0 }
    return fixedBytes + id.byteBound + PayloadValue.dictionary(object.fields).jsonByteCount
  }

  /// The names of all fields, and the longest version.
  private static let fixedBytes = 64
}
