import EventLoops
import LoopTesting
import Testing

@Suite struct ByteStreamTests {
  @Test(arguments: ["127.0.0.1", "::1"])
  func `bytes go both ways, in order`(host: String) throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test, host: host)
      let atClient = try StreamRecorder(client)
      let atServer = try StreamRecorder(server)
      for number in 0..<100 { try client.write(SharedBytes("\(number);")) }
      try server.write([SharedBytes("a"), SharedBytes(""), SharedBytes("bc")])
      let expected = (0..<100).map { "\($0);" }.joined()
      try test.run { atClient.text == "abc" && atServer.text == expected }
      #expect(client.writeCalls == 100)
      #expect(server.writeCalls == 1)
      #expect(server.peerAddress.hasPrefix(host.contains(":") ? "[::1]:" : "127.0.0.1:"))
    }
  }

  @Test func `a peer that does not read gets every byte once it does`() throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test, sendBufferBytes: 16 * 1024)
      let atClient = try StreamRecorder(client)
      client.pauseReading()
      let atServer = try StreamRecorder(server)
      // Uses odd lengths, so that cuts fall inside messages.
      var expected: [UInt8] = []
      var batch: [SharedBytes] = []
      for number in 0..<3_000 {
        let message = [UInt8](repeating: UInt8(number % 251), count: 1 + number * 7 % 1_999)
        expected += message
        batch.append(SharedBytes(message))
        if number % 3 == 0 {
          try server.write(batch)
          batch = []
        }
      }
      try server.write(batch)
      #expect(server.queuedBytes > 0)
      #expect(atServer.drainCount == 0)
      client.resumeReading()
      try test.run { atClient.received.count == expected.count && atServer.drainCount > 0 }
      #expect(atClient.received == expected)
      #expect(server.queuedBytes == 0)
      // Write requests are reused.
      try server.write(SharedBytes("more"))
      try test.run { atClient.received.count == expected.count + 4 }
    }
  }

  @Test func `a batch larger than one system call takes arrives whole`() throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test)
      let atClient = try StreamRecorder(client)
      try server.write((0..<1_000).map { SharedBytes("\($0)\n") })
      #expect(server.writeCalls == 4)
      let expected = (0..<1_000).map { "\($0)\n" }.joined()
      try test.run { atClient.text == expected }
    }
  }

  @Test func `a paused stream reads nothing until it is resumed`() throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test)
      let atServer = try StreamRecorder(server)
      let atClient = try StreamRecorder(client)
      server.pauseReading()
      server.pauseReading()
      try client.write(SharedBytes("late"))
      try server.write(SharedBytes("soon"))
      try test.run { atClient.text == "soon" }
      #expect(atServer.text == "")
      server.resumeReading()
      server.resumeReading()
      try test.run { atServer.text == "late" }
    }
  }

  @Test func `a stream that is full of bytes reads one buffer of them a turn`() throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test)
      let atServer = try StreamRecorder(server)
      atServer.keepsBytes = false
      // Whoever pauses and resumes within a turn gets no second buffer.
      atServer.onEvent = { stream in
        stream.pauseReading()
        stream.resumeReading()
      }
      var counts = [0]
      test.loop.atTurnEnd(.settle) { counts.append(atServer.receivedCount) }
      let buffer = SharedBytes([UInt8](repeating: 0, count: 64 * 1024))
      for _ in 0..<32 { try client.write(buffer) }
      client.finishWriting()
      try test.run { atServer.hasEnded }
      #expect(atServer.receivedCount == 32 * buffer.count)
      let most = zip(counts.dropFirst(), counts).map { $0 - $1 }.max()
      #expect((most ?? 0) <= buffer.count)
    }
  }

  @Test func `what is left for the next turn waits for a stream that is paused meanwhile`() throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test)
      let atServer = try StreamRecorder(server)
      let atClient = try StreamRecorder(client)
      let buffer = SharedBytes([UInt8](repeating: 0, count: 64 * 1024))
      server.pauseReading()
      for _ in 0..<8 { try client.write(buffer) }
      atServer.onEvent = { stream in
        guard stream === server, !atServer.received.isEmpty else { return }
        stream.pauseReading()
      }
      server.resumeReading()
      try test.run { !atServer.received.isEmpty }
      let before = atServer.received.count
      #expect(before == buffer.count)
      try server.write(SharedBytes("soon"))
      try test.run { atClient.text == "soon" }
      #expect(atServer.received.count == before)
      atServer.onEvent = { _ in }
      server.resumeReading()
      try test.run { atServer.received.count == 8 * buffer.count }
    }
  }

  @Test func `a stream that is closed with bytes left for the next turn hears no more`() throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test)
      let (atClient, atServer) = (try StreamRecorder(client), try StreamRecorder(server))
      let buffer = SharedBytes([UInt8](repeating: 0, count: 64 * 1024))
      atServer.onEvent = { $0.close() }
      for _ in 0..<8 { try client.write(buffer) }
      try test.run { atClient.hasEnded || !atClient.errors.isEmpty }
      #expect(atServer.received.count <= buffer.count && atServer.errors.isEmpty)
    }
  }

  @Test func `the small kernel buffer bounds what a peer that never reads can take`() throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test, sendBufferBytes: 16 * 1024)
      _ = try StreamRecorder(server)
      let chunk = SharedBytes([UInt8](repeating: 0, count: 1_024))
      var written = 0
      while server.queuedBytes == 0, written < 16 * 1024 * 1024 {
        try server.write(chunk)
        written += chunk.count
      }
      #expect(written < 1024 * 1024)
      client.close()
    }
  }

  @Test func `closing twice is closing once, and nothing is heard after it`() throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test)
      let atClient = try StreamRecorder(client)
      let atServer = try StreamRecorder(server)
      try client.write(SharedBytes("unheard"))
      server.close()
      server.close()
      try server.write(SharedBytes("ignored"))
      server.pauseReading()
      server.resumeReading()
      server.finishWriting()
      try test.run { atClient.hasEnded || !atClient.errors.isEmpty }
      #expect(atServer.text == "")
      #expect(server.isClosed)
      #expect(server.queuedBytes == 0)
      #expect(server.peerAddress == "closed")
    }
  }

  @Test func `closing with writes queued loses them without a fault`() throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test, sendBufferBytes: 4 * 1024)
      let atServer = try StreamRecorder(server)
      let chunk = SharedBytes([UInt8](repeating: 1, count: 256 * 1024))
      while server.queuedBytes == 0 { try server.write(chunk) }
      try server.write([chunk, chunk])
      server.close()
      let atClient = try StreamRecorder(client)
      atClient.keepsBytes = false
      try test.run { atClient.hasEnded || !atClient.errors.isEmpty }
      #expect(atServer.drainCount == 0)
      #expect(atServer.errors.isEmpty)
    }
  }

  @Test func `finishing lets the last bytes out, and the other direction stays open`() throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test, sendBufferBytes: 4 * 1024)
      let atServer = try StreamRecorder(server)
      let chunk = SharedBytes([UInt8](repeating: 1, count: 1_024 * 1_024))
      try server.write(chunk)
      server.finishWriting()
      try server.write(SharedBytes("ignored"))
      let atClient = try StreamRecorder(client)
      try test.run { atClient.hasEnded }
      #expect(atClient.receivedCount == chunk.count)
      try client.write(SharedBytes("still here"))
      try test.run { atServer.text == "still here" }
    }
  }

  @Test func `a stream that breaks says so once, and has closed`() throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test, sendBufferBytes: 4 * 1024)
      let atServer = try StreamRecorder(server)
      let chunk = SharedBytes([UInt8](repeating: 1, count: 256 * 1024))
      while server.queuedBytes == 0 { try server.write(chunk) }
      // Bytes are unread at the close, so TCP resets the connection.
      client.close()
      try test.run { !atServer.errors.isEmpty }
      #expect(server.isClosed)
      #expect(atServer.errors.count == 1)
    }
  }

  @Test func `a stream may be closed from within its own callback`() throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test)
      let atServer = try StreamRecorder(server)
      atServer.onEvent = { $0.close() }
      try client.write(SharedBytes("x"))
      try test.run { server.isClosed }
      #expect(atServer.text == "x")
    }
  }

  @Test func `a closed stream cannot be started`() throws {
    try TestLoop.run { test in
      let (client, _) = try Acceptor.pair(on: test)
      client.close()
      #expect(throws: UVError("read_start", .canceled)) { _ = try StreamRecorder(client) }
    }
  }

  @Test func `a stream lets go of itself, its delegate and its bytes when it closes`() throws {
    weak var stream: ByteStream?
    weak var recorder: StreamRecorder?
    try TestLoop.run { test in
      let (client, server) = try Acceptor.pair(on: test)
      stream = server
      let atServer = try StreamRecorder(server)
      recorder = atServer
      client.close()
    }
    #expect(stream == nil)
    #expect(recorder == nil)
  }
}
