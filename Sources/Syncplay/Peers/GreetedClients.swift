import Vocabulary

/// The clients that said hello: in which order, with which devices, and under which names.
struct GreetedClients: Sendable {
  /// In the order of their hellos.
  private(set) var all: [PeerID] = []
  private var byDevice: [DeviceID: PeerID] = [:]
  private var names = UsernameRegistry()
  private var lastDevice: UInt64 = 0

  var count: Int { all.count }

  /// Whether no client is left, nor a device of one.
  var isEmpty: Bool { all.isEmpty && byDevice.isEmpty }

  /// The client with a device; `nil` for devices of other peers.
  subscript(device: DeviceID) -> PeerID? { byDevice[device] }

  /// Makes a device for a new connection: a client that comes back takes part anew, and its old
  /// device expires.
  ///
  /// The number follows the time, so that devices differ after a restart.
  mutating func mintDevice(at now: Instant) -> DeviceID {
    lastDevice = max(lastDevice + 1, UInt64(clamping: now.microseconds))
    return SyncplayIdentifiers.client(lastDevice)
  }

  /// Adds a client.
  mutating func append(_ id: PeerID, on device: DeviceID) {
    byDevice[device] = id
    all.makeRoom()
    all.append(id)
  }

  /// Removes a client, whose name is free again.
  mutating func remove(_ id: PeerID, on device: DeviceID, named name: String) {
    byDevice[device] = nil
    all.removeAll { $0 == id }
    names.release(name)
  }

  /// Takes a name that is free, as much like the wanted one as possible; for guests, too.
  mutating func claim(_ wanted: String, maximum: Int) -> String {
    names.claim(wanted, maximum: maximum)
  }

  /// Frees a guest's name.
  mutating func release(_ name: String) { names.release(name) }
}

/// The names that are taken in all rooms; upper and lower case do not differ.
struct UsernameRegistry: Equatable, Sendable {
  private var taken: Set<String> = []

  /// Takes a free name, by the reference's rule: the wanted one is cut, and underscores are
  /// appended.
  ///
  /// - Returns: the name, which may be longer than the maximum by the underscores.
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

  /// The most underscores, before numbers are used; many clients of one name would fill each List
  /// with underscores.
  private static let underscores = 8

  private func numbered(_ name: String) -> String {
    var number = 2
    while isTaken(name + "\(number)") { number += 1 }
    return name + "\(number)"
  }

  /// Frees a name.
  mutating func release(_ name: String) {
    taken.remove(name.lowercased())
  }

  private func isTaken(_ name: String) -> Bool { taken.contains(name.lowercased()) }
}
