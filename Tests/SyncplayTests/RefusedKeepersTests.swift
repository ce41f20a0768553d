import GroupSessions
import Naming
import SyncplayTesting
import Testing
import Vocabulary
import Wire

@testable import Syncplay

/// Rooms whose keeper or clients are refused something, and ask for it again.
@Suite struct RefusedKeepersTests {
  /// Alice writes in a room, and reads it: both she and the keeper take part in its session.
  private let chat = #"""
    alice > {"Chat":"hello"}
    alice < {"Chat":{"username":"alice","message":"hello"}}
    """#

  private func people(in room: String, of world: SyncplayWorld) -> [String]? {
    world.lobby.roster.rooms[room]?.session?.people.map(\.name)
  }

  @Test(arguments: (1...8).map { [$0] } + [Array(1...5), Array(3...9)])
  func `a room is watched although appends fail as it opens`(failing: [Int]) throws {
    var world = SyncplayWorld()
    world.failing = Set(failing)
    try SyncplayScript("alice enters lobby\nwait 15\n" + chat).play(on: &world)
    #expect(people(in: "lobby", of: world) == ["alice"])
  }

  @Test func `a room that opens while the journal is full is watched once that has room`() throws {
    var world = SyncplayWorld()
    world.fillJournal(true)
    try SyncplayScript("alice enters lobby\nwait 5").play(on: &world)
    #expect(people(in: "lobby", of: world) == nil)
    world.fillJournal(false)
    try SyncplayScript("wait 5\n" + chat).play(on: &world)
  }

  @Test func `a keeper that lacks nothing asks for nothing`() throws {
    var world = SyncplayWorld()
    try SyncplayScript("alice enters lobby\nwait 5").play(on: &world)
    let keeper = try #require(world.lobby.roster.rooms["lobby"]?.keeper)
    #expect(keeper.nextDeadline == keeper.nextPing)
  }

  @Test func `whoever could not leave a room at once is in the next one all the same`() throws {
    var world = SyncplayWorld()
    try SyncplayScript("alice enters lobby\nwait 5").play(on: &world)
    world.failing = [world.appends + 1]
    try SyncplayScript(
      #"""
      alice > {"Set":{"room":{"name":"other"}}}
      alice > {"Chat":"here"}
      wait 5
      alice < {"Chat":{"username":"alice","message":"here"}}
      """#
    ).play(on: &world)
    #expect(people(in: "other", of: world) == ["alice"])
    #expect(people(in: "lobby", of: world) == [])
  }

  @Test func `a keeper whose peer is closed waits for no answer`() {
    let now = Instant(microseconds: 0)
    var keeper = RoomKeeper(device: "keeper")
    keeper.begin(as: PeerID(slot: 1, generation: 1), resuming: nil, at: now)
    keeper.enter(GroupID("lobby"), by: 1)
    keeper.enter(SessionID("s1"), by: 2)
    keeper.steer(by: 3)
    keeper.schedulePing(at: now)
    keeper.end()
    #expect(!keeper.isSteering)
    #expect(keeper.group == nil)
    #expect(keeper.session == nil)
    #expect(keeper.nextDeadline == nil)
  }
}
