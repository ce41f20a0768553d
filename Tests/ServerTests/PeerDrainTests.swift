import EventLoops
import LoopTesting
import Naming
import Testing
import Vocabulary
import Wire

@testable import Server

/// A server that is drained sends its people to the others.
@Suite struct PeerDrainTests {
  private static func run(
    within time: Duration = .milliseconds(200), _ body: (TestLoop, Cluster) throws -> Void
  ) throws {
    try TestLoop.run { test in
      var limits = Limits()
      limits.departureTime = time
      let cluster = try Cluster(test, limits, fronts: 2)
      try body(test, cluster)
      cluster.stop()
    }
  }

  @Test func `they go a share at a time, and all have gone when the time is over`() throws {
    try TestLoop.run { test in
      var rest = (0..<7).map { PeerID(slot: $0, generation: 0) }
      var left: [Int] = []
      var ends = 0
      let departure = PeerDrain(
        within: .milliseconds(300), on: test.loop,
        of: {
          left.append(rest.count)
          return rest
        }, { peer in rest.removeAll { $0 == peer } }, then: { ends += 1 })
      try test.run { ends > 0 }
      #expect(left == [7, 4, 2, 0] && ends == 1)
      departure.close()
    }
  }

  @Test func `a server in front sends its own people away, and then has nothing to do`() throws {
    try Self.run { test, cluster in
      let names = ["Ann", "Ben", "Cid", "Dan"]
      let servers: [any EdgeServer] = [cluster.server, cluster.fronts[0], cluster.fronts[0]]
      let callers = try zip(names, servers + [cluster.fronts[1]]).map { name, server in
        try cluster.enter("friday", as: name, at: server)
      }
      var isFollowed: Bool?
      cluster.fronts[0].onDeparture = { isFollowed = $0 }
      cluster.door.drain("10.0.0.2:7879")
      // At once, so that nobody drains the last other one meanwhile.
      #expect(cluster.door.states.map(\.isDraining) == [true, false])
      try test.run { isFollowed == true && callers[1].hasEnded && callers[2].hasEnded }
      #expect(callers.map { $0.heard("shuttingDown") } == [false, true, true, false])
      #expect(!cluster.fronts[0].isReady && cluster.fronts[0].endpoints.isEmpty)
      // The server that decides knows that they are gone, and not for good.
      try test.run { callers[0].heard(#""event":"memberLost""#) }
      #expect(!callers[0].heard(#""event":"memberLeft""#))
      _ = try cluster.enter("friday", as: "Eve", at: cluster.fronts[1])
      try test.run { callers[3].heard("Eve-1") && !callers[3].hasEnded }
    }
  }

  @Test func `the server that decides goes on for the others until its own people have gone`()
    throws
  {
    try Self.run(within: .milliseconds(600)) { test, cluster in
      let ann = try cluster.enter("friday", as: "Ann", at: cluster.server)
      let ben = try cluster.enter("friday", as: "Ben", at: cluster.fronts[0])
      let others = try ["Cid", "Dan"].map {
        try cluster.enter("friday", as: $0, at: cluster.server)
      }
      var isFollowed: Bool?
      cluster.server.onDeparture = { isFollowed = $0 }
      cluster.door.drain("10.0.0.1:7879")
      try test.run { ann.hasEnded }
      #expect(isFollowed == nil && cluster.server.endpoints.isEmpty && !cluster.server.isReady)
      #expect(!cluster.fronts.contains { !$0.isReady })
      let late = try cluster.enter("friday", as: "Eve", at: cluster.fronts[1])
      try test.run { ben.heard("Eve-1") }
      try test.run { isFollowed == true && others.allSatisfy(\.hasEnded) }
      #expect(others.allSatisfy { $0.heard("shuttingDown") })
      #expect(!ben.hasEnded && !late.hasEnded)
      cluster.server.stop()
      try test.run { ben.hasEnded && late.hasEnded }
      #expect(ben.heard("shuttingDown"))
    }
  }

  @Test func `a server that finds nobody who could go on says so in the end`() throws {
    try Self.run { test, cluster in
      var isFollowed: Bool?
      cluster.server.onDeparture = { isFollowed = $0 }
      for front in cluster.fronts { front.stop() }
      try test.run { cluster.door.states.isEmpty }
      cluster.server.drain()
      try test.run { isFollowed == false }
    }
    try Self.run(within: .seconds(1)) { test, cluster in
      var isFollowed: Bool?
      cluster.fronts[0].onDeparture = { isFollowed = $0 }
      // They take a second to go, in which it is seen that the link breaks.
      let callers = try (0..<10).map { number in
        try cluster.enter("friday", as: "p\(number)", at: cluster.fronts[0])
      }
      try test.run { cluster.door.states.count == 2 }
      cluster.door.drain("10.0.0.2:7879")
      try test.run { cluster.fronts[0].isDraining }
      cluster.server.stop()
      try test.run { isFollowed == false && callers.allSatisfy(\.hasEnded) }
    }
  }
}
