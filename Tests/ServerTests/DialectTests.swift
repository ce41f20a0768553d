import Clusters
import Coordination
import EventLoops
import JSON
import Logging
import LoopTesting
import TLS
import Testing
import Vocabulary
import Wire

@testable import Server

/// What the server owes to the dialects beside its own protocol.
@Suite struct DialectTests {
  @Test func `a dialect hears that a peer beyond an address's connections is gone`() throws {
    try TestLoop.run { test in
      var limits = Limits()
      limits.connectionsPerAddress = 1
      let server = try MatineeServer(
        ServerConfiguration(endpoints: [], limits: limits), on: test.loop,
        log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
      let dialect = RecordingDialect()
      server.add(dialect)
      let pairs = try (0..<2).map { _ in try Acceptor.pair(on: test) }
      let peers = try pairs.map { pair in
        let peer = try #require(
          server.admit(pair.server, to: server.edge.connections, for: dialect, delegate: server))
        // Connections of this machine have no such bound.
        server.take(.connected(peer, from: PeerAddress(host: "192.0.2.1")))
        return peer
      }
      #expect(dialect.lost == [peers[1]])
      let client = try StreamRecorder(pairs[1].client)
      try test.run { client.hasEnded || !client.errors.isEmpty }
    }
  }
}

/// A dialect that notes which of its peers the server closed.
private final class RecordingDialect: Dialect {
  private(set) var lost: [PeerID] = []

  var endpoints: [String] { [] }
  var nextDeadline: Instant? { nil }
  var isManaged: @Sendable (GroupID) -> Bool { { _ in false } }
  func advanceClock() {}
  func receive(_ message: ServerMessage, for peers: Peers) {}
  func refuse(_ peer: PeerID, _ error: ProtocolError) {}
  let name = "recording"
  func lose(_ peer: PeerID) { lost.append(peer) }
  func connect(_ peer: PeerID, _ arrival: LegArrival) {}
  func receive(_ line: Span<UInt8>, from peer: PeerID) {}
  func receiveOverlongLine(from peer: PeerID) {}
  func handleNextInput(at now: Instant) {}
  func use(_ identity: TLSIdentity) {}
  func stopListening() {}
}

@available(*, unavailable)
extension RecordingDialect: Sendable {}
