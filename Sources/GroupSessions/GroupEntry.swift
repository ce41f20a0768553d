package import Vocabulary

/// Who may enter a group, and how long the group lasts.
///
/// A group with a key outlives its members: people come back to it.
package struct GroupEntry: Equatable, Sendable {
  /// How often the group got a key, from 1, of which only the latest opens it; `nil` if it has none.
  package internal(set) var generation: Int?
  /// The people who entered with a key once, and need none any more.
  package internal(set) var admitted: Set<UserID>
  /// The people who were removed for good.
  package internal(set) var removed: Set<UserID>
  /// When the group closes because it has been empty for so long; `nil` while it has members.
  package internal(set) var closes: Instant?

  package init(
    generation: Int?, admitted: Set<UserID>, removed: Set<UserID> = [], closes: Instant? = nil
  ) {
    self.generation = generation
    self.admitted = admitted
    self.removed = removed
    self.closes = closes
  }

  /// The people whom the group remembers.
  var count: Int { admitted.count + removed.count }
}

/// What somebody shows at a group's door.
package enum Pass: Equatable, Sendable {
  /// The server asks for nothing, or has checked it elsewhere.
  case free
  case nothing
  /// The key that the group had in this generation.
  case key(generation: Int)
  /// The key that founds groups; it opens none that exists.
  case founding
  /// A key of nothing.
  case wrong
}

extension Group {
  /// Checks that a person may enter.
  ///
  /// - Returns: whether the group remembers the person from now on.
  func checkEntry(of user: UserID, with pass: Pass, limits: Limits) throws(GroupRejection) -> Bool {
    guard try isNew(user, with: pass) else { return false }
    guard entry.map({ $0.count < limits.admittedUsers }) ?? true else {
      throw .full(limit: limits.admittedUsers)
    }
    return true
  }

  /// Checks that a person may enter as a visitor, of whom the group remembers nothing.
  package func checkVisitor(_ user: UserID, with pass: Pass) throws(GroupRejection) {
    guard !isClosed else { throw .closed }
    _ = try isNew(user, with: pass)
  }

  /// Checks what a person shows at the door.
  ///
  /// - Returns: whether the group would have to remember the person.
  private func isNew(_ user: UserID, with pass: Pass) throws(GroupRejection) -> Bool {
    guard entry?.removed.contains(user) != true else { throw .removed }
    guard pass != .free else { return false }
    // A group of a time when the server asked for no keys: only those who are in it come back.
    guard let entry, let generation = entry.generation else { throw .held }
    guard !entry.admitted.contains(user) else { return false }
    switch pass {
    case .key(generation): break
    case .nothing: throw .keyRequired
    case .free, .key, .founding, .wrong: throw .keyRefused
    }
    return true
  }

  /// Removes a person with all their devices for good.
  ///
  /// A key changes with it, because the person could come back with it under a new name.
  func remove(
    _ user: UserID, by remover: DeviceID?, at now: Instant, _ limits: Limits
  ) throws(GroupRejection) -> [GroupEvent] {
    try check(.manageMembers, by: remover)
    // Without its keeper, nobody of a dialect could watch any more.
    let isKeeper = members.values.contains { $0.user == user && $0.isKeeper }
    guard user != founder, !isKeeper else { throw .notFounder }
    guard entry?.removed.contains(user) != true else { return [] }
    guard entry?.admitted.contains(user) == true || entry?.count ?? 0 < limits.admittedUsers else {
      throw .full(limit: limits.admittedUsers)
    }
    let newKey = entry?.generation.map { GroupEvent.keyChanged(generation: $0 + 1) }
    let devices = members.values.filter { $0.user == user }.map(\.device)
    return departure(
      of: devices, .removed, at: now, limits,
      before: [.userRemoved(user)] + (newKey.map { [$0] } ?? []))
  }

  func changeKey(by device: DeviceID?) throws(GroupRejection) -> [GroupEvent] {
    try check(.manageMembers, by: device)
    guard let generation = entry?.generation else { throw .noKey }
    return [.keyChanged(generation: generation + 1)]
  }
}
