import EventLoops
package import Vocabulary
import WebAddresses

/// Pushes to browsers, through the push services that they name.
///
/// An answer of success means that the push service has taken the message.
package final class WebPushTransport: PushTransport {
  private let requests: WebPushRequests
  private let tokens: Locked<VAPIDTokens>
  private let attempts: PushAttempts
  private let connections: PushConnections

  /// A transport without connections; ``stop()`` is due before it goes.
  ///
  /// - Parameters:
  ///   - seed: for the jitter of its back-off.
  ///   - now: the group's common time.
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

  /// Makes one attempt.
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

  /// Closes its connections.
  package func stop() async { await connections.stop() }
}

/// What Web Push needs to know.
package struct WebPushConfiguration: Sendable {
  /// The server's key; browsers subscribe with its public half (`applicationServerKey`), and
  /// another key cannot push to them.
  package var key: SigningKey
  /// Where push services reach whoever runs the server.
  package let subject: String
  /// Where pushes may go.
  package var endpoints = PushEndpointGuard()
  /// How pushes travel.
  package var connections = PushConnectionSettings()
  /// When a push is tried again.
  package var retrying = RetryPolicy()

  /// The usual configuration.
  ///
  /// - Parameter subject: `mailto:` with an address, or a URL that begins with `https:` (RFC 8292,
  ///   2.1).
  /// - Throws: ``PushConfigurationError/subject(_:)`` if it is neither.
  package init(key: SigningKey, subject: String) throws(PushConfigurationError) {
    let isMail = subject.hasPrefix("mailto:") && subject.contains("@")
    let isPlain = subject.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && subject.utf8.count <= 256
    guard isPlain, isMail || WebAddress(subject)?.scheme == "https" else { throw .subject(subject) }
    self.key = key
    self.subject = subject
  }
}
