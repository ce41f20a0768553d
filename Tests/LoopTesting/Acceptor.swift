package import EventLoops

/// Listens on loopback and keeps the accepted streams.
package final class Acceptor: TCPListenerDelegate {
  /// The accepted streams, in order.
  package var streams: [ByteStream] = []
  /// The errors of accepting.
  package var errors: [UVError] = []

  package init() {}

  /// Listens on a free port.
  package func listen(
    on loop: EventLoop, host: String = "127.0.0.1", sendBufferBytes: Int = 64 * 1024
  ) throws -> TCPListener {
    try TCPListener(
      host: host, port: 0, sendBufferBytes: sendBufferBytes, on: loop, delegate: self)
  }

  /// Both ends of a new loopback connection: the connecting and the accepted one.
  package static func pair(
    on test: TestLoop, host: String = "127.0.0.1", sendBufferBytes: Int = 64 * 1024
  ) throws -> (client: ByteStream, server: ByteStream) {
    let acceptor = Acceptor()
    let listener = try acceptor.listen(
      on: test.loop, host: host, sendBufferBytes: sendBufferBytes)
    defer { listener.close() }
    let client = try connect(to: listener, host: host, on: test)
    try test.run { !acceptor.streams.isEmpty }
    return (client, acceptor.streams[0])
  }

  /// Connects to a listener.
  package static func connect(
    to listener: TCPListener, host: String = "127.0.0.1", on test: TestLoop
  ) throws -> ByteStream {
    var result: Result<ByteStream, EndpointError>?
    let attempt = try ConnectAttempt(host: host, port: listener.localPort, on: test.loop) {
      result = $0
    }
    defer { attempt.cancel() }
    try test.run { result != nil }
    guard let result else { throw TestLoop.TimedOut() }
    return try result.get()
  }

  package func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    streams.append(stream)
  }

  package func listener(_ listener: TCPListener, didFail error: UVError) {
    errors.append(error)
  }
}

@available(*, unavailable)
extension Acceptor: Sendable {}
