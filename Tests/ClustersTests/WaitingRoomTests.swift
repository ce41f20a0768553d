import Coordination
import Testing
import Vocabulary

@testable import Clusters

/// Who connects to a server in front while it has no link.
@Suite struct WaitingRoomTests {
  private static let now = Instant(microseconds: 1_000_000)

  private static func peer(_ number: UInt32) -> PeerID { PeerID(slot: number, generation: 0) }

  private static func room(_ change: (inout Limits) -> Void = { _ in }) -> WaitingRoom {
    var limits = Limits()
    change(&limits)
    return WaitingRoom(limits)
  }

  private static func arrival(_ host: String = "192.0.2.1") -> LegArrival { LegArrival(host: host) }

  @Test func `who waits is let out with all that they said, line by line`() throws {
    var room = Self.room()
    let hasEntered = room.enter(Self.peer(1), Self.arrival(), at: Self.now)
    #expect(hasEntered && room.peers == [Self.peer(1)] && room.count == 1)
    for line in ["{}", "{\n}"] {
      let mayGoOn = room.note(Array(line.utf8), of: Self.peer(1))
      #expect(mayGoOn)
    }
    let found = room.leave(Self.peer(1))
    let visitor = try #require(found)
    #expect(
      visitor.arrival == Self.arrival() && !visitor.isSecured
        && visitor.lines.map(Array.init) == [Array("{}".utf8), Array("{\t}".utf8)])
    let isThere = room.leave(Self.peer(1)) != nil
    #expect(!isThere && room.count == 0)
  }

  @Test func `who says more than a line may have says no more`() {
    var room = Self.room { $0.lineBytes = 4 }
    _ = room.enter(Self.peer(1), Self.arrival(), at: Self.now)
    let answers = ["ab", "c"].map { room.note(Array($0.utf8), of: Self.peer(1)) }
    #expect(answers == [true, false])
  }

  @Test func `all together say no more than a quarter of what may wait for peers`() {
    var room = Self.room { $0.backlogBytes = 40 }
    for number in 1...2 as ClosedRange<UInt32> {
      _ = room.enter(Self.peer(number), Self.arrival(), at: Self.now)
    }
    let line = Array("abc".utf8)
    _ = room.note(line, of: Self.peer(1))
    #expect(room.hasRoom(for: line))
    _ = room.note(line, of: Self.peer(2))
    #expect(!room.hasRoom(for: line))
    room.leave(Self.peer(1))
    #expect(room.hasRoom(for: line))
  }

  @Test func `so many wait as may, of all and of each address, and who leaves makes room`() {
    var room = Self.room {
      $0.peers = 6
      $0.connectionsPerAddress = 2
    }
    let hosts = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.3"]
    let answers = hosts.enumerated().map { number, host in
      room.enter(Self.peer(UInt32(number)), Self.arrival(host), at: Self.now)
    }
    #expect(answers == [true, true, false, true, false])
    room.leave(Self.peer(0))
    let hasEntered = room.enter(Self.peer(9), Self.arrival(), at: Self.now)
    #expect(hasEntered)
  }

  @Test func `who has waited for nine beats has waited too long`() {
    var room = Self.room()
    _ = room.enter(Self.peer(1), Self.arrival(), at: Self.now)
    var late = (0..<4).map { _ in room.beat() }
    _ = room.enter(Self.peer(2), Self.arrival(), at: Self.now)
    late += (0..<5).map { _ in room.beat() }
    #expect(late.dropLast().allSatisfy(\.isEmpty) && late.last == [Self.peer(1)])
  }
}
