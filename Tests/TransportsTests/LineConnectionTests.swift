import EventLoops
import LoopTesting
import Testing
import Transports
import Vocabulary
import Wire

@Suite struct LineConnectionTests {
  /// A connection under test with its recorded events, and the peer's stream.
  private final class Scene: LineConnectionDelegate {
    let list: FlushList
    let peer: ByteStream
    var connection: LineConnection?
    var lines: [String] = []
    var overlongCount = 0
    var reasons: [CloseReason] = []
    var onLine: (LineConnection, String) -> Void = { _, _ in }

    init(
      _ test: TestLoop, limits: ConnectionLimits = ConnectionLimits(),
      linesEndingWith ending: LineEnding = .lineFeed, sendBufferBytes: Int = 64 * 1024,
      lastWordToSlow: SharedBytes? = nil
    ) throws {
      list = FlushList(
        on: test.loop, limits: limits, linesEndingWith: ending, lastWordToSlow: lastWordToSlow)
      let (client, server) = try Acceptor.pair(on: test, sendBufferBytes: sendBufferBytes)
      peer = client
      connection = try LineConnection(
        server, id: PeerID(slot: 3, generation: 1), in: list, delegate: self)
    }

    func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
      var bytes: [UInt8] = []
      for index in line.indices { bytes.append(line[index]) }
      lines.append(String(decoding: bytes, as: UTF8.self))
      onLine(connection, lines[lines.count - 1])
    }

    func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
      overlongCount += 1
    }

    func connection(_ connection: LineConnection, didClose reason: CloseReason) {
      reasons.append(reason)
    }
  }

  @Test func `bytes come in as lines`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test, limits: ConnectionLimits(lineBytesMaximum: 5))
      try scene.peer.write(SharedBytes("one\r\ntw"))
      try test.run { scene.lines == ["one"] }
      try scene.peer.write(SharedBytes("o\nfar too long\nthree\n"))
      try test.run { scene.lines == ["one", "two", "three"] }
      #expect(scene.overlongCount == 1)
      let traffic = scene.list.traffic
      #expect(traffic.linesReceived == 3)
      #expect(traffic.bytesReceived == 28)
      #expect(scene.connection?.id == PeerID(slot: 3, generation: 1))
    }
  }

  @Test func `a line feed alone is part of a line where a return ends one, too`() throws {
    try TestLoop.run { test in
      let scene = try Scene(
        test, limits: ConnectionLimits(lineBytesMaximum: 5),
        linesEndingWith: .carriageReturnLineFeed)
      try scene.peer.write(SharedBytes("one\ntoo long\r\na\nb\r\n"))
      try test.run { scene.lines == ["a\nb"] }
      #expect(scene.overlongCount == 1)
    }
  }

  @Test func `what is enqueued in one turn leaves in order in one write`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      let atPeer = try StreamRecorder(scene.peer)
      scene.onLine = { connection, line in
        for number in 0..<20 { connection.enqueue(SharedBytes("\(line) \(number)\n")) }
      }
      try scene.peer.write(SharedBytes("a\nb\nc\n"))
      let expected = "abc".map { line in (0..<20).map { "\(line) \($0)\n" }.joined() }.joined()
      try test.run { atPeer.text == expected }
      let connection = try #require(scene.connection)
      #expect(connection.stream.writeCalls == 1)
      #expect(scene.list.traffic.messagesSent == 60)
      #expect(scene.list.traffic.bytesSent == expected.utf8.count)
      #expect(connection.waitingBytes == 0)
    }
  }

  @Test func `what is patient leaves in order with the next message that is not`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      let atPeer = try StreamRecorder(scene.peer)
      scene.onLine = { connection, line in
        connection.enqueue(SharedBytes("\(line)\n"), patient: line != "c")
      }
      try scene.peer.write(SharedBytes("a\nb\n"))
      try test.run { scene.list.traffic.linesReceived == 2 }
      let connection = try #require(scene.connection)
      #expect(connection.stream.writeCalls == 0)
      #expect(connection.waitingBytes == 4)
      try scene.peer.write(SharedBytes("c\n"))
      try test.run { atPeer.text == "a\nb\nc\n" }
      #expect(connection.stream.writeCalls == 1)
    }
  }

  @Test func `much that is patient leaves by itself, and the rest with the last word`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      let atPeer = try StreamRecorder(scene.peer)
      let connection = try #require(scene.connection)
      let line = String(repeating: "x", count: 999) + "\n"
      let timer = LoopTimer(on: test.loop) {
        for _ in 0..<33 { connection.enqueue(SharedBytes(line), patient: true) }
      }
      timer.fire(at: test.loop.now)
      try test.run { atPeer.text.utf8.count == 33_000 }
      #expect(connection.stream.writeCalls == 1)
      connection.enqueue(SharedBytes("rest\n"), patient: true)
      connection.close(after: SharedBytes("end\n"))
      try test.run { atPeer.text.hasSuffix("x\nrest\nend\n") }
    }
  }

  @Test func `a message from a timer leaves before the loop sleeps`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      let atPeer = try StreamRecorder(scene.peer)
      let timer = LoopTimer(on: test.loop) { scene.connection?.enqueue(SharedBytes("tick\n")) }
      timer.fire(at: test.loop.now)
      try test.run { atPeer.text == "tick\n" }
    }
  }

  @Test func `a slow peer gets all in order, if it stays within its bound`() throws {
    try TestLoop.run { test in
      let scene = try Scene(
        test, limits: ConnectionLimits(backlogBytesMaximum: 16 << 20), sendBufferBytes: 8 * 1024)
      let connection = try #require(scene.connection)
      var expected = ""
      // Spread over many turns, so that messages wait in the kernel, in the stream and in the
      // queue.
      var round = 0
      let timer = TimerBox()
      timer.timer = LoopTimer(on: test.loop) {
        for number in 0..<500 {
          let line = "\(round) \(number) \(String(repeating: "x", count: number))\n"
          expected += line
          connection.enqueue(SharedBytes(line))
        }
        round += 1
        if round < 20 { timer.timer?.fire(at: test.loop.now) }
      }
      timer.timer?.fire(at: test.loop.now)
      try test.run { round == 20 }
      #expect(connection.waitingBytes > 0)
      let atPeer = try StreamRecorder(scene.peer)
      try test.run { atPeer.received.count == expected.utf8.count }
      #expect(atPeer.text == expected)
      #expect(scene.reasons.isEmpty)
      #expect(scene.list.traffic.messagesSent == 10_000)
    }
  }

  private final class TimerBox {
    var timer: LoopTimer?
  }

  @Test func `over the bound droppable messages go first, then the connection`() throws {
    try TestLoop.run { test in
      let limits = ConnectionLimits(backlogBytesMaximum: 64 * 1024)
      let scene = try Scene(test, limits: limits, sendBufferBytes: 4 * 1024)
      let connection = try #require(scene.connection)
      let report = SharedBytes([UInt8](repeating: 1, count: 1_000))
      let event = SharedBytes([UInt8](repeating: 2, count: 1_000))
      // Fills the backlog with droppable messages, regardless of how much the kernel takes.
      let turns = TimerBox()
      turns.timer = LoopTimer(on: test.loop) {
        for _ in 0..<20 { connection.enqueue(report, droppable: true) }
        turns.timer?.fire(at: test.loop.now)
      }
      turns.timer?.fire(at: test.loop.now)
      try test.run { scene.list.traffic.messagesDropped > 100 }
      turns.timer?.close()
      #expect(connection.isOpen)
      #expect(connection.waitingBytes <= limits.backlogBytesMaximum)

      connection.enqueue(event)
      #expect(connection.isOpen)
      while connection.isOpen { connection.enqueue(event) }
      // Reported at the end of the turn, not during the call that queues.
      #expect(scene.reasons.isEmpty)
      try test.run { !scene.reasons.isEmpty }
      guard case .slow(let waiting) = scene.reasons[0] else {
        Issue.record("\(scene.reasons)")
        return
      }
      #expect(waiting <= limits.backlogBytesMaximum)
      #expect(scene.reasons.count == 1)
      #expect(connection.stream.isClosed)
    }
  }

  @Test func `a slow peer that is told one thing a turn is dropped at the same bound`() throws {
    try TestLoop.run { test in
      let limits = ConnectionLimits(backlogBytesMaximum: 64 * 1024)
      let scene = try Scene(test, limits: limits, sendBufferBytes: 4 * 1024)
      let connection = try #require(scene.connection)
      let event = SharedBytes([UInt8](repeating: 2, count: 10_000))
      // Allows more turns than the kernel buffers bytes for, so that the test ends even if the peer
      // is never dropped.
      var turns = 0
      let timer = TimerBox()
      timer.timer = LoopTimer(on: test.loop) {
        connection.enqueue(event)
        turns += 1
        if scene.reasons.isEmpty, turns < 5_000 { timer.timer?.fire(at: test.loop.now) }
      }
      timer.timer?.fire(at: test.loop.now)
      try test.run { !scene.reasons.isEmpty || turns == 5_000 }
      guard case .slow(let waiting)? = scene.reasons.first else {
        Issue.record("not dropped after \(turns) turns")
        return
      }
      #expect(waiting <= limits.backlogBytesMaximum)
    }
  }

  @Test func `a peer that is dropped for being slow is told so, if it reads on`() throws {
    try TestLoop.run { test in
      let scene = try Scene(
        test, limits: ConnectionLimits(backlogBytesMaximum: 64 * 1024), sendBufferBytes: 4 * 1024,
        lastWordToSlow: SharedBytes("too slow\n"))
      let connection = try #require(scene.connection)
      let event = SharedBytes(String(repeating: "e", count: 999) + "\n")
      while connection.isOpen { connection.enqueue(event) }
      try test.run { !scene.reasons.isEmpty }
      let atPeer = try StreamRecorder(scene.peer)
      try test.run { atPeer.hasEnded }
      #expect(atPeer.text.hasSuffix("e\ntoo slow\n") || atPeer.text == "too slow\n")
      #expect(scene.reasons.count == 1)
    }
  }

  @Test func `last bytes reach a peer whose own bytes were never read`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      let atPeer = try StreamRecorder(scene.peer)
      scene.onLine = { connection, _ in
        connection.enqueue(SharedBytes("first\n"))
        connection.close(after: SharedBytes("goodbye\n"))
        connection.enqueue(SharedBytes("never\n"))
      }
      // Sends more than the read that contains `close` returns; closing immediately would cause a
      // reset.
      try scene.peer.write(SharedBytes("close\n" + String(repeating: "more\n", count: 100_000)))
      try test.run { atPeer.hasEnded }
      #expect(atPeer.text == "first\ngoodbye\n")
      #expect(atPeer.errors.isEmpty)
      scene.peer.close()
      try test.run { scene.connection?.stream.isClosed == true }
      #expect(scene.lines == ["close"])
      #expect(scene.reasons.isEmpty)
    }
  }

  @Test func `a peer that neither reads nor ends is cut off after the drain time`() throws {
    try TestLoop.run { test in
      let scene = try Scene(
        test, limits: ConnectionLimits(drainTime: .milliseconds(20)), sendBufferBytes: 4 * 1024)
      let connection = try #require(scene.connection)
      connection.enqueue(SharedBytes([UInt8](repeating: 1, count: 1_000_000)))
      let start = test.loop.now
      connection.close(after: SharedBytes("goodbye\n"))
      try test.run { connection.stream.isClosed }
      #expect(test.loop.now - start >= .milliseconds(20))
      #expect(scene.reasons.isEmpty)
    }
  }

  @Test func `nothing waits for the drain time once the last connection has closed`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test, limits: ConnectionLimits(drainTime: .seconds(60)))
      let atPeer = try StreamRecorder(scene.peer)
      scene.connection?.close(after: SharedBytes("goodbye\n"))
      try test.run { atPeer.hasEnded }
      scene.peer.close()
      // Returns because neither a stream nor a timer is left.
      test.loop.run()
      #expect(scene.connection?.stream.isClosed == true)
    }
  }

  @Test func `a peer that ends gets the answers to what it had said`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      let atPeer = try StreamRecorder(scene.peer)
      scene.onLine = { connection, line in connection.enqueue(SharedBytes("re: \(line)\n")) }
      try scene.peer.write(SharedBytes("one\ntwo\nhalf"))
      scene.peer.finishWriting()
      try test.run { atPeer.hasEnded }
      #expect(atPeer.text == "re: one\nre: two\n")
      #expect(scene.reasons == [.ended])
    }
  }

  @Test func `a connection closed amid its lines tells no more of them`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      let atPeer = try StreamRecorder(scene.peer)
      scene.onLine = { connection, _ in
        connection.close()
        connection.close()
        connection.enqueue(SharedBytes("ignored\n"))
      }
      try scene.peer.write(SharedBytes("one\ntwo\nthree\n"))
      try test.run { atPeer.hasEnded || !atPeer.errors.isEmpty }
      #expect(scene.lines == ["one"])
      #expect(scene.reasons.isEmpty)
      #expect(atPeer.text == "")
    }
  }

  @Test func `a connection that breaks while bytes wait is told of once`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test, sendBufferBytes: 4 * 1024)
      let connection = try #require(scene.connection)
      connection.enqueue(SharedBytes([UInt8](repeating: 1, count: 900_000)))
      var turns = 0
      test.loop.atTurnEnd(.write) { turns += 1 }
      let timer = LoopTimer(on: test.loop) {}
      timer.fire(at: test.loop.now)
      try test.run { turns > 2 }
      scene.peer.close()
      try test.run { !scene.reasons.isEmpty }
      guard case .failed = scene.reasons[0] else {
        Issue.record("\(scene.reasons)")
        return
      }
      connection.enqueue(SharedBytes("ignored\n"))
      connection.close(after: SharedBytes("ignored\n"))
      #expect(scene.reasons.count == 1)
    }
  }

  @Test func `a paused connection makes its peer wait`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      scene.connection?.pauseReading()
      try scene.peer.write(SharedBytes("late\n"))
      var turns = 0
      test.loop.atTurnEnd(.write) { turns += 1 }
      let timer = LoopTimer(on: test.loop) {}
      timer.fire(at: test.loop.now + .milliseconds(2))
      try test.run { turns > 3 }
      #expect(scene.lines.isEmpty)
      scene.connection?.resumeReading()
      try test.run { scene.lines == ["late"] }
    }
  }

  @Test func `a closed connection leaves nothing behind`() throws {
    weak var connection: LineConnection?
    weak var delegate: Scene?
    try TestLoop.run { test in
      let scene = try Scene(test)
      connection = scene.connection
      delegate = scene
      scene.connection?.close()
      scene.connection = nil
    }
    #expect(connection == nil)
    #expect(delegate == nil)
  }
}
