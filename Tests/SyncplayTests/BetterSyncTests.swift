import Naming
import Playback
import SyncplayTesting
import Testing
import Vocabulary

@testable import Syncplay

/// The server's time is the truth, and each client is told what brings its player there.
@Suite struct BetterSyncTests {
  @Test func `who falls behind is fetched, and holds nobody back`() throws {
    var world = try LatecomerTests.bothWatching()
    world.mute("bob")
    var place = 400.0
    for second in 0..<14 {
      world.wait(1)
      place += 1
      let last = try #require(LatecomerTests.states(world, "bob").last)
      let stamp = try #require(last["ping"]?["latencyCalculation"]?.number)
      world.say(
        #"{"State":{"playstate":{"position":\#(place),"paused":false},"ping":{"latencyCalculation":\#(stamp)}}}"#,
        as: "bob")
      #expect(second < 20)
    }
    let seeks = LatecomerTests.states(world, "bob").filter {
      $0["playstate"]?["doSeek"] == .bool(true)
    }
    let counters = Set(seeks.compactMap { $0["ignoringOnTheFly"]?["server"]?.number })
    #expect((1...2).contains(counters.count + (seeks.isEmpty ? 1 : 0)))
    #expect(!seeks.isEmpty)
    #expect(
      LatecomerTests.states(world, "alice").allSatisfy {
        $0["playstate"]?["doSeek"] == .bool(false)
      })
  }

  @Test func `a pause is told so that players stop where it was`() throws {
    var world = try LatecomerTests.bothWatching()
    let place = try #require(
      LatecomerTests.states(world, "alice").last?["playstate"]?["position"]?.number
        ?? world.clients["alice"]?.place)
    world.wait(0.5)
    _ = place
    let now = world.lobby.roster.rooms["lobby"]?.place(at: world.now) ?? 0
    try SyncplayScript(
      #"""
      alice > {"State":{"playstate":{"position":\#(now),"paused":true},"ignoringOnTheFly":{"client":1}}}
      """#
    ).play(on: &world)
    world.wait(0.05)
    let told = try #require(
      LatecomerTests.states(world, "bob").first { $0["playstate"]?["paused"] == .bool(true) })
    let position = try #require(told["playstate"]?["position"]?.number)
    #expect(abs(position - (now - 0.08)) < 0.001)
    let own = try #require(
      LatecomerTests.states(world, "alice").first { $0["playstate"]?["paused"] == .bool(true) })
    #expect(abs(try #require(own["playstate"]?["position"]?.number) - now) < 0.001)
  }

  @Test func `a room stands where the player stopped whose line is long`() throws {
    var world = try LatecomerTests.bothWatching()
    world.mute("alice")
    func place() -> Double { world.lobby.roster.rooms["lobby"]?.place(at: world.now) ?? 0 }
    for _ in 0..<12 {
      world.wait(1)
      let told = try #require(LatecomerTests.states(world, "alice").last)
      let stamp = try #require(told["ping"]?["latencyCalculation"]?.number)
      world.wait(max(stamp + 0.6 - world.now.stamp, 0))
      world.say(
        #"{"State":{"playstate":{"position":\#(place() - 0.3),"paused":false},"ping":{"latencyCalculation":\#(stamp)}}}"#,
        as: "alice")
    }
    world.skip(world.heard(by: "bob").count, heardBy: "bob")
    let stop = place() - 0.35
    world.say(
      #"{"State":{"playstate":{"position":\#(stop),"paused":true},"ignoringOnTheFly":{"client":1}}}"#,
      as: "alice")
    world.wait(0.05)
    #expect(abs(place() - stop) < 0.001)
    let told = try #require(
      LatecomerTests.states(world, "bob").first { $0["playstate"]?["paused"] == .bool(true) })
    #expect(abs(try #require(told["playstate"]?["position"]?.number) - (stop - 0.08)) < 0.001)
  }

  @Test func `a room goes on where the player is that was moved by hand`() throws {
    var world = try LatecomerTests.bothWatching()
    world.say(
      #"{"State":{"playstate":{"position":900,"paused":false,"doSeek":true},"ignoringOnTheFly":{"client":1}}}"#,
      as: "alice")
    let said = world.now.stamp
    world.wait(1)
    let room = try #require(world.lobby.roster.rooms["lobby"])
    #expect(abs(room.place(at: world.now) - (900 + world.now.stamp - said)) < 0.005)
  }

  @Test func `habits are learned from where players land`() {
    var habits = PlayerHabits()
    #expect(habits.overrun == 80_000)
    for _ in 0..<20 { habits.noteStop(Int64(40_000 - habits.overrun)) }
    #expect(abs(habits.overrun - 40_000) < 1_000)
    for _ in 0..<20 { habits.noteSeek(Int64(habits.seekCost - 250_000)) }
    #expect(abs(habits.seekCost - 250_000) < 1_000)
    for _ in 0..<20 { habits.noteCatchUp(Int64(habits.catchUpCost - 50_000)) }
    #expect(abs(habits.catchUpCost - 50_000) < 1_000)
    #expect(abs(habits.seekCost - 250_000) < 1_000)
    for _ in 0..<20 { habits.noteStart(Int64(habits.startCost) - 90_000) }
    #expect(abs(habits.startCost - 90_000) < 1_000)
    #expect(habits.seekAndStartCost > habits.startCost)
    habits.noteStop(30_000_000)
    #expect(abs(habits.overrun - 40_000) < 1_000)
  }

  /// A client that takes its line for longer than it is goes too far by each seek.
  @Test func `who lands ahead of a seek is sent less far than where the room is`() {
    var habits = PlayerHabits()
    for _ in 0..<20 { habits.noteSeek(Int64(habits.seekCost) + 45_000) }
    #expect(abs(habits.seekCost - -45_000) < 1_000)
    for _ in 0..<200 { habits.noteSeek(1_900_000) }
    #expect(habits.seekCost == -400_000)
    for _ in 0..<20 { habits.noteStart(100_000) }
    #expect(habits.startCost == 0)
  }

  @Test(arguments: [false, true])
  func `where somebody lands while their file loads is no habit`(isArriving: Bool) {
    let start = Instant(microseconds: 1_795_254_915_000_000)
    let anchor = TimelineAnchor(mediaTime: .seconds(100), at: start, rate: .normal)
    let room = Standing(Timeline(phase: .playing(anchor), seq: 1))
    var peer = SyncplayPeer(address: "", device: "d", at: start)
    if isArriving { peer.arrival = Arrival(since: start) }
    peer.landing = SyncplayPeer.Landing(purpose: .seek, motion: .running, at: start)
    let before = peer.habits
    for second in 1...3 {
      let now = start + .seconds(second)
      _ = peer.note(room.place(at: now) + 0.1, room, at: now)
    }
    #expect((peer.habits == before) == isArriving)
    #expect(peer.landing == nil)
  }

  @Test func `a client that cannot keep up is left alone for longer and longer`() {
    var watch = DriftWatch()
    var seeks: [Int] = []
    for second in 0..<300 {
      let now = Instant(microseconds: Int64(second) * 1_000_000)
      if watch.note(-5_000_000, isExpected: false, at: now) { seeks.append(second) }
    }
    #expect(seeks == [2, 12, 32, 72, 152, 232])
  }

  @Test func `a client whose rate is another is taken along every ten seconds`() {
    var watch = DriftWatch()
    var seeks: [Int] = []
    for second in 0..<60 {
      let now = Instant(microseconds: Int64(second) * 1_000_000)
      if watch.note(-2_000_000, isExpected: true, at: now) { seeks.append(second) }
    }
    #expect(seeks == [2, 12, 22, 32, 42, 52])
  }
}
