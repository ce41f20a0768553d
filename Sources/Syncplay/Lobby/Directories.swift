import GroupSessions
import Vocabulary

/// Indexes of the clients that said Hello.
struct ClientDirectory: Sendable {
  /// All of them, in the order of their Hellos.
  private(set) var greeted: [PeerID] = []
  private var peers: [DeviceID: PeerID] = [:]
  private var names = UsernameRegistry()

  /// Whether there are no clients.
  var isEmpty: Bool { greeted.isEmpty && peers.isEmpty }

  /// The client that a device of the coordinator stands for.
  func peer(on device: DeviceID) -> PeerID? { peers[device] }

  /// Adds a client that said Hello.
  mutating func add(_ id: PeerID, on device: DeviceID) {
    peers[device] = id
    greeted.makeRoom()
    greeted.append(id)
  }

  /// Removes a client that said Hello.
  mutating func remove(_ id: PeerID, on device: DeviceID) {
    peers[device] = nil
    greeted.removeAll { $0 == id }
  }

  /// Reserves a unique name that is as close as possible to the wanted one.
  mutating func claimName(_ wanted: String, maximum: Int) -> String {
    names.claim(wanted, maximum: maximum)
  }

  /// Releases a name.
  mutating func releaseName(_ name: String) { names.release(name) }
}

/// Indexes of rooms by group, session and keeper, and the list of empty rooms.
struct RoomDirectory: Sendable {
  /// The empty rooms that may be closed; the one that has been empty longest is first.
  private(set) var empty: [String] = []
  private var byGroup: [GroupID: String] = [:]
  private var bySession: [SessionID: String] = [:]
  private var byKeeper: [PeerID: String] = [:]

  /// Whether no room has a keeper.
  var hasNoKeeper: Bool { byKeeper.isEmpty }

  /// The room of a group.
  func room(of group: GroupID) -> String? { byGroup[group] }

  /// The room that a session is live in.
  func room(of session: SessionID) -> String? { bySession[session] }

  /// The room that a peer keeps; `nil` if the peer is no keeper.
  func room(keptBy peer: PeerID) -> String? { byKeeper[peer] }

  /// Adds a room.
  mutating func add(_ room: SyncplayRoom) {
    byGroup[room.group] = room.name
  }

  /// Removes a room.
  mutating func remove(_ room: SyncplayRoom) {
    noteFilled(room.name)
    if let keeper = room.keeper.peer { byKeeper[keeper] = nil }
    if let live = room.live { bySession[live] = nil }
    byGroup[room.group] = nil
  }

  /// Adds the session that is live in a room.
  mutating func add(_ session: SessionID, in room: String) {
    bySession[session] = room
  }

  /// Removes a session that is over.
  mutating func remove(_ session: SessionID) {
    bySession[session] = nil
  }

  /// Adds the peer that keeps a room.
  mutating func add(keeper: PeerID, of room: String) {
    byKeeper[keeper] = room
  }

  /// Removes a peer that kept a room.
  ///
  /// - Returns: the room; `nil` if the peer was no keeper.
  mutating func remove(keeper: PeerID) -> String? { byKeeper.removeValue(forKey: keeper) }

  /// Records that a room is empty.
  ///
  /// - Returns: the room to close because there are too many empty ones; `nil` if there are not.
  mutating func noteEmpty(_ room: String) -> String? {
    empty.append(room)
    return empty.count > SyncplayLimits.emptyRooms ? empty[0] : nil
  }

  /// Records that an empty room has somebody in it again.
  mutating func noteFilled(_ room: String) {
    empty.removeAll { $0 == room }
  }
}

/// The names in use in all rooms; upper and lower case are treated alike.
struct UsernameRegistry: Equatable, Sendable {
  private var taken: Set<String> = []

  /// Reserves a name that is made unique by the reference's rule: it is cut, and underscores are
  /// appended.
  ///
  /// - Returns: the name to use; it may exceed the maximum by the underscores.
  mutating func claim(_ wanted: String, maximum: Int) -> String {
    var name = wanted.truncated(toCodePoints: maximum)
    if isTaken(name), name.last == "_" {
      while name.last == "_" { name.removeLast() }
      if name.isEmpty { name = "_" }
    }
    var attempts = 0
    while isTaken(name), attempts < Self.underscores {
      name += "_"
      attempts += 1
    }
    if isTaken(name) { name = numbered(name) }
    taken.insert(name.lowercased())
    return name
  }

  /// The most underscores before numbers are used instead; many clients with the same name would
  /// otherwise fill every List with underscores.
  private static let underscores = 8

  private func numbered(_ name: String) -> String {
    var number = 2
    while isTaken(name + "\(number)") { number += 1 }
    return name + "\(number)"
  }

  /// Releases a name.
  mutating func release(_ name: String) {
    taken.remove(name.lowercased())
  }

  private func isTaken(_ name: String) -> Bool { taken.contains(name.lowercased()) }
}
