import GroupSessions
import Naming
import SyncplayTesting
import Testing
import Vocabulary
import Wire

@testable import Coordination
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

  @Test func `a keeper is nobody`() throws {
    var world = try LatecomerTests.watching()
    let native = world.connectNative("nina", joins: "lobby")
    let session = try #require(world.lobby.roster.rooms["lobby"]?.session)
    world.ask(.join(session.id, handoffFrom: nil), 2, as: native)
    let snapshots = (world.natives[native] ?? []).compactMap { message -> GroupSession? in
      if case .snapshot(let snapshot) = message { snapshot.session } else { nil }
    }
    let seen = try #require(snapshots.last)
    let people = seen.participants.values
    #expect(people.filter { !$0.isKeeper }.map(\.name).sorted() == ["alice", "nina"])
    #expect(people.filter(\.isKeeper).map(\.user) == [SyncplayLobby.keeper])
    #expect(seen.initiator.isKeeper)
    let group = try #require(world.lobby.roster.rooms["lobby"]?.people)
    #expect(group.members.values.filter(\.isKeeper).count == 1)
  }

  @Test(arguments: ["keeper", "user/alice", "room/lobby", "client/1"])
  func `somebody who is called like a keeper watches with the others`(name: String) throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello(name))
      wait 1
      """#
    ).play(on: &world)
    let room = try #require(world.lobby.roster.rooms["lobby"])
    #expect(room.session?.participants.values.map(\.name).contains(name) == true)
    #expect(Set(room.people?.members.values.map(\.user) ?? []).count == 2)
  }

  @Test func `of the rooms that nobody is in, those left last are kept open`() throws {
    var options = SyncplayOptions(salt: "testsalt12")
    options.permanentRooms = ["room 0"]
    var world = SyncplayWorld(options)
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice", "room 0"))
      """#
    ).play(on: &world)
    let bound = SyncplayLimits.emptyRooms
    for number in 1...bound + 10 {
      world.say(#"{"Set":{"room":{"name":"room \#(number)"}}}"#, as: "alice")
      // A second's worth of a client's words, and less than a room's grace.
      if number.isMultiple(of: 50) { world.wait(1) }
    }
    #expect(world.lobby.roster.rooms["room 0"] != nil)
    for number in 1..<10 { #expect(world.lobby.roster.rooms["room \(number)"] == nil) }
    for number in 10...bound + 10 { #expect(world.lobby.roster.rooms["room \(number)"] != nil) }
    #expect(world.coordinator.groups.rooms.groups.count == bound + 2)
    world.say(#"{"Set":{"room":{"name":"room 10"}}}"#, as: "alice")
    world.wait(40)
    #expect(world.lobby.roster.rooms.count == 2)
    #expect(world.lobby.roster.roomDirectory.empty.isEmpty)
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
    let room = try #require(world.lobby.roster.rooms[Self.managed])
    let people = try #require(room.session).participants.values
    let (alice, bob) = (people.first { $0.name == "alice" }, people.first { $0.name == "bob" })
    #expect(alice?.role == .host)
    #expect(bob?.role == .guest)
    let operating = try #require(world.clients["alice"]?.id)
    world.ask(.setRole(nil, try #require(bob?.id), .host), 900, as: operating)
    try SyncplayScript(#"alice < {"Set":{"controllerAuth":{"user":"bob","success":true}}}"#)
      .play(on: &world)
  }

  @Test func `what somebody has open who becomes an operator is what the room plays`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice", Self.managed))
      alice > \#(LatecomerTests.file)
      wait 1
      alice > {"Set":{"controllerAuth":{"room":"\#(Self.managed)","password":"AB-123-456"}}}
      alice < {"Set":{"controllerAuth":{"success":true}}}
      wait 1
      """#
    ).play(on: &world)
    let room = try #require(world.lobby.roster.rooms[Self.managed])
    #expect(room.item == SyncplayRoom.item(ofFile: "film.mkv"))
  }

  @Test(arguments: [true, false])
  func `whoever comes into a managed room is told who operates it`(moves: Bool) throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice enters \#(Self.managed)
      alice > {"Set":{"controllerAuth":{"room":"\#(Self.managed)","password":"AB-123-456"}}}
      alice < {"Set":{"controllerAuth":{"success":true}}}
      bob enters \#(moves ? "lobby" : Self.managed)
      """#
    ).play(on: &world)
    world.connect("cleo")
    world.say(LatecomerTests.hello("cleo", moves ? "lobby" : Self.managed), as: "cleo")
    if moves { world.say(#"{"Set":{"room":{"name":"\#(Self.managed)"}}}"#, as: "cleo") }
    try SyncplayScript(
      #"""
      cleo < {"Set":{"controllerAuth":{"user":"alice","room":"\#(Self.managed)","success":true}}}
      wait 1
      cleo ! {"Set":{"controllerAuth":{"user":"bob"}}}
      """#
    ).play(on: &world)
  }

  @Test func `whoever a host removes is told so and hung up on`() throws {
    var world = try LatecomerTests.watching()
    let native = world.connectNative("nina", joins: "lobby")
    let session = try #require(world.lobby.roster.rooms["lobby"]?.session)
    world.ask(.join(session.id, handoffFrom: nil), 2, as: native)
    let keeper = try #require(world.lobby.roster.rooms["lobby"]?.keeper.peer)
    let alice = try #require(session.participants.values.first { $0.name == "alice" })
    world.ask(.remove(nil, alice.id, isBanned: false), 900, as: keeper)
    try SyncplayScript(
      """
      alice < {"Error":{"message":"A host removed you from the room lobby."}}
      alice hears the end
      """
    ).play(on: &world)
  }

  @Test func `whoever comes back after a ban is told so, and hung up on again`() throws {
    var world = try LatecomerTests.watching()
    let native = world.connectNative("nina", joins: "lobby")
    let session = try #require(world.lobby.roster.rooms["lobby"]?.session)
    world.ask(.join(session.id, handoffFrom: nil), 2, as: native)
    let keeper = try #require(world.lobby.roster.rooms["lobby"]?.keeper.peer)
    let alice = try #require(session.participants.values.first { $0.name == "alice" })
    world.ask(.remove(nil, alice.id, isBanned: true), 900, as: keeper)
    try SyncplayScript(
      #"""
      alice hears the end
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice < {"Error":{"message":"A host removed you from the room lobby."}}
      alice hears the end
      """#
    ).play(on: &world)
    let members = try #require(world.lobby.roster.rooms["lobby"]).members
    #expect(members.isEmpty)
  }

  @Test func `rooms with a playlist are kept and listed where the server keeps rooms`() throws {
    var world = SyncplayWorld.keepingRooms(permanent: ["cinema"])
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
