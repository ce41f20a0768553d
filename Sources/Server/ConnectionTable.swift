import Transports
import Vocabulary

/// The peers and their open connections, each found by an array index.
struct ConnectionTable {
  private struct Slot {
    var connection: LineConnection?
    var generation: UInt32 = 0
    /// The dialect's number plus one; 0 is the native protocol.
    ///
    /// One byte, because each peer has one.
    var dialect: UInt8 = 0
  }

  private var slots: [Slot] = []
  private var free: [UInt32] = []

  /// How many connections are open.
  private(set) var count = 0

  subscript(id: PeerID) -> LineConnection? {
    isPresent(id) ? slots[Int(id.slot)].connection : nil
  }

  /// The number of the dialect that a peer belongs to; `nil` for native and unknown peers.
  func dialect(of id: PeerID) -> Int? {
    guard isPresent(id) else { return nil }
    let number = Int(slots[Int(id.slot)].dialect)
    return number == 0 ? nil : number - 1
  }

  /// Reserves an identifier for a peer; ``insert(_:)`` adds its connection, if it has one.
  mutating func reserve(for dialect: Int? = nil) -> PeerID {
    let slot: Int
    if let last = free.popLast() {
      slot = Int(last)
    } else {
      slot = slots.count
      slots.makeRoom()
      slots.append(Slot())
    }
    slots[slot].dialect = dialect.map { UInt8($0 + 1) } ?? 0
    return PeerID(slot: UInt32(slot), generation: slots[slot].generation)
  }

  var peers: [PeerID] { slots.compactMap(\.connection?.id) }

  /// How many connections belong to a list.
  func count(of list: FlushList) -> Int { slots.count { $0.connection?.isOn(list) == true } }

  mutating func insert(_ connection: LineConnection) {
    slots[Int(connection.id.slot)].connection = connection
    count += 1
  }

  /// Frees a peer's slot; the next peer there has another generation.
  mutating func remove(_ id: PeerID) {
    guard isPresent(id) else { return }
    let slot = Int(id.slot)
    if slots[slot].connection != nil { count -= 1 }
    slots[slot].connection = nil
    slots[slot].dialect = 0
    slots[slot].generation &+= 1
    free.append(id.slot)
  }

  private func isPresent(_ id: PeerID) -> Bool {
    Int(id.slot) < slots.count && slots[Int(id.slot)].generation == id.generation
  }
}
