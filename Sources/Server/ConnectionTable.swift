import Transports
import Vocabulary

/// The peers and their open connections, each found by indexing an array.
struct ConnectionTable {
  private struct Slot {
    var connection: LineConnection?
    var generation: UInt32 = 0
    var isInLobby = false
  }

  private var slots: [Slot] = []
  private var free: [UInt32] = []

  /// How many connections are open.
  private(set) var count = 0

  subscript(id: PeerID) -> LineConnection? {
    isPresent(id) ? slots[Int(id.slot)].connection : nil
  }

  /// Whether a peer is one of Syncplay's lobby, also without a connection.
  func isInLobby(_ id: PeerID) -> Bool {
    isPresent(id) && slots[Int(id.slot)].isInLobby
  }

  /// The identifier of a peer to come, whose connection, if it has one, ``insert(_:)`` brings.
  mutating func reserve(inLobby isInLobby: Bool = false) -> PeerID {
    let slot: Int
    if let last = free.popLast() {
      slot = Int(last)
    } else {
      slot = slots.count
      slots.makeRoom()
      slots.append(Slot())
    }
    slots[slot].isInLobby = isInLobby
    return PeerID(slot: UInt32(slot), generation: slots[slot].generation)
  }

  mutating func insert(_ connection: LineConnection) {
    slots[Int(connection.id.slot)].connection = connection
    count += 1
  }

  /// Gives a peer's place back, for a successor with another generation.
  mutating func remove(_ id: PeerID) {
    guard isPresent(id) else { return }
    let slot = Int(id.slot)
    if slots[slot].connection != nil { count -= 1 }
    slots[slot].connection = nil
    slots[slot].isInLobby = false
    slots[slot].generation &+= 1
    free.append(id.slot)
  }

  private func isPresent(_ id: PeerID) -> Bool {
    Int(id.slot) < slots.count && slots[Int(id.slot)].generation == id.generation
  }
}
