import SyncplayTesting
import Testing
import Vocabulary

@testable import Syncplay

/// Nobody who comes late, or loads a file, moves the others: the promise of the whole room.
@Suite struct LatecomerTests {
  static let file = #"{"Set":{"file":{"name":"film.mkv","duration":5400,"size":1}}}"#

  static func hello(_ name: String, _ room: String = "lobby") -> String {
    #"{"Hello":{"username":"\#(name)","room":{"name":"\#(room)"},"version":"1.2.255","realversion":"1.7.7","features":{"chat":true,"readiness":true,"uiMode":"GUI"}}}"#
  }

  /// Alice watches on her own, ten minutes in.
  static func watching() throws -> SyncplayWorld {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(hello("alice"))
      alice < {"Hello":{}}
      alice > \#(file)
      wait 1.2
      alice > {"State":{"playstate":{"position":600,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      wait 1
      alice > {"State":{"playstate":{"position":600,"paused":false},"ignoringOnTheFly":{"client":1}}}
      wait 5
      alice < {"State":{"playstate":{"position":"*","paused":false}}}
      """#
    ).play(on: &world)
    world.skip(world.heard(by: "alice").count, heardBy: "alice")
    return world
  }

  /// Bob has come to her, and is settled.
  static func bothWatching() throws -> SyncplayWorld {
    var world = try watching()
    try SyncplayScript(
      #"""
      bob connects
      bob > \#(hello("bob"))
      bob > \#(file)
      wait 8
      """#
    ).play(on: &world)
    for name in ["alice", "bob"] { world.skip(world.heard(by: name).count, heardBy: name) }
    return world
  }

  static func states(_ world: SyncplayWorld, _ name: String) -> [JSONTree] {
    world.heard(by: name).compactMap { $0["State"] }
  }

  static func positions(_ world: SyncplayWorld, _ name: String) -> [Double] {
    world.heard(by: name).compactMap { $0["State"]?["playstate"]?["position"]?.number }
  }

  @Test func `whom the group could not take is in it once it can`() throws {
    var world = try Self.watching()
    world.fillJournal(true)
    try SyncplayScript(
      #"""
      bob connects
      bob > \#(Self.hello("bob"))
      bob > \#(Self.file)
      wait 3
      """#
    ).play(on: &world)
    let bob = try #require(world.clients["bob"]?.id)
    #expect(world.lobby.roster.peers[bob]?.membership.participant == nil)
    world.fillJournal(false)
    world.wait(3)
    #expect(world.lobby.roster.peers[bob]?.membership.participant != nil)
  }

  @Test func `who cannot get to the group is not sent there by each of its answers`() throws {
    var world = try Self.watching()
    try SyncplayScript(
      #"""
      bob connects
      bob > \#(Self.hello("bob"))
      bob < {"State":{"playstate":{"paused":false}}}
      bob is mute
      bob > \#(Self.file)
      """#
    ).play(on: &world)
    let answer =
      #"{"State":{"playstate":{"position":3,"paused":false},"ignoringOnTheFly":{"server":1}}}"#
    for _ in 0..<40 {
      world.say(answer, as: "bob")
      world.wait(0.1)
    }
    let seeks = Self.states(world, "bob").filter { $0["playstate"]?["doSeek"] == .bool(true) }
    #expect((2...6).contains(seeks.count))
  }

  @Test func `a seek to the start after loading is undone, and nobody else hears of it`() throws {
    var world = try Self.watching()
    try SyncplayScript(
      #"""
      bob connects
      bob > \#(Self.hello("bob"))
      bob < {"State":{"playstate":{"paused":false}}}
      bob > \#(Self.file)
      bob > {"State":{"playstate":{"position":0,"paused":false,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"position":"*","paused":false,"doSeek":true,"setBy":"Matinee"},"ignoringOnTheFly":{"server":1,"client":1}}}
      alice ! {"State":{"playstate":{"doSeek":true}}}
      wait 3
      bob > {"State":{"playstate":{"position":0,"paused":false,"doSeek":true},"ignoringOnTheFly":{"client":2}}}
      bob < {"State":{"playstate":{"doSeek":true}}}
      wait 2
      alice ! {"State":{"playstate":{"doSeek":true}}}
      """#
    ).play(on: &world)
    let place = try #require(Self.positions(world, "alice").last)
    #expect(place > 609)
  }

  @Test(arguments: [0.5, 2.5])
  func `whoever has arrived may jump, once it cannot be a player that resumes`(wait: Double) throws
  {
    var world = try Self.watching()
    try SyncplayScript(
      #"""
      bob connects
      bob > \#(Self.hello("bob"))
      bob < {"State":{"playstate":{"paused":false}}}
      wait 2
      bob > \#(Self.file)
      bob > {"State":{"playstate":{"position":607,"paused":false}}}
      wait \#(wait)
      bob > {"State":{"playstate":{"position":30,"paused":false,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      wait 1
      """#
    ).play(on: &world)
    let place = try #require(world.lobby.roster.rooms["lobby"]).place(at: world.now)
    #expect(wait < 1 ? place > 600 : (29...33).contains(place))
  }

  @Test func `a player that waits at the start does not pause the others`() throws {
    var world = try Self.watching()
    try SyncplayScript(
      #"""
      bob connects
      bob > \#(Self.hello("bob"))
      bob < {"State":{"playstate":{"paused":false}}}
      bob > \#(Self.file)
      bob > {"State":{"playstate":{"position":0,"paused":true},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"paused":false,"doSeek":true}}}
      wait 1
      alice ! {"State":{"playstate":{"paused":true}}}
      alice ! {"State":{"playstate":{"doSeek":true}}}
      """#
    ).play(on: &world)
  }

  @Test func `whoever has arrived steers like the others`() throws {
    var world = try Self.watching()
    try SyncplayScript(
      #"""
      bob connects
      bob > \#(Self.hello("bob"))
      bob < {"State":{"playstate":{"paused":false}}}
      bob > \#(Self.file)
      wait 8
      bob > {"State":{"playstate":{"position":30,"paused":false,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      alice < {"State":{"playstate":{"position":"*","doSeek":true,"setBy":"bob"}}}
      """#
    ).play(on: &world)
    world.wait(1)
    let place = try #require(Self.positions(world, "alice").last)
    #expect(30...33 ~= place)
  }

  @Test func `who makes what the room plays is no latecomer`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(Self.hello("alice"))
      alice > \#(Self.file)
      alice < {"State":{}}
      bob connects
      bob > \#(Self.hello("bob"))
      bob < {"State":{}}
      alice > {"State":{"playstate":{"position":300,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"position":300,"doSeek":true,"setBy":"alice"}}}
      """#
    ).play(on: &world)
  }

  @Test func `another edition of the film is no other film`() throws {
    var world = try Self.watching()
    for name in ["bob", "cleo", "dora"] {
      try SyncplayScript(
        #"""
        \#(name) connects
        \#(name) > \#(Self.hello(name))
        \#(name) < {"State":{}}
        \#(name) > {"Set":{"file":{"name":"Film.2010.1080p.mkv","duration":5401,"size":2}}}
        wait 2
        alice ! {"State":{"playstate":{"doSeek":true}}}
        """#
      ).play(on: &world)
    }
  }

  @Test func `most people's next film is the room's`() throws {
    var world = try Self.watching()
    let other = #"{"Set":{"file":{"name":"other.mkv","duration":2700,"size":1}}}"#
    try SyncplayScript(
      #"""
      bob connects
      bob > \#(Self.hello("bob"))
      bob > \#(Self.file)
      wait 8
      bob > \#(other)
      wait 1.5
      alice ! {"State":{"playstate":{"doSeek":true}}}
      alice > \#(other)
      alice < {"State":{"playstate":{"position":0,"paused":true}}}
      bob < {"State":{"playstate":{"position":0,"paused":true}}}
      """#
    ).play(on: &world)
  }

  @Test func `a room waits half a minute for its last one`() throws {
    var world = try Self.watching()
    world.leave("alice")
    world.wait(20)
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(Self.hello("alice"))
      alice < {"State":{"playstate":{"position":"*","paused":true}}}
      """#
    ).play(on: &world)
    world.wait(1)
    #expect(Self.positions(world, "alice").allSatisfy { $0 > 600 })
    world.leave("alice")
    world.wait(31)
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(Self.hello("alice"))
      alice < {"Set":{"playlistChange":{"user":null}}}
      alice < {"State":{"playstate":{"position":0,"paused":true,"setBy":null}}}
      """#
    ).play(on: &world)
  }
}
