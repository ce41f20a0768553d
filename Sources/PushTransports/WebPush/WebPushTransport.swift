import EventLoops
import Vocabulary
import WebAddresses

/// Pushes to browsers through the push services that they name.
///
/// A success means that the push service has accepted the message.
final class WebPushTransport: PushTransport {
  private let requests: WebPushRequests
  private let clocks: PushClocks
  private let connections: PushConnections
  private var tokens: VAPIDTokens
  private var attempts: PushAttempts

  /// Makes a transport without connections.
  ///
  /// Call ``stop()`` before releasing it.
  init(
    _ configuration: WebPushConfiguration, seed: UInt64, clocks: PushClocks, on loop: EventLoop
  ) {
    let endpoints = configuration.endpoints
    requests = WebPushRequests(endpoints)
    tokens = VAPIDTokens(key: configuration.key, subject: configuration.subject)
    attempts = PushAttempts(policy: configuration.retrying, seed: seed, clocks: clocks)
    self.clocks = clocks
    connections = PushConnections(
      configuration.connections, on: loop, allowsPlain: endpoints.allowsPlainLoopback,
      admits: { endpoints.admits(address: $0, for: $1) })
  }

  func send(_ message: PushMessage, _ completion: @escaping (PushOutcome) -> Void) {
    guard case .webPush(let subscription) = message.address else {
      return completion(.refused(.noTransport))
    }
    let start: PushTime
    let request: PushRequest
    do throws(PushRefusal) {
      start = try attempts.start(message)
      request = try requests.request(for: message, to: subscription, at: start.group) { origin in
        try tokens.authorization(for: origin, at: start.wall)
      }
    } catch {
      return completion(.refused(error))
    }
    connections.post(request) { [self] result in
      let verdict: PushVerdict =
        switch result {
        case .success(let answer): WebPushRequests.verdict(on: answer, at: clocks.read().wall)
        case .failure(let trouble): .trouble(trouble, asked: nil)
        }
      completion(attempts.outcome(of: verdict, for: message, since: start))
    }
  }

  func stop() { connections.stop() }
}

/// The configuration of Web Push.
package struct WebPushConfiguration: Sendable {
  /// The server's key.
  ///
  /// Browsers subscribe with its public half (`applicationServerKey`), and no other key can push to
  /// them.
  package var key: SigningKey
  /// How push services can contact the operator.
  package let subject: String
  /// Which endpoints are allowed.
  package var endpoints = PushEndpointGuard()
  package var connections = PushConnectionSettings()
  /// When a push is retried.
  package var retrying = RetryPolicy()

  /// The default configuration.
  ///
  /// - Parameters:
  ///   - key: the key that signs requests.
  ///   - subject: a `mailto:` or `https:` URL (RFC 8292, 2.1).
  /// - Throws: ``PushConfigurationError/subject(_:)`` if it is neither.
  package init(key: SigningKey, subject: String) throws(PushConfigurationError) {
    let isMail = subject.hasPrefix("mailto:") && subject.contains("@")
    let isPlain = subject.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && subject.utf8.count <= 256
    guard isPlain, isMail || WebAddress(subject)?.scheme == "https" else { throw .subject(subject) }
    self.key = key
    self.subject = subject
  }

  /// The way to browsers.
  ///
  /// - Parameters:
  ///   - seed: the seed of the back-off's jitter.
  ///   - clocks: what the time is.
  /// - Throws: ``PushConfigurationError/certificates(path:)`` if there are none.
  package func route(
    seed: UInt64, clocks: PushClocks
  ) throws(PushConfigurationError) -> PushRoute {
    try connections.check()
    return PushRoute(
      service: { address in
        guard case .webPush(let subscription) = address else { return nil }
        // Each origin is a service of its own.
        return WebAddress(subscription.endpoint)?.origin ?? ""
      },
      open: { loop in WebPushTransport(self, seed: seed, clocks: clocks, on: loop) })
  }
}
