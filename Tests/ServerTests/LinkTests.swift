import Clusters
import Coordination
import EventLoops
import Logging
import LoopTesting
import TLS
import Testing
import Transports
import Vocabulary
import Wire

@testable import Server

/// Servers in front of the one that decides.
@Suite struct LinkTests {
  private static func run(
    _ limits: Limits = Limits(), fronts: Int = 1, _ body: (TestLoop, Cluster) throws -> Void
  ) throws {
    try TestLoop.run { test in
      let cluster = try Cluster(test, limits, fronts: fronts)
      try body(test, cluster)
      cluster.stop()
    }
  }

  @Test func `people who came in at three servers are in one group`() throws {
    try Self.run(fronts: 2) { test, cluster in
      let servers: [any EdgeServer] = [cluster.server] + cluster.fronts
      let callers = try zip(["Ann", "Ben", "Cid"], servers).map { name, server in
        try cluster.enter("friday", as: name, at: server)
      }
      try callers[2].say(#"{"type":"sendTo","id":2}"#)
      try test.run { callers[2].heard(#""type":"error","id":2"#) }
      for (caller, later) in [(callers[0], "Ben-1"), (callers[0], "Cid-1"), (callers[1], "Cid-1")] {
        try test.run { caller.heard(later) }
      }
    }
  }

  @Test func `an event goes over a link once, for all who came in behind it`() throws {
    try Self.run(fronts: 2) { test, cluster in
      let callers = try (0..<6).map { number in
        try cluster.enter("friday", as: "p\(number)", at: cluster.fronts[number % 2])
      }
      try test.run { callers.allSatisfy { $0.heard("p5-1") } }
      let (before, since) = (cluster.linkedMessages, test.loop.now)
      callers[0].hangUp()
      try test.run { callers.dropFirst().allSatisfy { $0.heard(#""event":"memberLost""#) } }
      // Beats go over links, too: one a second over each.
      let seconds = Int((test.loop.now - since) / .seconds(1))
      #expect((2...4 + 2 * seconds).contains(cluster.linkedMessages - before))
    }
  }

  @Test func `who leaves a server in front is gone where it is decided, and may return elsewhere`()
    throws
  {
    try Self.run(fronts: 2) { test, cluster in
      let ann = try cluster.enter("friday", as: "Ann", at: cluster.fronts[0])
      let ben = try cluster.enter("friday", as: "Ben", at: cluster.fronts[1])
      let token = try #require(ann.value(of: "token", in: #""type":"welcome""#))
      ann.hangUp()
      try test.run { ben.heard(#""event":"memberLost""#) }
      let back = try cluster.call(cluster.fronts[1])
      try back.say(
        #"{"type":"hello","versions":[1],"user":"Ann","device":"Ann-1","name":"Ann","#
          + #""features":["sessions"],"resume":{"token":"\#(token)"}}"#)
      try test.run { back.heard(#""resumed":true"#) }
    }
  }

  @Test func `refusals reach who caused them, and nobody else`() throws {
    var limits = Limits()
    limits.lineBytes = 1_000
    try Self.run(limits) { test, cluster in
      let ann = try cluster.enter("friday", as: "Ann", at: cluster.fronts[0])
      let heard = ann.lines.count
      let cases = [
        ("nonsense", "notJSON"), (String(repeating: "x", count: 2_000), "lineTooLong"),
        (
          #"{"type":"hello","versions":[99],"user":"a","device":"b","name":"c"}"#,
          "unsupportedVersion"
        ),
      ]
      for (line, code) in cases {
        let caller = try cluster.call(cluster.fronts[0])
        try caller.say(line)
        try test.run { caller.heard(#""code":"\#(code)""#) }
        caller.hangUp()
      }
      #expect(ann.lines.count == heard && !ann.hasEnded)
    }
  }

  @Test func `an address has its bound, whichever server it comes in at`() throws {
    var limits = Limits()
    limits.connectionsPerAddress = 1
    try Self.run(limits) { test, cluster in
      let front = cluster.fronts[0]
      let pairs = try (0..<2).map { _ in try Acceptor.pair(on: test) }
      for pair in pairs {
        // Connections of this machine have no such bound, but those that its proxy passes on.
        let client = "192.0.2.1"
        let peer = try #require(
          front.edge.admit(
            pair.server, to: front.edge.connections, from: client, delegate: front))
        front.didConnect(try #require(front.edge[peer]), from: PeerAddress(host: client))
      }
      let clients = try pairs.map { try StreamRecorder($0.client) }
      try test.run { clients[1].hasEnded || !clients[1].errors.isEmpty }
      #expect(clients[1].received.isEmpty && !clients[0].hasEnded)
      #expect(cluster.log.contains { $0.contains("the server that decides does not take a peer") })
    }
  }

  @Test func `who comes while there is no link waits for it`() throws {
    try Self.run(fronts: 0) { test, cluster in
      let front = try cluster.addFront(isLinked: false)
      let ann = try cluster.call(front)
      try ann.enter("friday", as: "Ann")
      try test.run(for: .milliseconds(50))
      #expect(ann.lines.isEmpty && !ann.hasEnded && !front.isReady)
      cluster.follow(front)
      try test.run { ann.heard(#""type":"ok","id":1"#) }
    }
  }

  @Test func `who has left while there is no link is not heard behind their own back`() throws {
    try Self.run(fronts: 0) { test, cluster in
      let front = try cluster.addFront(isLinked: false)
      let impatient = try cluster.call(front)
      try impatient.enter("friday", as: "Ann")
      try test.run { front.peerCount == 1 }
      impatient.hangUp()
      try test.run { front.peerCount == 0 }
      let ann = try cluster.enter("friday", as: "Ann", at: cluster.server)
      cluster.follow(front)
      _ = try cluster.enter("friday", as: "Ben", at: front)
      try test.run { ann.heard("Ben-1") }
      #expect(!ann.hasEnded)
    }
  }

  @Test func `when the server that decides stops, everybody is told to come back`() throws {
    try Self.run(fronts: 2) { test, cluster in
      let callers = try cluster.fronts.enumerated().map { number, front in
        try cluster.enter("friday", as: "p\(number)", at: front)
      }
      cluster.server.stop()
      try test.run { callers.allSatisfy(\.hasEnded) }
      #expect(callers.allSatisfy { $0.heard("shuttingDown") })
      try test.run { !cluster.fronts.contains(where: \.isReady) }
    }
  }

  @Test func `a broken link tells everybody to come back, and another one is made`() throws {
    try Self.run { test, cluster in
      let front = cluster.fronts[0]
      let ann = try cluster.enter("friday", as: "Ann", at: front)
      let ben = try cluster.enter("friday", as: "Ben", at: cluster.server)
      let link = try #require(
        cluster.server.edge.peers.compactMap { cluster.server.edge[$0] }
          .first { $0.stream.isSecured })
      link.stream.finishWriting()
      try test.run { ann.hasEnded && ben.heard(#""event":"memberLost""#) }
      #expect(ann.heard("shuttingDown") && !ben.hasEnded)
      try test.run { front.isReady }
      _ = try cluster.enter("friday", as: "Cid", at: front)
    }
  }

  @Test(arguments: ["nonsense", "l", "c 1", "l 1.0,"])
  func `what is not of a link ends it, and costs nobody else anything`(line: String) throws {
    try Self.run { test, cluster in
      let ann = try cluster.enter("friday", as: "Ann", at: cluster.fronts[0])
      let link = try cluster.link()
      try link.stream.write(SharedBytes(line + "\n"))
      try test.run { link.hasEnded || !link.errors.isEmpty }
      _ = try cluster.enter("friday", as: "Ben", at: cluster.fronts[0])
      try test.run { ann.heard("Ben-1") }
      #expect(!ann.hasEnded)
    }
  }

  @Test func `the address of a film says nothing else over a link`() throws {
    try Self.run { test, cluster in
      let front = cluster.fronts[0]
      let ann = try cluster.enter("friday", as: "Ann", at: front)
      let peer = try #require(front.edge.peers.first)
      var answers: [FoundMedia] = []
      // A browser may write a line feed into an address, as %0A.
      for feed in ["\n", "\r\n"] {
        front.findMedia(at: "/media/x\(feed)g \(peer)") { answers.append($0) }
      }
      try test.run { answers.count == 2 }
      let ben = try cluster.enter("friday", as: "Ben", at: cluster.server)
      try test.run { ann.heard("Ben-1") }
      #expect(answers == [.refused, .refused] && !ann.hasEnded && !ben.heard("memberLost"))
    }
  }

  @Test func `who asks for a film while there is no link is answered over the next one`() throws {
    try Self.run(fronts: 0) { test, cluster in
      let front = try cluster.addFront(isLinked: false)
      var answers: [FoundMedia] = []
      front.findMedia(at: "/media/x") { answers.append($0) }
      #expect(answers.isEmpty)
      cluster.follow(front)
      try test.run { answers.count == 1 }
      front.findMedia(at: "/media/y") { answers.append($0) }
      // The link is gone before the answer.
      front.follow(nil)
      #expect(answers.count == 1)
      cluster.follow(front)
      try test.run { answers.count == 2 }
      #expect(answers == [.refused, .refused])
      front.follow(nil)
      front.findMedia(at: "/media/z") { answers.append($0) }
      front.stop()
      #expect(answers.last == .unknown)
    }
  }

  @Test func `who waits for a link is heard only so far, whatever they say`() throws {
    try Self.run(fronts: 0) { test, cluster in
      let front = try cluster.addFront(isLinked: false)
      let talker = try cluster.call(front)
      let flood = String(repeating: "\n", count: 4 * 1024 * 1024)
      try talker.say(flood)
      try test.run(for: .milliseconds(200))
      #expect(front.edge.connections.traffic.bytesReceived < 512 * 1024)
      #expect(front.peerCount == 1)
    }
  }

  @Test func `an address has its bound while there is no link, too`() throws {
    var limits = Limits()
    limits.connectionsPerAddress = 1
    try Self.run(limits, fronts: 0) { test, cluster in
      let front = try cluster.addFront(limits, isLinked: false)
      let pairs = try (0..<2).map { _ in try Acceptor.pair(on: test) }
      for pair in pairs {
        let peer = try #require(
          front.edge.admit(pair.server, to: front.edge.connections, delegate: front))
        front.receive(try #require(front.edge[peer]), LegArrival(host: "192.0.2.1"))
      }
      let clients = try pairs.map { try StreamRecorder($0.client) }
      try test.run { clients[1].hasEnded || !clients[1].errors.isEmpty }
      #expect(!clients[0].hasEnded && front.peerCount == 1)
      #expect(cluster.log.contains { $0.contains("too many wait for a link") })
    }
  }

  @Test func `lines about peers that a link does not have are ignored`() throws {
    try Self.run(fronts: 0) { test, cluster in
      let link = try cluster.link()
      let lines = ["l 9.9 {}", "g 9.9", "s 9.9", "o 9.9", "t 9.9 {}", "c 1.0 192.0.2.1", "l 1.0 x"]
      try link.stream.write(SharedBytes(lines.map { $0 + "\n" }.joined()))
      try test.run { link.text.contains(" 1.0 {") }
      #expect(link.text.contains("notJSON"))
      #expect(!link.text.contains("9.9"))
    }
  }

  @Test func `nobody comes in who speaks what the server that decides does not serve`() throws {
    try Self.run(fronts: 0) { test, cluster in
      let link = try cluster.link()
      try link.stream.write(SharedBytes("c 1.0 192.0.2.1 morse\n"))
      try test.run { link.text.contains("x 1.0\n") }
    }
  }

  @Test func `whoever lacks the cluster's key makes room for the next one`() throws {
    try Self.run(fronts: 0) { test, cluster in
      let endpoint = cluster.door.endpoints.first.flatMap { ServerConfiguration.Endpoint($0) }
      let port = try #require(endpoint).port
      let strangers = try (0..<65).map { _ in try Caller(port: port, on: test) }
      try test.run { strangers.contains(where: \.hasEnded) }
      #expect(strangers[0].hasEnded && !strangers.dropFirst().contains(where: \.hasEnded))
    }
  }

  @Test func `a server in front without the cluster's key takes nobody in`() throws {
    try Self.run(fronts: 0) { test, cluster in
      let stranger = try cluster.addFront(showing: SelfSignedCertificate.make())
      let ann = try cluster.call(stranger)
      try ann.greet(as: "Ann")
      try test.run(for: .milliseconds(200))
      #expect(ann.lines.isEmpty)
      #expect(!stranger.isReady && !ann.hasEnded)
    }
  }
}
