import GroupSessions
import Naming
import SyncplayTesting
import Testing
import Vocabulary

@testable import Coordination
@testable import Syncplay

/// Common starts leave each player the time that a line takes to it.
@Suite struct ReportedTripTests {
  private static let start = Instant(microseconds: 1_795_254_915_000_000)

  private func answer(after trip: Duration, _ peer: inout SyncplayPeer, count: Int = 1) {
    for _ in 0..<count {
      let state = SyncplayClientState(echoed: Self.start.stamp, roundTrip: 0)
      _ = peer.hear(state, at: Self.start + trip)
    }
  }

  @Test func `a round trip is reported when it is new to the session, and not again`() {
    var peer = SyncplayPeer(address: "", device: "d", at: Self.start)
    peer.membership.takePart(as: "p")
    answer(after: .milliseconds(80), &peer)
    let trips = (0..<3).map { _ in peer.takeNewTrip() }
    #expect(trips == [.milliseconds(80), nil, nil])
    answer(after: .milliseconds(85), &peer)
    let nearby = peer.takeNewTrip()
    #expect(nearby == nil)
    answer(after: .milliseconds(300), &peer, count: 20)
    let other = peer.takeNewTrip()
    #expect(other.map { $0 > .milliseconds(200) } == true)
    let again = peer.takeNewTrip()
    #expect(again == nil)
    peer.membership.takePart(as: "q")
    let anew = peer.takeNewTrip()
    #expect(anew == other)
  }

  @Test func `what a client answers before it says who it is means nothing`() {
    var world = SyncplayWorld()
    world.connect("ann")
    let early = world.now.stamp - 5
    for position in ["1.5", "15e-1"] {
      world.say(
        #"{"State":{"playstate":{"position":\#(position),"paused":true},"ping":{"latencyCalculation":\#(early)}}}"#,
        as: "ann")
    }
    world.say(LatecomerTests.hello("ann"), as: "ann")
    world.wait(0.5)
    let state = world.heard(by: "ann").compactMap { $0["State"] }.first
    #expect(state?["ping"]?["serverRtt"] == .number(0))
  }

  @Test func `small differences are the same trip, and add up to another`() {
    var peer = SyncplayPeer(address: "", device: "d", at: Self.start)
    peer.membership.takePart(as: "p")
    var known: Duration?
    for trip in stride(from: 40, through: 200, by: 1) {
      answer(after: .milliseconds(trip), &peer, count: 40)
      known = peer.takeNewTrip() ?? known
      let real = peer.exchange.latency.late
      #expect(known.map { abs(($0 - real).inSeconds) <= max($0.inSeconds / 8, 0.002) } == true)
    }
  }

  @Test func `each session that a client comes to hears of it`() throws {
    var world = try LatecomerTests.watching()
    func known(_ room: String) throws -> Duration? {
      let session = try #require(world.lobby.roster.rooms[room]?.session)
      let alice = try #require(session.people.first { $0.name == "alice" })
      return world.coordinator.groups.rooms.sessions[session.id]?.delays.roundTrip(of: alice.id)
    }
    world.wait(6)
    #expect(try known("lobby") != nil)
    for room in ["other", "lobby"] {
      try SyncplayScript(
        #"""
        alice > {"Set":{"room":{"name":"\#(room)"}}}
        wait 7
        """#
      ).play(on: &world)
      #expect(try known(room) != nil, "\(room)")
    }
  }
}
