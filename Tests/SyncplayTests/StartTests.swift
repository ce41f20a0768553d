import GroupSessions
import Naming
import Playback
import SyncplayTesting
import Testing
import Vocabulary
import Wire

@testable import Syncplay

/// What the others are told when somebody presses play.
@Suite struct StartTests {
  /// Two who stand at the same place of a film.
  private func standing(at place: Double = 600) throws -> SyncplayWorld {
    var world = try LatecomerTests.bothWatching()
    try SyncplayScript(
      #"""
      alice > {"State":{"playstate":{"position":613,"paused":true},"ignoringOnTheFly":{"client":1}}}
      wait 3
      alice > {"State":{"playstate":{"position":\#(place),"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      wait 3
      """#
    ).play(on: &world)
    skip(&world)
    return world
  }

  private func skip(_ world: inout SyncplayWorld) {
    for name in ["alice", "bob"] { world.skip(world.heard(by: name).count, heardBy: name) }
  }

  private func forced(_ world: SyncplayWorld, _ name: String) -> [JSONTree] {
    world.heard(by: name).compactMap { $0["State"] }
      .filter { $0["ignoringOnTheFly"]?["server"] != nil }
  }

  private func play(_ place: Double, _ world: inout SyncplayWorld) {
    world.say(
      #"{"State":{"playstate":{"position":\#(place),"paused":false},"ignoringOnTheFly":{"client":1}}}"#,
      as: "alice")
  }

  @Test func `a room goes on where the player is that started it`() throws {
    var world = try standing()
    play(600.1, &world)
    world.wait(0.3)
    let room = try #require(world.lobby.roster.rooms["lobby"])
    let own = try #require(world.clients["alice"]).player
    let passed = world.now.stamp - own.placedAt
    #expect(abs(room.place(at: world.now) - (own.place + passed)) < 0.02)
  }

  @Test func `who stands where the others start begins at once and is moved after`() throws {
    var world = try standing()
    play(600.2, &world)
    world.wait(1)
    let told = forced(world, "bob")
    try #require(told.count == 2)
    #expect(told[0]["playstate"]?["paused"] == .bool(false))
    #expect(told[0]["playstate"]?["doSeek"] == .bool(false))
    #expect(told[1]["playstate"]?["paused"] == .bool(false))
    #expect(told[1]["playstate"]?["doSeek"] == .bool(true))
    // Only the start is what Alice did.
    #expect(told.map { $0["playstate"]?["setBy"] } == [.string("alice"), .string("Matinee")])
    let stamps = try told.map { try #require($0["ping"]?["latencyCalculation"]?.number) }
    #expect((0.1...0.3).contains(stamps[1] - stamps[0]))
    // It is moved as far as a player needs that has only just begun.
    let position = try #require(told[1]["playstate"]?["position"]?.number)
    let room = try #require(world.lobby.roster.rooms["lobby"])
    let place = room.place(at: Instant(microseconds: Int64(stamps[1] * 1_000_000)))
    #expect(abs(position - place - 0.1) < 0.01)
  }

  @Test(arguments: [false, true])
  func `who jumps is told so under their own name, which moves no player`(isPaused: Bool) throws {
    var world = try isPaused ? standing() : LatecomerTests.bothWatching()
    try SyncplayScript(
      #"""
      alice > {"State":{"playstate":{"position":900,"paused":\#(isPaused),"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      alice < {"State":{"playstate":{"position":900,"doSeek":true,"setBy":"alice"},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"position":900,"doSeek":true,"setBy":"alice"}}}
      wait 3
      alice ! {"State":{"playstate":{"doSeek":true}}}
      """#
    ).play(on: &world)
  }

  @Test func `nobody is moved in a film's first second, which clients refuse`() throws {
    var world = try standing(at: 0)
    play(0.3, &world)
    world.wait(2)
    let told = forced(world, "bob")
    try #require(told.count == 2)
    let position = try #require(told[1]["playstate"]?["position"]?.number)
    #expect((1.05...1.4).contains(position))
  }

  @Test func `who would start right there is not moved`() throws {
    var world = try standing()
    play(600, &world)
    world.wait(1)
    let told = forced(world, "bob")
    #expect(told.count == 1)
    #expect(told.first?["playstate"]?["doSeek"] == .bool(false))
    #expect(told.first?["playstate"]?["paused"] == .bool(false))
  }

  @Test func `a change that was just said is not said again before its answer`() throws {
    var world = try standing()
    world.mute("bob")
    play(600.2, &world)
    world.wait(0.9)
    #expect(forced(world, "bob").count == 2)
    world.wait(2)
    // Whoever never answers is told again, and stays with the others so.
    #expect((3...4).contains(forced(world, "bob").count))
  }

  /// Alice presses play, and a native peer that watches with her has to get ready.
  private func playBesideNative(
    _ world: inout SyncplayWorld
  ) throws -> (native: PeerID, item: ItemID) {
    let native = world.connectNative("nina", joins: "lobby")
    let session = try #require(world.lobby.roster.rooms["lobby"]?.session)
    world.ask(.join(session.id, handoffFrom: nil), 2, as: native)
    let item = try #require(world.lobby.roster.rooms["lobby"]?.item)
    world.ask(.playback(nil, .transition(to: item)), 3, as: native)
    world.wait(2)
    skip(&world)
    play(600, &world)
    return (native, item)
  }

  @Test func `whoever presses play is not stopped while a native peer gets ready`() throws {
    var world = try standing()
    let (native, item) = try playBesideNative(&world)
    world.wait(0.3)
    let seq = try #require(world.lobby.roster.rooms["lobby"]?.timeline?.seq)
    world.ask(.playback(nil, .ready(item, seq: seq)), 4, as: native)
    world.wait(1)
    let told = world.heard(by: "alice").compactMap { $0["State"]?["playstate"]?["paused"] }
    #expect(!told.isEmpty)
    #expect(told.allSatisfy { $0 == .bool(false) })
    #expect(world.lobby.roster.rooms["lobby"]?.isPaused == false)
  }

  @Test func `whoever presses play is told when somebody does not get ready`() throws {
    var world = try standing()
    _ = try playBesideNative(&world)
    world.wait(1)
    #expect(forced(world, "alice").contains { $0["playstate"]?["paused"] == .bool(true) })
  }
}
