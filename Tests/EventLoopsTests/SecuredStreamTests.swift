import EventLoops
import LoopTesting
import TLS
import Testing

@Suite struct SecuredStreamTests {
  @Test func `bytes go both ways, in order, with one write a batch`() throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.securedPair(on: test)
      let before = server.stream.writeCalls
      for number in 0..<100 { try client.stream.write(SharedBytes("\(number);")) }
      try server.stream.write((0..<1_000).map { SharedBytes("\($0)\n") })
      let expected = (0..<100).map { "\($0);" }.joined()
      try test.run { server.text == expected && client.text.hasSuffix("\n999\n") }
      #expect(client.text == (0..<1_000).map { "\($0)\n" }.joined())
      #expect(server.stream.writeCalls == before + 1)
    }
  }

  @Test func `a peer that does not read gets every byte once it does`() throws {
    try TestLoop.run { test in
      let (client, server) = try Acceptor.securedPair(on: test, sendBufferBytes: 16 * 1024)
      client.stream.pauseReading()
      var expected: [UInt8] = []
      for number in 0..<3_000 {
        let message = [UInt8](repeating: UInt8(number % 251), count: 1 + number * 7 % 1_999)
        expected += message
        try server.stream.write(SharedBytes(message))
      }
      #expect(server.stream.queuedBytes > 0)
      client.stream.resumeReading()
      try test.run { client.received.count == expected.count && server.drainCount > 0 }
      #expect(client.received == expected)
      #expect(server.stream.queuedBytes == 0)
    }
  }

  @Test func `what is written before the handshake leaves after it, then the end`() throws {
    try TestLoop.run { test in
      let identity = try TLSIdentity.selfMade()
      let acceptor = Acceptor()
      var server: StreamRecorder?
      acceptor.onStream = { stream in
        server = try StreamRecorder(stream)
        try stream.write(SharedBytes("full"))
        stream.finishWriting()
      }
      let listener = try acceptor.listen(
        on: test.loop, security: StreamSecurity(identity: identity, allowsPlaintext: true))
      var client: StreamRecorder?
      let attempt = try ConnectAttempt(
        host: "127.0.0.1", port: listener.localPort, under: TLSTrust(key: identity.fingerprint),
        on: test.loop
      ) { result in
        do {
          client = try StreamRecorder(try result.get())
        } catch {
          Issue.record(error)
        }
      }
      defer { attempt.cancel() }
      try test.run { client?.hasEnded == true }
      #expect(client?.text == "full")
      #expect(server?.errors == [])
    }
  }

  @Test func `one port serves both kinds of peers if it may`() throws {
    try TestLoop.run { test in
      let identity = try TLSIdentity.selfMade()
      let acceptor = Acceptor()
      var servers: [StreamRecorder] = []
      acceptor.onStream = { servers.append(try StreamRecorder($0)) }
      let listener = try acceptor.listen(
        on: test.loop, security: StreamSecurity(identity: identity, allowsPlaintext: true))
      for trust in [nil, TLSTrust(key: identity.fingerprint)] {
        let client = try StreamRecorder(try Acceptor.connect(to: listener, under: trust, on: test))
        try client.stream.write(SharedBytes("{hello"))
        try test.run { servers.last?.text == "{hello" }
        #expect(servers.last?.stream.isSecured == (trust != nil))
        try servers.last?.stream.write(SharedBytes("welcome"))
        try test.run { client.text == "welcome" }
      }
    }
  }

  @Test func `a peer that does not encrypt is told so, and nothing else is lost`() throws {
    try TestLoop.run { test in
      let security = StreamSecurity(
        identity: try .selfMade(), allowsPlaintext: false,
        answerToPlaintext: SharedBytes("speak TLS\n"))
      let acceptor = Acceptor()
      var server: StreamRecorder?
      acceptor.onStream = { server = try StreamRecorder($0) }
      let listener = try acceptor.listen(on: test.loop, security: security)
      let client = try StreamRecorder(try Acceptor.connect(to: listener, on: test))
      try client.stream.write(SharedBytes("{}\n"))
      try test.run { client.hasEnded }
      #expect(client.text == "speak TLS\n")
      #expect(server?.errors == [.security(.plaintext)])
      #expect(server?.text == "")
    }
  }

  @Test func `TLS at a port without a certificate ends at once, and says why`() throws {
    try TestLoop.run { test in
      let acceptor = Acceptor()
      var server: StreamRecorder?
      acceptor.onStream = { server = try StreamRecorder($0) }
      let listener = try acceptor.listen(
        on: test.loop, security: StreamSecurity(identity: nil, allowsPlaintext: true))
      let error = try #require(throws: EndpointError.self) {
        try Acceptor.connect(to: listener, under: .systemRoots, on: test)
      }
      #expect(error.cause == .security(.ended))
      #expect(server?.errors == [.security(.noIdentity)])
    }
  }

  @Test func `a server whose key is another one is not connected to`() throws {
    try TestLoop.run { test in
      let (identity, other) = (try TLSIdentity.selfMade(), try TLSIdentity.selfMade())
      let acceptor = Acceptor()
      var server: StreamRecorder?
      acceptor.onStream = { server = try StreamRecorder($0) }
      let listener = try acceptor.listen(
        on: test.loop, security: StreamSecurity(identity: identity, allowsPlaintext: false))
      let error = try #require(throws: EndpointError.self) {
        try Acceptor.connect(to: listener, under: TLSTrust(key: other.fingerprint), on: test)
      }
      #expect(error.cause == .security(.otherKey(identity.fingerprint)))
      try test.run { server?.stream.isClosed == true || server?.hasEnded == true }
      #expect(server?.received == [])
    }
  }

  @Test func `a stream that begins plain is secured in its midst`() throws {
    try TestLoop.run { test in
      let identity = try TLSIdentity.selfMade()
      let (client, server) = try Acceptor.pair(on: test)
      let atServer = try StreamRecorder(server)
      try client.write(SharedBytes("TLS?"))
      try test.run { atServer.text == "TLS?" }
      server.startTLS(as: identity)
      let caller = try TLSCaller(on: client, knowing: identity)
      try test.run { caller.session.isEstablished && server.isSecured }
      let message = Array("hello".utf8)
      try caller.session.seal(message.span)
      try caller.session.finishRecord()
      try caller.send()
      try test.run { atServer.text == "TLS?hello" }
    }
  }

  @Test func `a peer that asks for new keys without end and reads no answer is hung up on`() throws
  {
    try TestLoop.run { test in
      let identity = try TLSIdentity.selfMade()
      let (client, server) = try Acceptor.pair(on: test, sendBufferBytes: 4 * 1024)
      let atServer = try StreamRecorder(server)
      server.startTLS(as: identity)
      let caller = try TLSCaller(on: client, knowing: identity)
      try test.run { caller.session.isEstablished && server.isSecured }
      client.pauseReading()
      // Each is answered with 27 bytes; the kernel holds some 100 KB of the answers.
      for _ in 0..<20_000 { try caller.session.renewKeys() }
      try caller.send()
      try test.run { !atServer.errors.isEmpty }
      #expect(atServer.errors == [.security(.unread)])
    }
  }

  /// A client whose session is in the test's hands, because the server's side is what counts.
  private final class TLSCaller {
    let session: TLSSession
    private let buffers = TLSBuffers()
    private let recorder: StreamRecorder

    /// Begins the handshake.
    init(on stream: ByteStream, knowing identity: TLSIdentity) throws {
      session = TLSSession(
        callingUnder: TLSTrust(key: identity.fingerprint), host: "localhost", in: buffers)
      recorder = try StreamRecorder(stream)
      recorder.onEvent = { [weak self] _ in self?.takeReceived() }
      try session.start()
      try send()
    }

    /// Sends what the session has made.
    func send() throws {
      try buffers.takeOutput { try recorder.stream.write(SharedBytes($0)) }
    }

    private func takeReceived() {
      let bytes = recorder.received
      recorder.received = []
      // The server may have hung up.
      guard !bytes.isEmpty else { return }
      do {
        try session.receive(bytes.span)
        try send()
      } catch {
        Issue.record(error)
      }
    }
  }
}
