import SyncplayTesting
import Testing

@testable import Syncplay

/// A copy that is shorter than the group's film, when the group has come to its end.
@Suite struct ShorterCopyTests {
  /// Alice watches a film of an hour and a half; Bob's copy ends after 620 s, and his player stops.
  private func runOut() throws -> SyncplayWorld {
    var world = try LatecomerTests.watching()
    try SyncplayScript(
      #"""
      bob connects
      bob > \#(LatecomerTests.hello("bob"))
      bob > {"Set":{"file":{"name":"film.mkv","duration":620,"size":1}}}
      wait 20
      bob > {"State":{"playstate":{"position":619.9,"paused":true},"ignoringOnTheFly":{"client":1}}}
      """#
    ).play(on: &world)
    for name in ["alice", "bob"] { world.skip(world.heard(by: name).count, heardBy: name) }
    return world
  }

  @Test func `its player stands there, and nobody is told that somebody did anything`() throws {
    var world = try runOut()
    try SyncplayScript(
      #"""
      bob < {"State":{"playstate":{"position":619.9,"paused":true,"doSeek":false,"setBy":"bob"},"ignoringOnTheFly":{"client":1}}}
      wait 5
      bob ! {"State":{"playstate":{"paused":false}}}
      alice ! {"State":{"playstate":{"paused":true}}}
      """#
    ).play(on: &world)
  }

  @Test func `pressing play there moves nobody`() throws {
    var world = try runOut()
    try SyncplayScript(
      #"""
      bob < {"State":{"playstate":{"paused":true}}}
      bob > {"State":{"playstate":{"position":619.9,"paused":false},"ignoringOnTheFly":{"client":1}}}
      wait 3
      alice ! {"State":{"playstate":{"paused":true}}}
      alice ! {"State":{"playstate":{"doSeek":true}}}
      """#
    ).play(on: &world)
  }

  @Test func `its player goes on with the group once that is back within it`() throws {
    var world = try runOut()
    try SyncplayScript(
      #"""
      bob < {"State":{"playstate":{"paused":true}}}
      alice > {"State":{"playstate":{"position":300,"paused":false,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"position":300,"paused":false,"doSeek":true}}}
      """#
    ).play(on: &world)
  }
}
