import GroupSessions
import Naming
import SyncplayTesting
import Testing
import Vocabulary
import Wire

@testable import Syncplay

/// Rooms whose group somebody closes.
@Suite struct ClosedRoomsTests {
  @Test(arguments: [false, true])
  func `whoever is in a room that is closed is told so and hung up on`(isKept: Bool) throws {
    var world = isKept ? SyncplayWorld.keepingRooms() : SyncplayWorld()
    let nina = world.connectNative("nina", joins: "lobby")
    try SyncplayScript(
      #"""
      alice enters lobby
      bob enters lobby
      cleo connects
      cleo > \#(LatecomerTests.hello("cleo", "other"))
      wait 2
      alice > {"Set":{"playlistChange":{"files":["a.mkv","b.mkv"]}}}
      bob < {"Set":{"playlistChange":{"files":["a.mkv","b.mkv"]}}}
      """#
    ).play(on: &world)
    world.ask(.closeGroup(nil), 2, as: nina)
    for name in ["alice", "bob"] {
      try SyncplayScript(
        #"""
        \#(name) < {"Error":{"message":"The room lobby was closed."}}
        \#(name) hears the end
        """#
      ).play(on: &world)
    }
    world.wait(1)
    #expect(Array(world.lobby.roster.rooms.keys) == ["other"])
    #expect(world.lobby.roster.clientDirectory.greeted == [world.clients["cleo"]?.id])
    // The room is not listed as one that is kept, not even for a moment.
    try SyncplayScript(#"cleo ! {"List":{"lobby":{" ":{}}}}"#).play(on: &world)
    world.ask(.joinGroup("lobby", key: nil), 3, as: nina)
    try SyncplayScript(
      #"""
      alice enters lobby
      wait 2
      alice > {"Chat":"again"}
      alice < {"Chat":{"username":"alice","message":"again"}}
      """#
    ).play(on: &world)
    let room = try #require(world.lobby.roster.rooms["lobby"])
    #expect(room.people?.people.map(\.name).sorted() == ["alice", "nina"])
    #expect(room.session?.people.map(\.name) == ["alice"])
  }
}
