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
}
