import AsyncHTTPClient
import EventLoops
import Glibc
import NIOCore
import NIOHTTP1
import NIOSSL
import Vocabulary

/// The connection pool of one transport.
///
/// Connections run on SwiftNIO's process-wide threads, one per core and idle without connections. A
/// private thread pool could be gone when the client still needs it after its shutdown. Call
/// ``stop()`` before releasing a pool.
final class PushConnections: Sendable {
  /// How much of an answer's body is read; a reason has about 50 bytes of JSON.
  private static let longestBody = 4_096

  private let client: HTTPClient
  private let deadline: TimeAmount
  private let isStopped = Locked(false)

  /// Makes a pool without connections.
  ///
  /// - Parameters:
  ///   - needsHTTP2: whether older versions of HTTP are rejected.
  ///   - admits: whether a connection to this address may be used.
  init(
    _ settings: PushConnectionSettings, needsHTTP2: Bool = false,
    admits: @escaping @Sendable (_ address: String) -> Bool
  ) throws(PushConfigurationError) {
    deadline = .microseconds(settings.deadline.microseconds)
    var security = TLSConfiguration.makeClientConfiguration()
    security.minimumTLSVersion = .tlsv12
    if let path = settings.authorities {
      do {
        security.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path))
      } catch { throw .certificates(path: path) }
    }
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: security, redirectConfiguration: .disallow,
      // Longer than the deadline, which includes connecting and therefore applies first.
      timeout: .init(connect: deadline * 2))
    configuration.dnsOverride = settings.addresses
    // The caller decides when to retry.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.idleTimeout = .microseconds(settings.idle.microseconds)
    let admit = { @Sendable (channel: any Channel) -> EventLoopFuture<Void> in
      let isGood = channel.remoteAddress?.ipAddress.map(admits) == true
      return isGood ? Self.prepare(channel, settings.deadline) : Self.dismiss(channel)
    }
    configuration.http1_1ConnectionDebugInitializer = needsHTTP2 ? Self.dismiss : admit
    configuration.http2ConnectionDebugInitializer = admit
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// Makes the system end a connection on which nothing arrives any more.
  ///
  /// Many pushes share one connection. If a firewall on the way has forgotten it, all of them would
  /// be lost until the system stops retransmitting, after a quarter of an hour.
  private static func prepare(
    _ channel: any Channel, _ deadline: Duration
  ) -> EventLoopFuture<Void> {
    channel.setOption(
      .tcpOption(NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)),
      value: Int(deadline.microseconds / 1_000))
  }

  /// Closes a connection before its first request.
  ///
  /// The endpoint was checked before its name was resolved, and the name may resolve to another
  /// address by then.
  @Sendable private static func dismiss(_ channel: any Channel) -> EventLoopFuture<Void> {
    // The pool must receive the failure before it sees the connection close.
    channel.eventLoop.execute { channel.close(promise: nil) }
    return channel.eventLoop.makeFailedFuture(PushTrouble.unreachable("the address is not allowed"))
  }

  /// Posts a request and waits for the answer, at most until the deadline.
  func post(_ request: PushRequest) async throws(PushTrouble) -> PushAnswer {
    var message = HTTPClientRequest(url: request.url)
    message.method = .POST
    message.headers = HTTPHeaders(request.fields.map { ($0.name, $0.value) })
    message.body = .bytes(ByteBuffer(bytes: request.body))
    let exchange = Task { [message] in try await self.exchange(message) }
    // The client's own deadline covers only the head of the answer, so a slow body could take
    // forever.
    let timer = client.eventLoopGroup.any().scheduleTask(in: deadline) { exchange.cancel() }
    defer { timer.cancel() }
    do {
      return try await withTaskCancellationHandler {
        try await exchange.value
      } onCancel: {
        exchange.cancel()
      }
    } catch {
      throw exchange.isCancelled ? .timeout : Self.trouble(error)
    }
  }

  private func exchange(_ message: HTTPClientRequest) async throws -> PushAnswer {
    let response = try await client.execute(message, deadline: .distantFuture)
    var body: [UInt8] = []
    do {
      for try await part in response.body {
        body += part.readableBytesView.prefix(Self.longestBody - body.count)
        if body.count >= Self.longestBody { break }
      }
    } catch {
      // The status decides alone; a body that breaks off or times out has no reason.
    }
    return PushAnswer(
      status: Int(response.status.code), retryAfter: response.headers.first(name: "retry-after"),
      body: body)
  }

  private static let timeouts: [HTTPClientError] = [
    .connectTimeout, .tlsHandshakeTimeout, .deadlineExceeded,
  ]

  private static func trouble(_ error: any Error) -> PushTrouble {
    switch error {
    case let trouble as PushTrouble: trouble
    case let error as HTTPClientError where error == .remoteConnectionClosed: .closed
    case let error as HTTPClientError where timeouts.contains(error): .timeout
    default: .unreachable(String("\(error)".prefix(200)))
    }
  }

  /// Ends all requests and connections.
  ///
  /// A second call does nothing.
  func stop() async {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    do {
      try await client.shutdown()
    } catch {
      // Already closed connections are fine, and there is nobody to report to.
    }
  }
}

/// Settings of a transport's connections.
package struct PushConnectionSettings: Equatable, Sendable {
  /// The longest duration of an attempt, including connecting.
  ///
  /// Push services answer in less than a second; ten seconds cover a bad mobile connection to
  /// another continent.
  package var deadline = Duration.seconds(10)
  /// How long an idle connection is kept.
  ///
  /// Apple asks clients to keep connections, and each new one waits for a TLS handshake.
  package var idle = Duration.seconds(600)
  /// A PEM file with the trusted authorities, for a private push service; `nil` means those of the
  /// system.
  package var authorities: String?
  /// Addresses of host names, used in place of the system's resolver.
  package var addresses: [String: String] = [:]

  package init() {}
}
