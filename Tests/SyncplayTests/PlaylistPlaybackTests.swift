import GroupSessions
import Naming
import Playback
import SyncplayTesting
import Testing
import Vocabulary
import Wire

@testable import Syncplay

/// What the playlist does to what is on.
@Suite struct PlaylistPlaybackTests {
  /// Alice and Bob have the first of two films open and play it.
  private func watching() throws -> SyncplayWorld {
    try Self.watching(0, of: ["a.mkv", "b.mkv"])
  }

  /// Alice and Bob have one of several films open and play it.
  static func watching(_ index: Int, of files: [String]) throws -> SyncplayWorld {
    let list = files.map { "\"\($0)\"" }.joined(separator: ",")
    let file = files[index]
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      bob connects
      bob > \#(LatecomerTests.hello("bob"))
      alice > {"Set":{"playlistChange":{"files":[\#(list)]}}}
      alice > {"Set":{"playlistIndex":{"index":\#(index)}}}
      bob < {"Set":{"playlistIndex":{"user":"alice","index":\#(index)}}}
      alice > {"Set":{"file":{"name":"\#(file)","duration":100,"size":1}}}
      bob > {"Set":{"file":{"name":"\#(file)","duration":100,"size":1}}}
      wait 8
      alice > {"State":{"playstate":{"position":0,"paused":false},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"paused":false,"setBy":"alice"}}}
      wait 5
      """#
    ).play(on: &world)
    for name in ["alice", "bob"] { world.skip(world.heard(by: name).count, heardBy: name) }
    return world
  }

  @Test(arguments: [false, true])
  func `a list with what is on moves nobody, and its entries have titles`(isPaused: Bool) throws {
    var world = try LatecomerTests.watching()
    if isPaused {
      let place = try #require(world.lobby.roster.rooms["lobby"]).place(at: world.now)
      world.say(
        #"{"State":{"playstate":{"position":\#(place),"paused":true},"ignoringOnTheFly":{"client":1}}}"#,
        as: "alice")
      world.wait(2)
    }
    world.skip(world.heard(by: "alice").count, heardBy: "alice")
    let before = try #require(world.lobby.roster.rooms["lobby"]).place(at: world.now)
    try SyncplayScript(
      #"""
      alice > {"Set":{"playlistChange":{"files":["film.mkv","b.mkv"]}}}
      alice > {"Set":{"playlistIndex":{"index":0}}}
      alice < {"Set":{"playlistIndex":{"index":0}}}
      wait 2
      alice ! {"State":{"playstate":{"doSeek":true}}}
      """#
    ).play(on: &world)
    let room = try #require(world.lobby.roster.rooms["lobby"])
    #expect(room.playlist.index == 0)
    #expect(room.isPaused == isPaused)
    #expect(abs(room.place(at: world.now) - before - (isPaused ? 0 : 2)) < 0.3)
    #expect(room.session?.activity.metadata.title == "film.mkv")
    world.say(#"{"Set":{"playlistIndex":{"index":1}}}"#, as: "alice")
    world.wait(1)
    #expect(world.lobby.roster.rooms["lobby"]?.session?.activity.media?.title == "b.mkv")
    #expect(world.lobby.roster.rooms["lobby"]?.place(at: world.now) == 0)
  }

  @Test func `behind a film that was opened by hand the list goes on with the next one`() throws {
    var world = try LatecomerTests.watching()
    try SyncplayScript(
      #"""
      alice > {"Set":{"playlistChange":{"files":["a.mkv","film.mkv","b.mkv"]}}}
      alice < {"Set":{"playlistIndex":{"index":1}}}
      """#
    ).play(on: &world)
    let queue = try #require(world.lobby.roster.rooms["lobby"]?.session?.queue)
    #expect(queue.upNext?.media.url == "b.mkv")
  }

  @Test func `what is on already is not begun again`() throws {
    var world = try watching()
    try SyncplayScript(
      #"""
      bob > {"Set":{"playlistIndex":{"index":0}}}
      bob < {"Set":{"playlistIndex":{"index":0}}}
      wait 1.5
      """#
    ).play(on: &world)
    #expect(try #require(world.lobby.roster.rooms["lobby"]).place(at: world.now) > 6)
  }

  @Test func `the next one begins at its start, once all have it open`() throws {
    var world = try watching()
    try SyncplayScript(
      #"""
      bob > {"Set":{"playlistIndex":{"index":1}}}
      alice < {"Set":{"playlistIndex":{"user":"bob","index":1}}}
      alice < {"State":{"playstate":{"position":0,"paused":true}}}
      bob > {"Set":{"file":{"name":"b.mkv","duration":200,"size":1}}}
      wait 1
      alice ! {"State":{"playstate":{"paused":false}}}
      alice > {"Set":{"file":{"name":"b.mkv","duration":200,"size":1}}}
      alice < {"State":{"playstate":{"position":0,"paused":false}}}
      bob < {"State":{"playstate":{"paused":false}}}
      """#
    ).play(on: &world)
  }

  @Test(arguments: [false, true])
  func `a client that rewinds the next one as it opens it does nothing to the group`(
    isStopped: Bool
  ) throws {
    var world = try watching()
    try SyncplayScript(
      #"""
      bob > {"Set":{"playlistIndex":{"index":1}}}
      alice < {"Set":{"playlistIndex":{"user":"bob","index":1}}}
      """#
    ).play(on: &world)
    let timeline = try #require(world.lobby.roster.rooms["lobby"]?.timeline)
    try SyncplayScript(
      #"""
      alice > {"State":{"playstate":{"position":0.1,"paused":\#(isStopped),"doSeek":true},"ignoringOnTheFly":{"client":2}}}
      """#
    ).play(on: &world)
    #expect(world.lobby.roster.rooms["lobby"]?.timeline?.seq == timeline.seq)
    try SyncplayScript(
      #"""
      bob > {"Set":{"file":{"name":"b.mkv","duration":200,"size":1}}}
      alice > {"Set":{"file":{"name":"b.mkv","duration":200,"size":1}}}
      bob < {"State":{"playstate":{"position":0,"paused":false}}}
      alice < {"State":{"playstate":{"position":0,"paused":false}}}
      """#
    ).play(on: &world)
  }

  @Test func `nobody waits for ever for one who cannot find the next one`() throws {
    var world = try watching()
    try SyncplayScript(
      #"""
      bob > {"Set":{"playlistIndex":{"index":1}}}
      bob > {"Set":{"file":{"name":"b.mkv","duration":200,"size":1}}}
      wait 11
      bob < {"State":{"playstate":{"paused":false}}}
      alice > {"State":{"playstate":{"position":1,"paused":true},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"paused":true,"setBy":"alice"}}}
      """#
    ).play(on: &world)
  }

  @Test func `nobody waits again for one who could not find the last one, and has opened none`()
    throws
  {
    var world = try Self.watching(0, of: ["a.mkv", "b.mkv", "c.mkv"])
    try SyncplayScript(
      #"""
      bob > {"Set":{"playlistIndex":{"index":1}}}
      bob > {"Set":{"file":{"name":"b.mkv","duration":200,"size":1}}}
      wait 11
      bob > {"Set":{"playlistIndex":{"index":2}}}
      bob > {"Set":{"file":{"name":"c.mkv","duration":300,"size":1}}}
      wait 0.3
      """#
    ).play(on: &world)
    try #require(world.lobby.roster.rooms["lobby"]?.item == "c.mkv")
    #expect(world.lobby.roster.rooms["lobby"]?.isPaused == false)
    try SyncplayScript(
      #"""
      alice > {"Set":{"file":{"name":"c.mkv","duration":300,"size":1}}}
      bob > {"Set":{"playlistIndex":{"index":0}}}
      bob > {"Set":{"file":{"name":"a.mkv","duration":100,"size":1}}}
      wait 2
      """#
    ).play(on: &world)
    try #require(world.lobby.roster.rooms["lobby"]?.item == "a.mkv")
    #expect(world.lobby.roster.rooms["lobby"]?.standing?.isPreparing == true)
  }

  @Test func `who finds the next one late moves nobody by rewinding it`() throws {
    var world = try watching()
    try SyncplayScript(
      #"""
      bob > {"Set":{"playlistIndex":{"index":1}}}
      bob > {"Set":{"file":{"name":"b.mkv","duration":200,"size":1}}}
      wait 15
      alice > {"State":{"playstate":{"position":0.1,"paused":false,"doSeek":true},"ignoringOnTheFly":{"client":2}}}
      alice > {"Set":{"file":{"name":"b.mkv","duration":200,"size":1}}}
      wait 1
      """#
    ).play(on: &world)
    #expect(try #require(world.lobby.roster.rooms["lobby"]).place(at: world.now) > 4)
  }

  @Test func `a crowd starts the next one together, and leaves everybody time to open it`() throws {
    var world = try watching()
    for number in 0..<Limits().barrierParticipants {
      world.connect("c\(number)")
      world.say(LatecomerTests.hello("c\(number)"), as: "c\(number)")
    }
    world.wait(2)
    world.skip(world.heard(by: "alice").count, heardBy: "alice")
    try SyncplayScript(
      #"""
      bob > {"Set":{"playlistIndex":{"index":1}}}
      alice < {"Set":{"playlistIndex":{"user":"bob","index":1}}}
      bob > {"Set":{"file":{"name":"b.mkv","duration":200,"size":1}}}
      wait 1.2
      bob > {"State":{"playstate":{"position":0.2,"paused":false},"ignoringOnTheFly":{"client":3}}}
      bob < {"State":{"playstate":{"paused":true,"doSeek":true}}}
      alice ! {"State":{"playstate":{"paused":false}}}
      alice > {"State":{"playstate":{"position":0.1,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":2}}}
      alice > {"Set":{"file":{"name":"b.mkv","duration":200,"size":1}}}
      wait 1.5
      alice ! {"State":{"playstate":{"paused":false}}}
      bob ! {"State":{"playstate":{"paused":false}}}
      wait 0.4
      alice < {"State":{"playstate":{"paused":false,"doSeek":true}}}
      bob < {"State":{"playstate":{"paused":false,"doSeek":true}}}
      """#
    ).play(on: &world)
    let place = try #require(world.lobby.roster.rooms["lobby"]).place(at: world.now)
    #expect((0.05...0.3).contains(place))
  }

  @Test func `a player that stops at its file's end pauses nobody, and the list goes on`() throws {
    var world = try watching()
    try SyncplayScript(
      #"""
      alice > {"State":{"playstate":{"position":97,"paused":false,"doSeek":true},"ignoringOnTheFly":{"client":2}}}
      bob < {"State":{"playstate":{"doSeek":true,"setBy":"alice"}}}
      wait 2
      bob > {"State":{"playstate":{"position":99.9,"paused":true},"ignoringOnTheFly":{"client":1}}}
      alice ! {"State":{"playstate":{"paused":true}}}
      alice < {"Set":{"playlistIndex":{"index":1}}}
      alice < {"State":{"playstate":{"position":0}}}
      """#
    ).play(on: &world)
  }

  @Test func `a player that stops at its file's end behind the group's holds up no next one`()
    throws
  {
    var world = try watching()
    try SyncplayScript(
      #"""
      alice > {"State":{"playstate":{"position":97,"paused":false,"doSeek":true},"ignoringOnTheFly":{"client":2}}}
      wait 2
      bob < {"Set":{"playlistIndex":{"index":1}}}
      bob > {"State":{"playstate":{"position":99.9,"paused":true},"ignoringOnTheFly":{"client":1}}}
      """#
    ).play(on: &world)
    let room = try #require(world.lobby.roster.rooms["lobby"])
    #expect(room.standing?.isPreparing == true)
    try SyncplayScript(
      #"""
      bob > {"Set":{"file":{"name":"b.mkv","duration":200,"size":1}}}
      alice > {"Set":{"file":{"name":"b.mkv","duration":200,"size":1}}}
      alice < {"State":{"playstate":{"position":0,"paused":false}}}
      """#
    ).play(on: &world)
  }

  @Test(arguments: [true, false])
  func `a room is told its list though who changed it is gone before the answer`(moves: Bool) throws
  {
    var world = try watching()
    world.journalDelay = .milliseconds(50)
    world.say(#"{"Set":{"playlistChange":{"files":["c.mkv"]}}}"#, as: "bob")
    if moves {
      world.say(#"{"Set":{"room":{"name":"other"}}}"#, as: "bob")
    } else {
      world.leave("bob")
    }
    world.wait(1)
    try SyncplayScript(
      #"""
      alice < {"Set":{"playlistChange":{"files":["c.mkv"]}}}
      """#
    ).play(on: &world)
  }

  @Test func `an entry that was hidden in one session hides none of the next one`() throws {
    var world = try watching()
    let nina = world.connectNative("nina", joins: "lobby")
    let session = try #require(world.lobby.roster.rooms["lobby"]?.session?.id)
    world.ask(.join(session, handoffFrom: nil), 2, as: nina)
    world.say(#"{"Set":{"playlistChange":{"files":["b.mkv","c.mkv"]}}}"#, as: "alice")
    world.wait(1)
    world.ask(.end(nil), 3, as: nina)
    world.wait(1)
    let room = try #require(world.lobby.roster.rooms["lobby"])
    #expect(room.session?.id != session)
    #expect(room.entries.map(\.media.url) == ["b.mkv", "c.mkv"])
    #expect(room.playlist.files == ["b.mkv", "c.mkv"])
  }

  @Test func `a list without what is on lets it go on`() throws {
    var world = try watching()
    try SyncplayScript(
      #"""
      bob > {"Set":{"playlistChange":{"files":["c.mkv"]}}}
      alice < {"Set":{"playlistChange":{"user":"bob","files":["c.mkv"]}}}
      wait 1
      alice < {"State":{"playstate":{"paused":false}}}
      alice > {"Set":{"playlistIndex":{"index":0}}}
      bob < {"Set":{"playlistIndex":{"user":"alice","index":0}}}
      """#
    ).play(on: &world)
    let queue = try #require(world.lobby.roster.rooms["lobby"]?.session).queue
    #expect(queue.entries.map(\.media.url) == ["c.mkv"])
  }

  @Test func `others' readiness, and a client that does not know of it`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"lobby"},"version":"1.7.0","features":{"chat":true}}}
      bob < {"Hello":{}}
      alice > {"Set":{"ready":{"isReady":true,"manuallyInitiated":true,"username":"bob"}}}
      alice < {"Set":{"ready":{"username":"bob","isReady":true,"manuallyInitiated":true,"setBy":"alice"}}}
      bob < {"Chat":{"username":"alice","message":"I have set bob as ready."}}
      alice > {"Set":{"ready":{"isReady":true,"username":"nobody"}}}
      alice > {"List":null}
      alice < {"List":{"lobby":{"bob":{"isReady":true},"alice":{"isReady":null}}}}
      """#
    ).play(on: &world)
  }
}
