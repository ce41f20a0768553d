import GroupSessions
import Naming
import SyncplayTesting
import Testing
import Vocabulary
import Wire

@testable import Syncplay

/// Rooms, and the peers without a connection that keep them.
@Suite struct KeepersTests {
  private static let managed = "+lobby:EB6501C30B97"

  @Test func `a room where nothing happens is not taken for gone`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      wait 1500
      alice > {"Chat":"still here"}
      alice < {"Chat":{"username":"alice","message":"still here"}}
      """#
    ).play(on: &world)
  }

  @Test func `whoever is made a host by other means is an operator`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice", Self.managed))
      bob connects
      bob > \#(LatecomerTests.hello("bob", Self.managed))
      alice > {"Set":{"controllerAuth":{"room":"\#(Self.managed)","password":"AB-123-456"}}}
      alice < {"Set":{"controllerAuth":{"success":true}}}
      """#
    ).play(on: &world)
    let room = try #require(world.lobby.rooms[Self.managed])
    let people = try #require(room.session).participants.values
    let (alice, bob) = (people.first { $0.name == "alice" }, people.first { $0.name == "bob" })
    #expect(alice?.role == .host)
    #expect(bob?.role == .guest)
    let operating = try #require(world.clients["alice"]?.id)
    world.ask(.setRole(nil, try #require(bob?.id), .host), 900, as: operating)
    try SyncplayScript(#"alice < {"Set":{"controllerAuth":{"user":"bob","success":true}}}"#)
      .play(on: &world)
  }

  @Test func `whoever a host removes is told so and hung up on`() throws {
    var world = try LatecomerTests.watching()
    let native = world.connectNative("nina", joins: "lobby")
    let session = try #require(world.lobby.rooms["lobby"]?.session)
    world.ask(.join(session.id, handoffFrom: nil), 2, as: native)
    let keeper = try #require(world.lobby.rooms["lobby"]?.keeper)
    let alice = try #require(session.participants.values.first { $0.name == "alice" })
    world.ask(.remove(nil, alice.id, isBanned: false), 900, as: keeper)
    try SyncplayScript(
      """
      alice < {"Error":{"message":"A host removed you from the room lobby."}}
      alice hears the end
      """
    ).play(on: &world)
  }

  @Test func `rooms with a playlist are kept and listed where the server keeps rooms`() throws {
    var options = SyncplayOptions(salt: "testsalt12")
    options.keepsRooms = true
    options.permanentRooms = ["cinema"]
    var world = SyncplayWorld(options)
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice > {"Set":{"playlistChange":{"files":["a.mkv","b.mkv"]}}}
      alice < {"Set":{"playlistChange":{"files":["a.mkv","b.mkv"]}}}
      alice leaves
      wait 100
      bob connects
      bob > \#(LatecomerTests.hello("bob", "other"))
      bob < {"List":{"other":{"bob":{}},"cinema":{" ":{"isReady":true}},"lobby":{"  ":{"file":{}}}}}
      bob > {"Set":{"room":{"name":"lobby"}}}
      bob < {"Set":{"playlistChange":{"files":["a.mkv","b.mkv"]}}}
      """#
    ).play(on: &world)
  }

  @Test func `a disk's delay changes nothing that clients see`() throws {
    var world = SyncplayWorld()
    world.journalDelay = .milliseconds(6)
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice > \#(LatecomerTests.file)
      alice > {"Chat":"first"}
      alice < {"Chat":{"message":"first"}}
      wait 1.2
      alice > {"State":{"playstate":{"position":600,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      alice < {"State":{"playstate":{"position":600},"ignoringOnTheFly":{"client":1}}}
      alice > {"State":{"playstate":{"position":600,"paused":false},"ignoringOnTheFly":{"client":2}}}
      alice < {"State":{"playstate":{"paused":false},"ignoringOnTheFly":{"client":2}}}
      alice ! {"State":{"playstate":{"paused":true}}}
      alice > {"Set":{"room":{"name":"other"}}}
      alice < {"Set":{"user":{"alice":{"room":{"name":"other"}}}}}
      wait 1
      alice > {"Chat":"second"}
      alice < {"Chat":{"message":"second"}}
      """#
    ).play(on: &world)
  }

  @Test(arguments: ["", "{}"])
  func `a crowd of nothing is too much`(line: String) throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice < {"Hello":{}}
      """#
    ).play(on: &world)
    for _ in 0..<500 where !world.isOver("alice") { world.say(line, as: "alice") }
    try SyncplayScript("alice hears the end").play(on: &world)
  }

  @Test func `a crowd of lists is too much`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice < {"Hello":{}}
      """#
    ).play(on: &world)
    for _ in 0..<60 where !world.isOver("alice") { world.say(#"{"List":null}"#, as: "alice") }
    try SyncplayScript("alice hears the end").play(on: &world)
  }
}
