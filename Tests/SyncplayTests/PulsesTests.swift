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

  @Test func `seconds end together, so that one waking serves many`() throws {
    var world = SyncplayWorld()
    for number in 0..<100 {
      world.connect("p\(number)")
      world.say(LatecomerTests.hello("p\(number)"), as: "p\(number)")
      world.wait(0.0137)
    }
    world.wait(3)
    var wakings: Set<Instant> = []
    let end = world.now + .seconds(1)
    while let due = world.lobby.nextDeadline, due < end {
      wakings.insert(due)
      world.wait((due - world.now).inSeconds + 0.000_001)
    }
    #expect(wakings.count <= 20)
  }

  @Test func `news of a full room are one piece, and wait for the next State`() throws {
    var world = crowd(SyncplayLimits.attentiveAudience + 2)
    world.wait(2)
    let before = world.posted
    // All within one tick.
    for name in ["late", "later", "latest"] {
      world.connect(name)
      world.say(LatecomerTests.hello(name), as: name)
    }
    #expect(world.posted == before)
    #expect(!world.heard(by: "p0").contains { $0["Set"]?["user"]?["late"] != nil })
    world.wait(0.05)
    // One for the crowd. Who came first hears of the two others, and the next one of the last:
    // entry by entry, their coming and their readiness.
    #expect(world.posted - before == 1 + 4)
    #expect(arrivals(in: world, to: "p0") == ["late", "later", "latest"])
    #expect(arrivals(in: world, to: "later") == ["latest"])
  }

  @Test func `whoever is told something else is told the news of a full room before`() throws {
    var world = crowd(SyncplayLimits.attentiveAudience + 2)
    world.wait(2)
    world.connect("late")
    world.say(LatecomerTests.hello("late"), as: "late")
    world.say(#"{"List":null}"#, as: "p7")
    let last = world.heard(by: "p7").suffix(3)
    #expect(last.map { $0["Set"]?["user"]?["late"] != nil } == [true, false, false])
    #expect(last.last?["List"] != nil)
    world.wait(0.05)
    let told = world.heard(by: "p7").count { $0["Set"]?["user"]?["late"] != nil }
    #expect(told == 1)
  }

  private func arrivals(in world: SyncplayWorld, to name: String) -> [String] {
    world.heard(by: name).compactMap { line in
      ["late", "later", "latest"].first { line["Set"]?["user"]?[$0] != nil }
    }
  }

  private func crowd(_ count: Int) -> SyncplayWorld {
    var world = SyncplayWorld()
    for number in 0..<count {
      world.connect("p\(number)")
      world.say(LatecomerTests.hello("p\(number)"), as: "p\(number)")
    }
    return world
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
