import GroupSessions
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

  @Test func `who takes what is on off the list moves everybody on, and says so once`() throws {
    var world = try PlaylistPlaybackTests.watching(0, of: ["a.mkv", "b.mkv", "c.mkv"])
    world.journalDelay = .milliseconds(20)
    try SyncplayScript(
      #"""
      alice > {"Set":{"playlistChange":{"files":["b.mkv","c.mkv"]}}}
      alice > {"Set":{"playlistIndex":{"index":0}}}
      wait 1
      """#
    ).play(on: &world)
    let told = world.heard(by: "bob").compactMap { $0["Set"] }
    #expect(told.compactMap { $0["playlistChange"]?["files"] }.count == 1)
    #expect(told.compactMap { $0["playlistIndex"]?["index"]?.number } == [0])
    let room = try #require(world.lobby.roster.rooms["lobby"])
    #expect(room.session?.queue.entries.map(\.media.url) == ["b.mkv", "c.mkv"])
    #expect(room.playlist.files == ["b.mkv", "c.mkv"])
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
