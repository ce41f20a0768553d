import Naming
import SyncplayTesting
import Testing
import Vocabulary

@testable import Syncplay

/// How the next film of a list begins.
@Suite struct NextFilmTests {
  private static let opened = #"{"Set":{"file":{"name":"b.mkv","duration":200,"size":1}}}"#

  @Test func `after a film's end the next one begins once clients carry out a start`() throws {
    var world = try PlaylistPlaybackTests.watching(0, of: ["a.mkv", "b.mkv"])
    try SyncplayScript(
      #"""
      alice > {"State":{"playstate":{"position":97,"paused":false,"doSeek":true},"ignoringOnTheFly":{"client":2}}}
      wait 2
      alice < {"Set":{"playlistIndex":{"index":1}}}
      bob < {"Set":{"playlistIndex":{"index":1}}}
      alice > \#(Self.opened)
      bob > \#(Self.opened)
      wait 1
      alice ! {"State":{"playstate":{"paused":false}}}
      bob ! {"State":{"playstate":{"paused":false}}}
      alice < {"State":{"playstate":{"position":0,"paused":true}}}
      bob < {"State":{"playstate":{"position":0,"paused":true}}}
      alice < {"State":{"playstate":{"position":0,"paused":false}}}
      bob < {"State":{"playstate":{"position":0,"paused":false}}}
      """#
    ).play(on: &world)
  }

  @Test func `players that run go on with what is selected as soon as all have it open`() throws {
    var world = try PlaylistPlaybackTests.watching(0, of: ["a.mkv", "b.mkv"])
    try SyncplayScript(
      #"""
      bob > {"Set":{"playlistIndex":{"index":1}}}
      alice < {"Set":{"playlistIndex":{"index":1}}}
      bob > \#(Self.opened)
      alice > \#(Self.opened)
      """#
    ).play(on: &world)
    world.wait(0.3)
    try #require(world.lobby.roster.rooms["lobby"]?.item == "b.mkv")
    #expect(world.lobby.roster.rooms["lobby"]?.isPaused == false)
  }
}
