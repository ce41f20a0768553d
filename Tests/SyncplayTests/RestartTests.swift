import Coordination
import GroupSessions
import Naming
import SyncplayTesting
import Testing
import Vocabulary

@testable import Syncplay

/// Rooms after the server was killed and started again.
@Suite struct RestartTests {
  private static let managed = "+lobby:EB6501C30B97"

  @Test func `a kept room is there after a restart, and stands where it stood`() throws {
    var world = SyncplayWorld.keepingRooms()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice > {"Set":{"playlistChange":{"files":["a.mkv","b.mkv"]}}}
      alice < {"Set":{"playlistChange":{"files":["a.mkv","b.mkv"]}}}
      alice > {"Set":{"playlistIndex":{"index":1}}}
      alice > {"Set":{"file":{"name":"b.mkv","duration":1000,"size":5}}}
      wait 8
      alice > {"State":{"playstate":{"position":600,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      alice < {"State":{"playstate":{"position":600},"ignoringOnTheFly":{"client":1}}}
      alice leaves
      wait 100
      """#
    ).play(on: &world)
    let session = try #require(world.lobby.roster.rooms["lobby"]?.live)
    for _ in 0..<2 {
      try world.restart(after: .seconds(5))
      #expect(world.lobby.roster.rooms["lobby"]?.live == session)
      world.wait(200)
      #expect(world.lobby.roster.rooms["lobby"]?.session?.id == session)
    }
    try SyncplayScript(
      #"""
      bob connects
      bob > \#(LatecomerTests.hello("bob"))
      bob < {"Set":{"playlistChange":{"files":["a.mkv","b.mkv"]}}}
      bob < {"Set":{"playlistIndex":{"index":1}}}
      bob < {"State":{"playstate":{"position":600,"paused":true}}}
      """#
    ).play(on: &world)
  }

  @Test func `whoever comes back after a restart finds the room as it was, its keeper a host`()
    throws
  {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice", Self.managed))
      alice > {"Set":{"controllerAuth":{"room":"\#(Self.managed)","password":"AB-123-456"}}}
      alice < {"Set":{"controllerAuth":{"success":true}}}
      """#
    ).play(on: &world)
    let session = try #require(world.lobby.roster.rooms[Self.managed]?.live)
    try world.restart(after: .seconds(3))
    try SyncplayScript(
      #"""
      bob connects
      bob > \#(LatecomerTests.hello("bob", Self.managed))
      bob > {"Set":{"controllerAuth":{"room":"\#(Self.managed)","password":"AB-123-456"}}}
      bob < {"Set":{"controllerAuth":{"success":true}}}
      """#
    ).play(on: &world)
    let room = try #require(world.lobby.roster.rooms[Self.managed]?.session)
    #expect(room.id == session)
    #expect(room.participants.values.first { $0.name == "bob" }?.role == .host)
  }

  @Test func `a room that is not kept ends some time after a restart, if nobody comes`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice > {"Set":{"playlistChange":{"files":["a.mkv"]}}}
      alice < {"Set":{"playlistChange":{"files":["a.mkv"]}}}
      """#
    ).play(on: &world)
    try world.restart(after: .seconds(1))
    #expect(world.lobby.roster.rooms["lobby"]?.live != nil)
    world.wait(100)
    #expect(world.lobby.roster.rooms.isEmpty)
    #expect(world.coordinator.groups(ofSessionsBegunBy: SyncplayLobby.keeper).isEmpty)
  }

  /// The names of the people in a room's group and in its session.
  private func names(in room: SyncplayRoom?) -> (group: [String]?, session: [String]?) {
    (room?.people?.people.map(\.name).sorted(), room?.session?.people.map(\.name).sorted())
  }

  @Test(arguments: [Duration.zero, .milliseconds(20)])
  func `whoever comes back after a restart is there once, and the film runs on`(
    journalDelay: Duration
  ) throws {
    var world = try LatecomerTests.watching()
    let before = try #require(world.lobby.roster.rooms["lobby"]).place(at: world.now)
    try world.restart(after: .seconds(2))
    world.journalDelay = journalDelay
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice > \#(LatecomerTests.file)
      wait 1
      """#
    ).play(on: &world)
    let room = try #require(world.lobby.roster.rooms["lobby"])
    #expect(names(in: room) == (["alice"], ["alice"]))
    #expect(!room.isPaused)
    #expect(abs(room.place(at: world.now) - before - 3) < 0.3)
  }

  @Test func `whoever does not come back after a restart stays for half a minute`() throws {
    var world = try LatecomerTests.bothWatching()
    _ = world.connectNative("nina", joins: "lobby")
    try world.restart(after: .seconds(2))
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      nina connects
      nina > \#(LatecomerTests.hello("nina"))
      wait 1
      """#
    ).play(on: &world)
    #expect(
      names(in: world.lobby.roster.rooms["lobby"]).group == ["alice", "bob", "nina", "nina_"])
    world.wait(30)
    #expect(names(in: world.lobby.roster.rooms["lobby"]).group == ["alice", "nina_"])
  }

  @Test func `whoever has an operator's name after a restart is none without the password`() throws
  {
    var world = SyncplayWorld()
    let enter = #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice", Self.managed))
      wait 1
      """#
    try SyncplayScript(
      enter + #"""

        alice > {"Set":{"controllerAuth":{"room":"\#(Self.managed)","password":"AB-123-456"}}}
        alice < {"Set":{"controllerAuth":{"success":true}}}
        """#
    ).play(on: &world)
    try world.restart(after: .seconds(1))
    try SyncplayScript(enter).play(on: &world)
    let people = try #require(world.lobby.roster.rooms[Self.managed]?.session?.people)
    #expect(people.map(\.role) == [.guest])
  }
}
