import Transports
import Vocabulary

/// The open connections, each found by indexing an array.
struct ConnectionTable {
  private struct Slot {
    var connection: LineConnection?
    var generation: UInt32 = 0
  }

  private var slots: [Slot] = []
  private var free: [UInt32] = []

  /// How many connections are open.
  var count: Int { slots.count - free.count }

  subscript(id: PeerID) -> LineConnection? {
    let slot = Int(id.slot)
    guard slots.indices.contains(slot), slots[slot].generation == id.generation else { return nil }
    return slots[slot].connection
  }

  /// The identifier the next connection will have; ``insert`` uses it up.
  mutating func reserve() -> PeerID {
    if let slot = free.popLast() {
      return PeerID(slot: slot, generation: slots[Int(slot)].generation)
    }
    slots.makeRoom()
    slots.append(Slot())
    return PeerID(slot: UInt32(slots.count - 1), generation: 0)
  }

  mutating func insert(_ connection: LineConnection) {
    slots[Int(connection.id.slot)].connection = connection
  }

  /// Gives the place of a connection back, for a successor with another generation.
  mutating func remove(_ id: PeerID) {
    let slot = Int(id.slot)
    guard slots.indices.contains(slot), slots[slot].generation == id.generation else { return }
    slots[slot].connection = nil
    slots[slot].generation &+= 1
    free.append(id.slot)
  }
}
