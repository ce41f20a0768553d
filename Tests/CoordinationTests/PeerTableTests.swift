import GroupSessions
import Naming
import Testing
import Vocabulary

@testable import Coordination

@Suite struct PeerTableTests {
  private let limits = Limits()
  private let someone = Identity(user: "u", device: "d", name: "n")

  @Test func `the next deadline is the one of whoever is silent for longest, for its patience`() {
    var random = SplitMix64(seed: 3)
    var table = PeerTable()
    var model: [PeerID: (heard: Instant, patience: Patience)] = [:]
    var generations: [UInt32: UInt32] = [:]
    var now = Instant.start
    for _ in 0..<4_000 {
      now = now + .milliseconds(Int(random.next() % 900))
      let slot = UInt32(random.next() % 100)
      let id = PeerID(slot: slot, generation: generations[slot] ?? 0)
      switch (random.next() % 4, model[id]) {
      case (_, nil):
        table.insert(Peer(at: now), as: id)
        model[id] = (now, .hello)
      case (0, .some):
        #expect(table.remove(id)?.lastHeard == model[id]?.heard)
        model[id] = nil
        generations[slot, default: 0] += 1
      case (1, .some):
        let patience = random.next() % 2 == 0 ? Patience.heartbeat : .idle
        table.greet(id, as: someone, patience, at: now)
        model[id] = (now, patience)
      default:
        table.hear(id, at: now)
        model[id]?.heard = now
      }
      #expect(table.count == model.count)
      #expect(
        table.next(limits)?.deadline
          == model.values.map { $0.heard + $0.patience.duration(limits) }.min())
    }
    #expect(table.keys == model.keys.sorted { $0.slot < $1.slot })
  }

  @Test func `a late word for a connection never reaches its successor`() {
    var table = PeerTable()
    let old = PeerID(slot: 4, generation: 0)
    let new = PeerID(slot: 4, generation: 1)
    table.insert(Peer(at: .start), as: old)
    table.remove(old)
    table.insert(Peer(at: .start), as: new)
    table.hear(old, at: .start + .seconds(5))
    #expect(table[old] == nil && table.remove(old) == nil)
    #expect(table[new]?.lastHeard == .start)
    #expect(table.keys == [new])
  }
}
