import Testing
import Vocabulary

@testable import Syncplay

@Suite struct RandomLinesTests {
  private static let lines = [
    #"{"List":null}"#, #"{"Chat":"hello"}"#, #"{"TLS":{"startTLS":"send"}}"#,
    #"{"Set":{"room":{"name":"one"}}}"#, #"{"Set":{"room":{"name":"+two:EB6501C30B97"}}}"#,
    #"{"Set":{"room":{}}}"#, #"{"Set":{"file":{"name":"a","duration":100,"size":1}}}"#,
    #"{"Set":{"file":{"name":"b","duration":2000,"size":1}}}"#, #"{"Set":{"file":{}}}"#,
    #"{"Set":{"ready":{"isReady":true}}}"#,
    #"{"Set":{"ready":{"isReady":false,"username":"p1"}}}"#,
    #"{"Set":{"controllerAuth":{"room":"one","password":"AB-123-456"}}}"#,
    #"{"Set":{"playlistChange":{"files":["a","b","c"]}}}"#,
    #"{"Set":{"playlistChange":{"files":["c","a"]}}}"#, #"{"Set":{"playlistChange":{"files":[]}}}"#,
    #"{"Set":{"playlistIndex":{"index":0}}}"#, #"{"Set":{"playlistIndex":{"index":2}}}"#,
    #"{"Set":{"playlistIndex":{"index":-1}}}"#, #"{"Set":{"features":{}}}"#,
    #"{"State":{"playstate":{"position":0,"paused":true}}}"#,
    #"{"State":{"playstate":{"position":1e300,"paused":false,"doSeek":true},"ignoringOnTheFly":{"client":1}}}"#,
    #"{"State":{"playstate":{"position":-5,"paused":false},"ping":{"latencyCalculation":-1e300}}}"#,
    #"{"State":{"playstate":{"position":50,"paused":true},"ignoringOnTheFly":{"server":1}}}"#,
    #"{"State":{}}"#,
  ]

  @Test(arguments: 0..<24)
  func `whatever people do, all end up told the same`(seed: Int) throws {
    var chance = SplitMix64(seed: UInt64(seed))
    var world = SyncplayWorld()
    // Every other time the journal is a disk.
    world.journalDelay = seed % 2 == 0 ? .zero : .milliseconds(4)
    var present: Set<String> = []
    for _ in 0..<120 {
      let name = "p\(chance.next() % 5)"
      switch (present.contains(name), chance.next() % 12) {
      case (false, _):
        present.insert(name)
        world.connect(name)
        world.say(LatecomerTests.hello(name, chance.next() % 2 == 0 ? "one" : "two"), as: name)
      case (true, 0):
        present.remove(name)
        world.leave(name)
      case (true, 1): world.wait(Double(chance.next() % 3_000) / 1_000)
      case (true, _):
        world.say(Self.lines[Int(chance.next() % UInt64(Self.lines.count))], as: name)
      }
      present = present.filter { !world.isOver($0) }
    }
    // Everybody's client answers, so that what was under way comes to its end.
    world.wait(45)
    for name in present {
      let id = try #require(world.clients[name]?.id)
      let peer = try #require(world.lobby.roster.peers[id])
      #expect(!peer.exchange.isWaiting, "\(name)")
      #expect(peer.membership.waiting.isEmpty)
      #expect(peer.membership.participant != nil)
      let user = try #require(peer.user)
      let room = try #require(world.lobby.roster.rooms[user.room])
      #expect(peer.toldPaused == room.isPaused)
      // What is noted apart is what it was noted from.
      #expect(room.standing == room.timeline.map(Standing.init))
      #expect(
        room.hasFiles == room.members.contains { world.lobby.roster.peers[$0]?.user?.file != nil })
      #expect(user.roomPlace == world.lobby.roster.rooms.place(of: user.room))
      #expect(!room.playlist.isChanging)
      #expect(room.playlist.wantedList == nil && room.playlist.wantedEntry == nil)
      // Who has a file that is shorter than where the room is is left where they are.
      if let length = user.file?.duration, room.place(at: world.now) > length.inSeconds - 3 {
        continue
      }
      let place = try #require(world.clients[name]?.place)
      let age = room.isPaused ? 0 : (world.now - peer.lastHeard).inSeconds
      #expect(abs(place + age - room.place(at: world.now)) < 2, "\(name)")
    }
    let ofNobody = world.transcript.filter { $0.contains(#""user":null,"#) }
    #expect(ofNobody.allSatisfy { $0.contains(#""files":[]"#) || $0.contains(#""index":null"#) })
    for name in present { world.leave(name) }
    world.wait(60)
    #expect(world.lobby.roster.rooms.isEmpty)
    #expect(world.lobby.roster.peers.isEmpty)
    #expect(world.lobby.roster.roomDirectory.hasNoKeeper)
    #expect(world.lobby.roster.clientDirectory.isEmpty)
  }
}
