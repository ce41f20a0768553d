import EventLoops
import LoopTesting
import Testing
import Transports
import Vocabulary

/// A list with many peers.
@Suite struct FlushListTests {
  private final class Silent: LineConnectionDelegate {
    func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {}
    func connectionDidReceiveOverlongLine(_ connection: LineConnection) {}
    func connection(_ connection: LineConnection, didClose reason: CloseReason) {}
  }

  @Test func `where many peers are written to, the loop looks in between, and all are served`()
    throws
  {
    try TestLoop.run { test in
      let (list, delegate) = (FlushList(on: test.loop), Silent())
      var peers: [StreamRecorder] = []
      var connections: [LineConnection] = []
      for slot in 0..<UInt32(300) {
        let (client, server) = try Acceptor.pair(on: test, sendBufferBytes: 64 * 1024)
        peers.append(try StreamRecorder(client))
        connections.append(
          try LineConnection(
            server, id: PeerID(slot: slot, generation: 1), in: list, delegate: delegate))
      }
      var sent = [0]
      test.loop.atTurnEnd(.settle) {
        let now = list.traffic.messagesSent
        if now == sent.last { return }
        sent.append(now)
        // What comes in between is behind what waits.
        if sent.count == 2 { connections[0].enqueue(SharedBytes("b\n")) }
      }
      let timer = LoopTimer(on: test.loop) {
        for connection in connections { connection.enqueue(SharedBytes("a\n")) }
      }
      timer.fire(at: test.loop.now)
      try test.run { peers.dropFirst().allSatisfy { $0.text == "a\n" } }
      try test.run { peers[0].text == "a\nb\n" && sent.last == 301 }
      #expect(zip(sent, sent.dropFirst()).map { $1 - $0 } == [128, 128, 45])
      #expect(connections[0].stream.writeCalls == 2)
      #expect(connections[299].stream.writeCalls == 1)
    }
  }
}
