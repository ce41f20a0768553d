import GroupSessions
import Naming
import Playback
import SyncplayTesting
import Testing
import Vocabulary
import Wire

@testable import Coordination
@testable import Syncplay

/// The coordinator knows how far each player is from its group, and is not told again what it knows.
@Suite struct ReportedPlaceTests {
  private static func pause(_ world: inout SyncplayWorld) throws {
    try SyncplayScript(
      #"""
      alice > {"State":{"playstate":{"position":605,"paused":true},"ignoringOnTheFly":{"client":2}}}
      wait 8
      """#
    ).play(on: &world)
  }

  /// How far the session believes that alice is.
  private static func offset(_ world: SyncplayWorld) throws -> Duration? {
    let session = try #require(world.lobby.roster.rooms["lobby"]?.session)
    let alice = try #require(session.people.first { $0.name == "alice" })
    return world.coordinator.groups.rooms.sessions[session.id]?.offsets[alice.id]
  }

  private static func reports(_ world: inout SyncplayWorld, in seconds: Double) -> Int {
    let before = world.reports
    world.wait(seconds)
    return world.reports - before
  }

  @Test func `a player that runs is reported every five seconds`() throws {
    var world = try LatecomerTests.watching()
    #expect(Self.reports(&world, in: 60) == 12)
  }

  @Test func `a player that stands where it stood is reported once a minute`() throws {
    var world = try LatecomerTests.watching()
    try Self.pause(&world)
    #expect(try Self.offset(world) == .zero)
    #expect(Self.reports(&world, in: 240) == 4)
  }

  @Test func `a player that stands elsewhere than before is reported within five seconds`() throws {
    var world = try LatecomerTests.watching()
    try Self.pause(&world)
    world.mute("alice")
    try SyncplayScript(
      #"""
      alice > {"State":{"playstate":{"position":606,"paused":true}}}
      wait 5
      """#
    ).play(on: &world)
    #expect(try Self.offset(world) == .seconds(1))
  }

  @Test func `a player that does not go along with its group is reported within five seconds`()
    throws
  {
    var world = try LatecomerTests.bothWatching()
    try Self.pause(&world)
    let place = try #require(world.clients["alice"]?.place)
    world.mute("alice")
    try SyncplayScript(
      #"""
      bob > {"State":{"playstate":{"position":300,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      wait 5
      """#
    ).play(on: &world)
    #expect(try Self.offset(world) == MediaTime.seconds(place) - .seconds(300))
  }

  @Test func `each session that a client comes to hears of it`() {
    let room = Standing(Timeline(phase: .paused(at: .seconds(600)), seq: 1))
    var peer = SyncplayPeer(address: "", device: "d", at: Instant(microseconds: 0))
    peer.place = SyncplayClientState.Place(position: 600, isPaused: true)
    for participant in ["p", "q"] as [ParticipantID] {
      peer.membership.takePart(as: participant)
      let reports = (0..<2).map { _ in peer.takeNewReport(on: "film", in: room) }
      #expect(reports[0]?.mediaTime == .seconds(600))
      #expect(reports[1] == nil)
    }
  }

  /// The coordinator gives up whoever it hears nothing of for ten minutes.
  @Test func `a client that sends no stamps back stays as long as it talks`() throws {
    var world = try LatecomerTests.watching()
    world.mute("alice")
    for second in 0..<700 {
      world.say(
        #"{"State":{"playstate":{"position":\#(606 + second),"paused":false}}}"#, as: "alice")
      world.wait(1)
    }
    #expect(!world.isOver("alice"))
    #expect(try Self.offset(world) != nil)
  }

  @Test func `so does one that never sent any`() throws {
    var world = SyncplayWorld()
    world.connect("alice")
    world.say(LatecomerTests.hello("alice"), as: "alice")
    world.mute("alice")
    for _ in 0..<700 {
      world.say(#"{"State":{"playstate":{"position":0,"paused":true}}}"#, as: "alice")
      world.wait(1)
    }
    #expect(!world.isOver("alice"))
    #expect(try Self.offset(world) != nil)
  }
}
