import EventLoops
import HTTP
import LoopTesting
import Testing
import Transports
import Vocabulary

/// What waits for several peers that do not read, together.
@Suite struct BacklogsTests {
  private final class Recorder: LineConnectionDelegate {
    var slow: [PeerID] = []

    func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {}
    func connectionDidReceiveOverlongLine(_ connection: LineConnection) {}

    func connection(_ connection: LineConnection, didClose reason: CloseReason) {
      if case .slow = reason { slow.append(connection.id) }
    }
  }

  /// Answers each request with 8 MiB.
  private final class Library: HTTPConnectionDelegate {
    static let bytes = 8 << 20
    let list: HTTPConnectionList
    var leftCount = 0

    init(_ list: HTTPConnectionList) { self.list = list }

    /// A client that has asked.
    func client(on test: TestLoop, reads: Bool) throws -> StreamRecorder {
      let (stream, server) = try Acceptor.pair(on: test, sendBufferBytes: 8 * 1024)
      let client = try StreamRecorder(stream)
      client.keepsBytes = false
      if !reads { stream.pauseReading() }
      _ = try HTTPConnection(server, in: list, delegate: self)
      try stream.write(SharedBytes("GET / HTTP/1.1\r\nHost: h\r\n\r\n"))
      return client
    }

    func connection(_ connection: HTTPConnection, didReceive request: HTTPRequest) {
      connection.answer(
        HTTPResponse(.ok), SharedBytes([UInt8](repeating: 65, count: Self.bytes)))
    }

    func connectionDidLeave(_ connection: HTTPConnection) { leftCount += 1 }
  }

  @Test func `who fetches by HTTP and does not read is counted like other peers, and goes`() throws
  {
    try TestLoop.run { test in
      let backlogs = Backlogs(atMost: 10 << 20)
      let library = Library(HTTPConnectionList(on: test.loop, backlogs: backlogs))
      let reader = try library.client(on: test, reads: true)
      try test.run { reader.receivedCount > Library.bytes && backlogs.bytes == 0 }
      let idler = try library.client(on: test, reads: false)
      // The kernel takes less than two of the eight.
      try test.run { backlogs.bytes > 6 << 20 }
      #expect(backlogs.count == 1)
      let list = FlushList(
        on: test.loop, limits: ConnectionLimits(backlogBytesMaximum: 64 << 20), backlogs: backlogs)
      let (peer, server) = try Acceptor.pair(on: test, sendBufferBytes: 8 * 1024)
      let recorder = Recorder()
      let connection = try LineConnection(
        server, id: PeerID(slot: 0, generation: 0), in: list, delegate: recorder)
      // Nobody reads the other end.
      let message = SharedBytes([UInt8](repeating: 65, count: 1 << 20))
      for _ in 0..<5 { connection.enqueue(message) }
      try test.run { library.leftCount == 1 && backlogs.count == 1 }
      #expect(library.list.count == 1, "who reads stays")
      #expect(connection.isOpen && recorder.slow == [])
      connection.close()
      #expect(backlogs.bytes == 0)
      withExtendedLifetime((idler, peer)) {}
    }
  }

  @Test func `the fullest go first, whichever list they are of, and those that read stay`() throws {
    try TestLoop.run { test in
      let backlogs = Backlogs(atMost: 10 << 20)
      let lists = (0..<2).map { _ in
        FlushList(
          on: test.loop, limits: ConnectionLimits(backlogBytesMaximum: 64 << 20), backlogs: backlogs
        )
      }
      let recorder = Recorder()
      var connections: [LineConnection] = []
      var peers: [StreamRecorder] = []
      for number in 0..<5 {
        let (peer, server) = try Acceptor.pair(on: test, sendBufferBytes: 8 * 1024)
        peers.append(try StreamRecorder(peer))
        peers[number].keepsBytes = false
        // The last one reads.
        if number < 4 { peer.pauseReading() }
        connections.append(
          try LineConnection(
            server, id: PeerID(slot: UInt32(number), generation: 0), in: lists[number % 2],
            delegate: recorder))
      }
      let message = SharedBytes([UInt8](repeating: 65, count: 1 << 20))
      // The kernel takes some of each, so the sums have a margin to the bound.
      for (number, count) in [(0, 1), (1, 2), (2, 6), (3, 5), (4, 1)] {
        for _ in 0..<count { connections[number].enqueue(message) }
      }
      try test.run { recorder.slow.count == 1 && peers[4].receivedCount == 1 << 20 }
      #expect(recorder.slow == [PeerID(slot: 2, generation: 0)])
      for _ in 0..<4 { connections[0].enqueue(message) }
      try test.run { recorder.slow.count == 2 }
      #expect(connections[4].isOpen)
    }
  }

  @Test func `whoever is over the bound of one and of all at once is told, and is gone`() throws {
    try TestLoop.run { test in
      let backlogs = Backlogs(atMost: 6 << 20)
      // The first list is flushed first.
      let lists = (0..<2).map { _ in
        FlushList(
          on: test.loop, limits: ConnectionLimits(backlogBytesMaximum: 4 << 20), backlogs: backlogs)
      }
      let recorder = Recorder()
      let message = SharedBytes([UInt8](repeating: 65, count: 1 << 20))
      func connect(_ number: UInt32, in list: FlushList) throws -> (LineConnection, StreamRecorder)
      {
        let (peer, server) = try Acceptor.pair(on: test, sendBufferBytes: 8 * 1024)
        let connection = try LineConnection(
          server, id: PeerID(slot: number, generation: 0), in: list, delegate: recorder)
        return (connection, try StreamRecorder(peer))
      }
      let full = try connect(0, in: lists[1])
      let others = try (1...2).map { try connect($0, in: lists[0]) }
      let reader = try connect(3, in: lists[1])
      for (_, peer) in [full] + others { peer.stream.pauseReading() }
      for _ in 0..<3 { full.0.enqueue(message) }
      reader.0.enqueue(SharedBytes("now\n"))
      try test.run { reader.1.text == "now\n" }
      for (connection, _) in [full] + others {
        for _ in 0..<2 { connection.enqueue(message) }
      }
      try test.run { recorder.slow.contains(PeerID(slot: 0, generation: 0)) }
    }
  }
}
