import Coordination
import Naming
import Testing
import Vocabulary
import Wire

/// Connections that have proved nothing yet.
@Suite struct ArrivalsTests {
  private static func limits(_ change: (inout Limits) -> Void) -> Limits {
    var limits = Limits()
    change(&limits)
    return limits
  }

  private let home = KeyedDoor.address(1)
  private let away = KeyedDoor.address(2)

  @Test func `an address has so many connections at once, and another one its own`() {
    var stage = Stage(limits: Self.limits { $0.connectionsPerAddress = 3 })
    let peers = (0..<4).map { _ in stage.connectSilently(from: home) }
    #expect(stage.shut == [peers[3]])
    _ = stage.connectSilently(from: away)
    stage.handle(.disconnected(peers[0]))
    _ = stage.connectSilently(from: home)
    #expect(stage.shut == [peers[3]])
  }

  @Test func `a connection that its device has replaced counts no more`() {
    var stage = Stage(limits: Self.limits { $0.connectionsPerAddress = 2 })
    stage.connect(as: "ann", from: home)
    for _ in 0..<3 {
      let old = stage.peers["ann"]
      stage.resume("ann", from: home)
      // The shell reports late that the old one is closed.
      if let old { stage.handle(.disconnected(old)) }
    }
    #expect(stage.shut.isEmpty)
  }

  @Test func `an address opens so many at once, and a second later some more`() {
    var stage = Stage(
      limits: Self.limits {
        $0.connectionBurst = 2
        $0.connectionsPerSecond = 1
      })
    for _ in 0..<5 { stage.handle(.disconnected(stage.connectSilently(from: home))) }
    #expect(stage.shut.count == 3)
    stage.advance(.seconds(1))
    for _ in 0..<2 { stage.handle(.disconnected(stage.connectSilently(from: home))) }
    #expect(stage.shut.count == 4)
  }

  @Test func `no address takes more than half of the table, but this machine has no such bound`() {
    var stage = Stage(limits: Self.limits { $0.peers = 20 })
    for _ in 0..<15 { _ = stage.connectSilently(from: home) }
    #expect(stage.shut.count == 5)
    for _ in 0..<10 { _ = stage.connectSilently(from: KeyedDoor.address(0, isLoopback: true)) }
    #expect(stage.shut.count == 5)
  }

  @Test func `a proxy's connection counts as the client's who asks by it, however often that is`() {
    var arrivals = Arrivals(
      Self.limits {
        $0.connectionsPerAddress = 1
        $0.connectionBurst = 1
      })
    let machine = KeyedDoor.address(0, isLoopback: true)
    let moves: [(from: PeerAddress?, to: PeerAddress, hasRoom: Bool)] = [
      (nil, home, true), (nil, home, false), (home, away, true), (nil, away, false),
      (away, home, true), (nil, away, true), (away, home, false), (nil, away, true),
      // The server's own machine has no bound.
      (home, machine, true), (nil, machine, true), (machine, home, true),
    ]
    for (number, move) in moves.enumerated() {
      let hasRoom = arrivals.move(from: move.from, to: move.to)
      #expect(hasRoom == move.hasRoom, "\(number)")
    }
  }

  @Test func `who has said nothing for longest makes room for a newcomer, and nobody else does`() {
    var stage = Stage(limits: Self.limits { $0.peers = 3 })
    stage.connect(as: "ann")
    let silent = stage.connectSilently()
    stage.advance(.seconds(1))
    let second = stage.connectSilently()
    stage.connect(as: "ben")
    #expect(stage.clients[silent]?.closedWith?.code == .helloTimeout)
    stage.connect(as: "cat")
    #expect(stage.clients[second]?.closedWith?.code == .helloTimeout)
    let late = stage.connectSilently()
    #expect(stage.clients[late]?.closedWith?.code == .serverFull)
    #expect(["ann", "ben", "cat"].allSatisfy { stage[$0].closedWith == nil })
  }
}
