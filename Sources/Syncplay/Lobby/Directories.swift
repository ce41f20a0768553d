import GroupSessions
import Vocabulary

/// The clients that said hello, and how they are found.
struct ClientDirectory: Sendable {
  /// All of them, in the order of their Hellos.
  private(set) var greeted: [PeerID] = []
  private var peers: [DeviceID: PeerID] = [:]
  private var names = UsernameRegistry()

  /// Whether nothing is known of anybody.
  var isEmpty: Bool { greeted.isEmpty && peers.isEmpty }

  /// The client that a device of the coordinator stands for.
  func peer(on device: DeviceID) -> PeerID? { peers[device] }

  /// A client said hello.
  mutating func add(_ id: PeerID, on device: DeviceID) {
    peers[device] = id
    greeted.makeRoom()
    greeted.append(id)
  }

  /// A client that said hello is gone.
  mutating func remove(_ id: PeerID, on device: DeviceID) {
    peers[device] = nil
    greeted.removeAll { $0 == id }
  }

  /// Takes a name that nobody else has, as near as possible to the wanted one.
  mutating func claimName(_ wanted: String, maximum: Int) -> String {
    names.claim(wanted, maximum: maximum)
  }

  /// Gives a name back.
  mutating func releaseName(_ name: String) { names.release(name) }
}

/// How rooms are found other than by name, and which of them are empty.
struct RoomDirectory: Sendable {
  /// The rooms that nobody is in and that may be closed, the one left longest ago first.
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

  /// A room opens.
  mutating func add(_ room: SyncplayRoom) {
    byGroup[room.group] = room.name
  }

  /// A room closes.
  mutating func remove(_ room: SyncplayRoom) {
    noteFilled(room.name)
    if let keeper = room.keeper.peer { byKeeper[keeper] = nil }
    if let live = room.live { bySession[live] = nil }
    byGroup[room.group] = nil
  }

  /// A session is live in a room.
  mutating func add(_ session: SessionID, in room: String) {
    bySession[session] = room
  }

  /// A session is over.
  mutating func remove(_ session: SessionID) {
    bySession[session] = nil
  }

  /// A peer keeps a room.
  mutating func add(keeper: PeerID, of room: String) {
    byKeeper[keeper] = room
  }

  /// A peer keeps its room no more.
  ///
  /// - Returns: the room; `nil` if the peer was no keeper.
  mutating func remove(keeper: PeerID) -> String? { byKeeper.removeValue(forKey: keeper) }

  /// Everybody has left a room.
  ///
  /// - Returns: the room to close because there are too many empty ones; `nil` if there are not.
  mutating func noteEmpty(_ room: String) -> String? {
    empty.append(room)
    return empty.count > SyncplayLimits.emptyRooms ? empty[0] : nil
  }

  /// Somebody comes to a room that was empty.
  mutating func noteFilled(_ room: String) {
    empty.removeAll { $0 == room }
  }
}

/// The names that are taken, over all rooms; upper and lower case are one.
struct UsernameRegistry: Equatable, Sendable {
  private var taken: Set<String> = []

  /// Takes a name, made free by the reference's rule: it is cut, and underscores are appended.
  ///
  /// - Returns: the name to use; longer than the maximum where underscores were needed.
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

  /// Underscores until numbers are used: a crowd of one name would fill every List with them.
  private static let underscores = 8

  private func numbered(_ name: String) -> String {
    var number = 2
    while isTaken(name + "\(number)") { number += 1 }
    return name + "\(number)"
  }

  /// Gives a name back.
  mutating func release(_ name: String) {
    taken.remove(name.lowercased())
  }

  private func isTaken(_ name: String) -> Bool { taken.contains(name.lowercased()) }
}
