import EventLoops
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A push service for tests: a real server on loopback, with HTTP/1.1 or HTTP/2.
package final class LocalPushService: Sendable {
  /// The protocols of a service.
  package enum Speech: Sendable {
    /// HTTP/1.1, unencrypted.
    case plain
    /// HTTP/2 or HTTP/1.1 over TLS, as the client chooses.
    case secure(TestCertificate)
    /// HTTP/1.1 over TLS.
    case secureHTTP1(TestCertificate)
    /// Accepts connections and never answers.
    case mute
  }

  private struct State: Sendable {
    var received: [ReceivedPush] = []
    var connections = 0
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  package let port: Int
  private let threads: MultiThreadedEventLoopGroup
  private let listener: any Channel
  private let state: Locked<State>

  /// Starts a service that answers each request with the reply of a function.
  package static func start(
    _ speech: Speech = .plain, _ reply: @escaping @Sendable (ReceivedPush) -> PushReply
  ) async throws -> LocalPushService {
    let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let state = Locked(State())
    let security = try speech.security()
    let listener = try await ServerBootstrap(group: threads)
      .childChannelInitializer { channel in
        let number = state.withLock { state in
          defer { state.connections += 1 }
          return state.connections
        }
        let serve: @Sendable (any Channel, Bool) -> EventLoopFuture<Void> = { channel, isHTTP2 in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
              RequestHandler(isHTTP2: isHTTP2, connection: number) { request in
                Self.note(request, in: state)
                return reply(request)
              })
          }
        }
        if case .mute = speech { return channel.eventLoop.makeSucceededVoidFuture() }
        guard let security else {
          return channel.pipeline.configureHTTPServerPipeline().flatMap { serve(channel, false) }
        }
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: security))
        }.flatMap {
          channel.configureCommonHTTPServerPipeline { inner in
            // An HTTP/2 stream has its connection as a parent.
            serve(inner, inner.parent?.parent != nil)
          }
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return LocalPushService(threads, listener, state)
  }

  private init(
    _ threads: MultiThreadedEventLoopGroup, _ listener: any Channel, _ state: Locked<State>
  ) {
    self.threads = threads
    self.listener = listener
    self.state = state
    port = listener.localAddress?.port ?? 0
  }

  private static func note(_ request: ReceivedPush, in state: Locked<State>) {
    let due = state.withLock { state in
      state.received.append(request)
      let count = state.received.count
      let due = state.waiting.filter { $0.count <= count }
      state.waiting.removeAll { $0.count <= count }
      return due.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  /// The requests so far.
  package var received: [ReceivedPush] { state.withLock { $0.received } }

  /// How many connections were made to it.
  package var connections: Int { state.withLock { $0.connections } }

  /// Waits until this many requests have arrived in total.
  package func hasReceived(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard state.received.count < count else { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Stops accepting connections.
  package func listenNoMore() async throws {
    guard listener.isActive else { return }
    try await listener.close()
  }

  /// Stops the service and closes its connections.
  package func stop() async throws {
    try await listenNoMore()
    try await threads.shutdownGracefully()
  }
}

extension LocalPushService.Speech {
  fileprivate func security() throws -> NIOSSLContext? {
    let (certificate, protocols): (TestCertificate, [String])
    switch self {
    case .plain, .mute: return nil
    case .secure(let own): (certificate, protocols) = (own, ["h2", "http/1.1"])
    case .secureHTTP1(let own): (certificate, protocols) = (own, ["http/1.1"])
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: [
        .certificate(try NIOSSLCertificate(bytes: certificate.certificate, format: .der))
      ],
      privateKey: .privateKey(try NIOSSLPrivateKey(bytes: certificate.key, format: .pem)))
    configuration.applicationProtocols = protocols
    return try NIOSSLContext(configuration: configuration)
  }
}
