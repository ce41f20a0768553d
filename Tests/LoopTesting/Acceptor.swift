package import EventLoops
package import TLS
internal import Testing

/// Listens on loopback and keeps the accepted streams.
package final class Acceptor: TCPListenerDelegate {
  /// The accepted streams, in order.
  package var streams: [ByteStream] = []
  /// The errors of accepting.
  package var errors: [UVError] = []

  /// Called for each stream.
  package var onStream: (ByteStream) throws -> Void = { _ in }

  package init() {}

  /// Listens on a free port.
  package func listen(
    on loop: EventLoop, host: String = "127.0.0.1", sendBufferBytes: Int = 64 * 1024,
    security: StreamSecurity? = nil
  ) throws -> TCPListener {
    try TCPListener(
      host: host, port: 0, sendBufferBytes: sendBufferBytes, security: security, on: loop,
      delegate: self)
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

  /// Both ends of a new loopback connection under TLS, started.
  package static func securedPair(
    on test: TestLoop, sendBufferBytes: Int = 64 * 1024
  ) throws -> (client: StreamRecorder, server: StreamRecorder) {
    let identity = try TLSIdentity.selfMade()
    let acceptor = Acceptor()
    var server: StreamRecorder?
    acceptor.onStream = { server = try StreamRecorder($0) }
    let listener = try acceptor.listen(
      on: test.loop, sendBufferBytes: sendBufferBytes,
      security: StreamSecurity(identity: identity, allowsPlaintext: false))
    defer { listener.close() }
    let client = try StreamRecorder(
      connect(to: listener, under: TLSTrust(key: identity.fingerprint), on: test))
    try test.run { server?.stream.isSecured == true }
    guard let server else { throw TestLoop.TimedOut() }
    return (client, server)
  }

  /// Connects to a listener.
  package static func connect(
    to listener: TCPListener, host: String = "127.0.0.1", under trust: TLSTrust? = nil,
    on test: TestLoop
  ) throws -> ByteStream {
    var result: Result<ByteStream, EndpointError>?
    let attempt = try ConnectAttempt(
      host: host, port: listener.localPort, under: trust, on: test.loop
    ) { result = $0 }
    defer { attempt.cancel() }
    try test.run { result != nil }
    guard let result else { throw TestLoop.TimedOut() }
    return try result.get()
  }

  package func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    streams.append(stream)
    do {
      try onStream(stream)
    } catch {
      Issue.record(error)
    }
  }

  package func listener(_ listener: TCPListener, didFail error: UVError) {
    errors.append(error)
  }
}

@available(*, unavailable)
extension Acceptor: Sendable {}

extension TLSIdentity {
  /// A new key and its certificate, as a server makes them for itself.
  package static func selfMade() throws -> TLSIdentity {
    let pem = SelfSignedCertificate.make()
    return try TLSIdentity(certificates: pem, key: pem)
  }
}
