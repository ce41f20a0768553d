import AsyncHTTPClient
import EventLoops
import Glibc
import NIOCore
import NIOHTTP1
import NIOSSL
import Vocabulary

/// The connections of one transport: a pool, kept for use again.
///
/// They live on the threads that SwiftNIO keeps for the whole process, one for each core and idle
/// without them: whatever a client does after its end then finds its thread. ``stop()`` is due
/// before it goes.
final class PushConnections: Sendable {
  /// What an answer may say: a reason is some 50 bytes of JSON.
  private static let longestBody = 4_096

  private let client: HTTPClient
  private let deadline: TimeAmount
  private let isStopped = Locked(false)

  /// Makes a pool without connections.
  ///
  /// - Parameters:
  ///   - needsHTTP2: whether an older HTTP will not do.
  ///   - admits: whether a connection may be used that led to this address.
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
      // The deadline comes first: connecting is a part of the attempt.
      timeout: .init(connect: deadline * 2))
    configuration.dnsOverride = settings.addresses
    // The caller knows better when to come again.
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

  /// Has the system end a connection on which nothing arrives any more.
  ///
  /// Many pushes go by one connection, which would swallow them all for as long as the system sends
  /// again, a quarter of an hour, if a firewall on the way forgot it.
  private static func prepare(
    _ channel: any Channel, _ deadline: Duration
  ) -> EventLoopFuture<Void> {
    channel.setOption(
      .tcpOption(NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)),
      value: Int(deadline.microseconds / 1_000))
  }

  /// Ends a connection before the first request.
  ///
  /// A name is looked up after the endpoint was judged, and may stand for something else by then.
  @Sendable private static func dismiss(_ channel: any Channel) -> EventLoopFuture<Void> {
    // First the pool has to hear that there is no connection, then that one closed.
    channel.eventLoop.execute { channel.close(promise: nil) }
    return channel.eventLoop.makeFailedFuture(PushTrouble.unreachable("not let through"))
  }

  /// Posts a request and waits for the answer, the deadline at most.
  func post(_ request: PushRequest) async throws(PushTrouble) -> PushAnswer {
    var message = HTTPClientRequest(url: request.url)
    message.method = .POST
    message.headers = HTTPHeaders(request.fields.map { ($0.name, $0.value) })
    message.body = .bytes(ByteBuffer(bytes: request.body))
    let exchange = Task { [message] in try await self.exchange(message) }
    // The client's own deadline ends with the head of the answer, and so lets a body drip for ever.
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
      // The status says what is to be done; a reason that breaks off or comes too late is none.
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
      // What is closed need not be closed; there is nobody to tell.
    }
  }
}

/// How pushes travel.
package struct PushConnectionSettings: Equatable, Sendable {
  /// The longest that one attempt takes, with the connection: push services answer in less than a
  /// second, and ten are a bad mobile link's to the end of the world.
  package var deadline = Duration.seconds(10)
  /// How long a connection is kept that nothing goes by: Apple asks to keep them, and who connects
  /// for each evening's first pushes anew waits for TLS each time.
  package var idle = Duration.seconds(600)
  /// A file in PEM with the authorities to trust, for a push service of one's own; `nil` is the
  /// system's.
  package var authorities: String?
  /// Addresses that names stand for, in place of what the system's resolver says.
  package var addresses: [String: String] = [:]

  /// The usual settings.
  package init() {}
}
