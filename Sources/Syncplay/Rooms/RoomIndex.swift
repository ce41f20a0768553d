import Vocabulary

/// Finds the names of rooms by what the coordinator calls them.
struct RoomIndex: Sendable {
  private var byGroup: [GroupID: String] = [:]
  private var bySession: [SessionID: String] = [:]
  private var byKeeper: [PeerID: String] = [:]

  /// Whether no room can be found.
  var isEmpty: Bool { byGroup.isEmpty && bySession.isEmpty && byKeeper.isEmpty }

  /// The room of a group, of a session, or of a keeper; `nil` if there is none.
  subscript(group: GroupID) -> String? {
    get { byGroup[group] }
    set { byGroup[group] = newValue }
  }

  subscript(session: SessionID) -> String? {
    get { bySession[session] }
    set { bySession[session] = newValue }
  }

  subscript(keeper: PeerID) -> String? {
    get { byKeeper[keeper] }
    set { byKeeper[keeper] = newValue }
  }
}

/// The empty rooms that may be closed, in the order in which they were left.
struct EmptyRooms: Sendable {
  private var names: [String] = []

  var isEmpty: Bool { names.isEmpty }

  /// Adds a room that was left.
  ///
  /// - Returns: the room that was left longest ago, if there are more than
  ///   ``SyncplayLimits/emptyRooms``; it has to be closed.
  mutating func append(_ name: String) -> String? {
    names.append(name)
    return names.count > SyncplayLimits.emptyRooms ? names[0] : nil
  }

  /// Removes a room that somebody entered, or that is closed.
  mutating func remove(_ name: String) { names.removeAll { $0 == name } }
}
