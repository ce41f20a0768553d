import SyncplayTesting
import Testing
import Vocabulary

@testable import Syncplay

@Suite struct PulsesTests {
  private func instant(_ seconds: Int64) -> Instant { Instant(microseconds: seconds * 1_000_000) }

  private func peer(_ slot: UInt32) -> PeerID { PeerID(slot: slot, generation: 1) }

  @Test func `whoever came first is woken first, and nobody before their time`() {
    var pulses = Pulses()
    #expect(pulses.earliest == nil)
    for slot in 0..<3 { pulses.append(peer(UInt32(slot)), at: instant(Int64(slot))) }
    #expect(pulses.earliest == instant(0))
    #expect(pulses.popDue(at: instant(1)) == peer(0))
    #expect(pulses.popDue(at: instant(1)) == peer(1))
    #expect(pulses.popDue(at: instant(1)) == nil)
    #expect(pulses.earliest == instant(2))
  }

  @Test func `who moves is told once a second all the same`() throws {
    var world = try LatecomerTests.watching()
    for room in ["one", "two", "three", "lobby"] {
      world.say(#"{"Set":{"room":{"name":"\#(room)"}}}"#, as: "alice")
      world.wait(0.1)
    }
    world.wait(2)
    let before = world.heard(by: "alice").count { $0["State"] != nil }
    world.wait(10)
    #expect(world.heard(by: "alice").count { $0["State"] != nil } - before == 10)
  }
}
