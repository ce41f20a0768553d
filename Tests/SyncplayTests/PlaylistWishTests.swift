import GroupSessions
import Naming
import SyncplayTesting
import Testing
import Vocabulary

@testable import Syncplay

/// What clients want of a list while the change before it is being stored: Debian's client sends
/// each list and the index of its current entry in one breath.
@Suite struct PlaylistWishTests {
  private static let delays = [Duration.zero, .milliseconds(50)]

  /// Alice and Bob are in the room, with nothing open.
  private func gathered() throws -> SyncplayWorld {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      bob connects
      bob > \#(LatecomerTests.hello("bob"))
      wait 2
      """#
    ).play(on: &world)
    return world
  }

  /// They watch the last of three films.
  private func watchingTheLast(_ delay: Duration) throws -> SyncplayWorld {
    var world = try PlaylistPlaybackTests.watching(2, of: ["a.mkv", "b.mkv", "c.mkv"])
    world.journalDelay = delay
    return world
  }

  private func room(_ world: SyncplayWorld) throws -> SyncplayRoom {
    try #require(world.lobby.roster.rooms["lobby"])
  }

  @Test(arguments: delays)
  func `an index counts in the list that its client sent before it`(delay: Duration) throws {
    for (files, index) in [(["b.mkv", "c.mkv"], 1), (["c.mkv", "a.mkv", "b.mkv"], 0)] {
      var world = try watchingTheLast(delay)
      let list = "[" + files.map { "\"\($0)\"" }.joined(separator: ",") + "]"
      try SyncplayScript(
        #"""
        bob > {"Set":{"playlistChange":{"files":\#(list)}}}
        bob > {"Set":{"playlistIndex":{"index":\#(index)}}}
        alice < {"Set":{"playlistChange":{"user":"bob","files":\#(list)}}}
        alice < {"Set":{"playlistIndex":{"index":\#(index)}}}
        bob < {"Set":{"playlistIndex":{"index":\#(index)}}}
        wait 2
        alice ! {"State":{"playstate":{"doSeek":true}}}
        alice ! {"State":{"playstate":{"paused":true}}}
        """#
      ).play(on: &world)
      #expect(try room(world).item == "c.mkv")
    }
  }

  @Test(arguments: delays)
  func `the first film of an empty list is opened by all`(delay: Duration) throws {
    var world = try gathered()
    world.journalDelay = delay
    try SyncplayScript(
      #"""
      alice > {"Set":{"playlistChange":{"files":["a.mkv"]}}}
      alice > {"Set":{"playlistIndex":{"index":0}}}
      bob < {"Set":{"playlistChange":{"user":"alice","files":["a.mkv"]}}}
      bob < {"Set":{"playlistIndex":{"user":"alice","index":0}}}
      """#
    ).play(on: &world)
    #expect(try room(world).item == "a.mkv")
  }

  @Test(arguments: delays)
  func `an entry of a list from before the session is selected in it`(delay: Duration) throws {
    var world = SyncplayWorld()
    world.journalDelay = delay
    try SyncplayScript(
      #"""
      alice connects
      alice > \#(LatecomerTests.hello("alice"))
      alice > {"Set":{"playlistChange":{"files":["a.mkv","b.mkv"]}}}
      alice > {"Set":{"playlistIndex":{"index":1}}}
      alice < {"Set":{"playlistIndex":{"user":"alice","index":1}}}
      """#
    ).play(on: &world)
    let empty = world.transcript.count { $0.contains(#""files":[]"#) }
    #expect(empty == 1, "only before she made a list")
    #expect(try room(world).listedFiles == ["a.mkv", "b.mkv"])
    #expect(try room(world).item == "b.mkv")
  }

  @Test(arguments: delays)
  func `of lists that follow each other at once the last one stands`(delay: Duration) throws {
    var world = try gathered()
    world.journalDelay = delay
    let pairs: [([String], [String])] = [
      (["a.mkv"], ["a.mkv", "b.mkv"]), (["b.mkv"], []), (["b.mkv"], ["a.mkv", "b.mkv"]),
      (["b.mkv"], ["a.mkv", "b.mkv"]), (["b.mkv", "a.mkv"], ["c.mkv", "a.mkv"]),
    ]
    for pair in pairs {
      for files in [pair.0, pair.1] {
        let list = "[" + files.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        world.say(#"{"Set":{"playlistChange":{"files":\#(list)}}}"#, as: "alice")
      }
      world.wait(1)
      #expect(try room(world).listedFiles == pair.1)
      #expect(try room(world).playlist.files == pair.1)
    }
  }

  @Test func `the others' index counts in the list that they were told`() throws {
    var world = try watchingTheLast(.milliseconds(50))
    try SyncplayScript(
      #"""
      alice > {"Set":{"playlistChange":{"files":["b.mkv","c.mkv"]}}}
      bob > {"Set":{"playlistIndex":{"index":1}}}
      alice < {"Set":{"playlistChange":{"user":"alice","files":["b.mkv","c.mkv"]}}}
      alice < {"Set":{"playlistIndex":{"user":"bob","index":0}}}
      """#
    ).play(on: &world)
    #expect(try room(world).item == "b.mkv")
  }

  @Test func `what somebody wants is done though the author of the change before is gone`() throws {
    var world = try watchingTheLast(.milliseconds(50))
    try SyncplayScript(
      #"""
      bob > {"Set":{"playlistChange":{"files":["c.mkv"]}}}
      alice > {"Set":{"playlistChange":{"files":["d.mkv"]}}}
      bob leaves
      alice < {"Set":{"playlistChange":{"user":"alice","files":["d.mkv"]}}}
      """#
    ).play(on: &world)
    #expect(try room(world).listedFiles == ["d.mkv"])
  }
}
