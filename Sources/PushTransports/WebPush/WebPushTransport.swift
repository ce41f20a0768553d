import EventLoops
package import Vocabulary
import WebAddresses

/// Pushes to browsers through the push services that they name.
///
/// A success means that the push service has accepted the message.
package final class WebPushTransport: PushTransport {
  private let requests: WebPushRequests
  private let tokens: Locked<VAPIDTokens>
  private let attempts: PushAttempts
  private let connections: PushConnections

  /// Makes a transport without connections.
  ///
  /// Call ``stop()`` before releasing it.
  ///
  /// - Parameters:
  ///   - seed: the seed of the back-off's jitter.
  ///   - now: returns the group's common time.
  package init(
    _ configuration: WebPushConfiguration, seed: UInt64, now: @escaping @Sendable () -> Instant
  ) throws(PushConfigurationError) {
    let endpoints = configuration.endpoints
    requests = WebPushRequests(endpoints)
    tokens = Locked(VAPIDTokens(key: configuration.key, subject: configuration.subject))
    attempts = PushAttempts(policy: configuration.retrying, seed: seed, now: now)
    connections = try PushConnections(
      configuration.connections, admits: { endpoints.admits(address: $0) })
  }

  /// The origin of the endpoint.
  package func service(for address: PushAddress) -> String? {
    guard case .webPush(let subscription) = address else { return nil }
    return WebAddress(subscription.endpoint)?.origin ?? ""
  }

  package func send(_ message: PushMessage) async -> PushOutcome {
    guard case .webPush(let subscription) = message.address else { return .refused(.noTransport) }
    return await attempts.attempt(message) { now in
      let request: PushRequest
      do throws(PushRefusal) {
        request = try requests.request(for: message, to: subscription, at: now) { origin in
          try tokens.withLock { tokens in
            Result { try tokens.authorization(for: origin, at: now) }
          }.get()
        }
      } catch {
        return .refused(error)
      }
      do throws(PushTrouble) {
        return WebPushRequests.verdict(on: try await connections.post(request), at: now)
      } catch {
        return .trouble(error, asked: nil)
      }
    }
  }

  package func stop() async { await connections.stop() }
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
  /// Settings of the connections.
  package var connections = PushConnectionSettings()
  /// When a push is retried.
  package var retrying = RetryPolicy()

  /// The default configuration.
  ///
  /// - Parameter subject: a `mailto:` or `https:` URL (RFC 8292, 2.1).
  /// - Throws: ``PushConfigurationError/subject(_:)`` if it is neither.
  package init(key: SigningKey, subject: String) throws(PushConfigurationError) {
    let isMail = subject.hasPrefix("mailto:") && subject.contains("@")
    let isPlain = subject.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && subject.utf8.count <= 256
    guard isPlain, isMail || WebAddress(subject)?.scheme == "https" else { throw .subject(subject) }
    self.key = key
    self.subject = subject
  }
}
