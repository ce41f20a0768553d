import EventLoops
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
