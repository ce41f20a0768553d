import EventLoops
import LoopTesting
import Scenarios
import Stages
import Testing
import Vocabulary

@Suite struct DelayProxyTests {
  /// A proxy before a server that says everything back.
  private final class Scene {
    let echo: Echo
    let proxy: DelayProxy
    let client: Client
    private let test: TestLoop

    init(_ test: TestLoop, _ conditions: NetworkConditions) throws {
      self.test = test
      echo = try Echo(on: test.loop)
      proxy = try DelayProxy(to: "127.0.0.1", [echo.port], conditions, seed: 1, on: test.loop)
      client = Client()
      try connect()
    }

    func connect() throws {
      let client = client
      client.hasEnded = false
      client.stream = nil
      let attempt = try ConnectAttempt(
        host: "127.0.0.1", port: proxy.localPort, on: test.loop
      ) { result in
        client.take(result)
      }
      try test.run { client.stream != nil }
      withExtendedLifetime(attempt) {}
    }

    func close() {
      proxy.close()
      echo.close()
      client.stream?.close()
    }
  }

  private final class Client: ByteStreamDelegate {
    var stream: ByteStream?
    var text = ""
    var hasEnded = false

    func take(_ result: Result<ByteStream, EndpointError>) {
      guard case .success(let stream) = result else { return hasEnded = true }
      do throws(UVError) {
        try stream.start(self)
        self.stream = stream
      } catch { hasEnded = true }
    }

    func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
      for index in bytes.indices { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
    }
    func byteStreamDidEnd(_ stream: ByteStream) { hasEnded = true }
    func byteStreamDidDrain(_ stream: ByteStream) {}
    func byteStream(_ stream: ByteStream, didFail error: StreamError) { hasEnded = true }
  }

  @Test func `bytes take the delay there and back`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test, NetworkConditions(delay: .milliseconds(40)))
      defer { scene.close() }
      let start = test.loop.now
      try scene.client.stream?.write(SharedBytes("ping"))
      try test.run { scene.client.text == "ping" }
      #expect(test.loop.now - start >= .milliseconds(80))
    }
  }

  @Test func `what the server says is heard as it leaves, and what clients say is not`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test, NetworkConditions(delay: .milliseconds(40)))
      defer { scene.close() }
      var heard = 0
      var heardFirst = false
      scene.proxy.onServerBytes = { bytes in
        heard += bytes.count
        heardFirst = scene.client.text.isEmpty
      }
      try scene.client.stream?.write(SharedBytes("ping"))
      try test.run { scene.client.text == "ping" }
      #expect(heard == 4)
      #expect(heardFirst)
    }
  }

  @Test func `jitter never changes the order`() throws {
    try TestLoop.run { test in
      let scene = try Scene(
        test, NetworkConditions(delay: .milliseconds(1), jitter: .milliseconds(20)))
      defer { scene.close() }
      let words = (100..<160).map(String.init)
      for word in words {
        try scene.client.stream?.write(SharedBytes(word))
        let next = test.loop.now + .milliseconds(1)
        try test.run { test.loop.now >= next || scene.client.hasEnded }
      }
      try test.run { scene.client.text.count == 180 }
      #expect(scene.client.text == words.joined())
    }
  }

  @Test func `a cut ends the connection and refuses others until it is restored`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test, NetworkConditions(delay: .milliseconds(1)))
      defer { scene.close() }
      try scene.client.stream?.write(SharedBytes("a"))
      try test.run { scene.client.text == "a" }
      scene.proxy.cut()
      try test.run { scene.client.hasEnded && scene.echo.openCount == 0 }
      scene.client.stream?.close()
      try scene.connect()
      try test.run { scene.client.hasEnded }
      scene.client.stream?.close()
      scene.proxy.restore()
      try scene.connect()
      try scene.client.stream?.write(SharedBytes("b"))
      try test.run { scene.client.text == "ab" }
    }
  }

  @Test func `a stall lets nothing pass for its time, and then everything in order`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test, NetworkConditions(delay: .milliseconds(1)))
      defer { scene.close() }
      try scene.client.stream?.write(SharedBytes("a"))
      try test.run { scene.client.text == "a" }
      let start = test.loop.now
      scene.proxy.stall(for: .milliseconds(150))
      try scene.client.stream?.write(SharedBytes("b"))
      try scene.client.stream?.write(SharedBytes("c"))
      try test.run { scene.client.text == "abc" }
      #expect(test.loop.now - start >= .milliseconds(150))
      #expect(!scene.client.hasEnded)
    }
  }
}

/// A server that says back what it is told.
private final class Echo: TCPListenerDelegate, ByteStreamDelegate {
  private var listener: TCPListener?
  private var streams: [ByteStream] = []

  init(on loop: EventLoop) throws {
    listener = try TCPListener(host: "127.0.0.1", port: 0, on: loop, delegate: self)
  }

  var port: UInt16 { listener?.localPort ?? 0 }
  var openCount: Int { streams.count { !$0.isClosed } }

  func close() {
    listener?.close()
    listener = nil
    for stream in streams { stream.close() }
  }

  func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    do throws(UVError) {
      try stream.start(self)
      streams.append(stream)
    } catch { stream.close() }
  }
  func listener(_ listener: TCPListener, didFail error: UVError) {}
  func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    do throws(StreamError) { try stream.write(SharedBytes(bytes)) } catch { stream.close() }
  }
  func byteStreamDidEnd(_ stream: ByteStream) { stream.close() }
  func byteStreamDidDrain(_ stream: ByteStream) {}
  func byteStream(_ stream: ByteStream, didFail error: StreamError) {}
}
