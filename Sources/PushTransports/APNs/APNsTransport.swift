import EventLoops
import Vocabulary

/// Pushes to Apple devices over APNs's provider API: HTTP/2 with a token signed by ES256.
///
/// Tested only against the tests' own servers, never against Apple's.
final class APNsTransport: PushTransport {
  private let requests: APNsRequests
  private let clocks: PushClocks
  private let connections: PushConnections
  private var token: ProviderToken
  private var attempts: PushAttempts

  /// Makes a transport without connections.
  ///
  /// Call ``stop()`` before releasing it.
  init(_ configuration: APNsConfiguration, seed: UInt64, clocks: PushClocks, on loop: EventLoop) {
    requests = APNsRequests(configuration)
    token = ProviderToken(configuration)
    attempts = PushAttempts(policy: configuration.retrying, seed: seed, clocks: clocks)
    self.clocks = clocks
    // The address comes from the configuration, not from a client, so every address is admitted.
    connections = PushConnections(
      configuration.connections, on: loop, needsHTTP2: true, admits: { _, _ in true })
  }

  /// Makes one attempt, and a second one if the token was refused as too old.
  func send(_ message: PushMessage, _ completion: @escaping (PushOutcome) -> Void) {
    guard case .apns(let device) = message.address else {
      return completion(.refused(.noTransport))
    }
    do throws(PushRefusal) {
      let now = try attempts.start(message)
      let used = try text { token throws in try token.current(at: now.wall) }
      try post(message, to: device, token: used, at: now) { [self] verdict in
        guard case .staleToken = verdict else {
          return completion(attempts.outcome(of: verdict, for: message, since: now))
        }
        sendAgain(message, to: device, after: verdict, of: used, completion)
      }
    } catch {
      completion(.refused(error))
    }
  }

  /// Makes the second attempt, after a token was refused as too old.
  private func sendAgain(
    _ message: PushMessage, to device: APNsDevice, after verdict: PushVerdict, of used: String,
    _ completion: @escaping (PushOutcome) -> Void
  ) {
    let now = clocks.read()
    do throws(PushRefusal) {
      guard let renewed = try text({ token throws in try token.renewed(after: used, at: now) })
      else { return completion(attempts.outcome(of: verdict, for: message, since: now)) }
      try post(message, to: device, token: renewed, at: now) { [self] verdict in
        completion(attempts.outcome(of: verdict, for: message, since: now))
      }
    } catch {
      completion(.refused(error))
    }
  }

  private func text<Text>(
    _ make: (inout ProviderToken) throws -> Text
  ) throws(PushRefusal) -> Text {
    do { return try make(&token) } catch { throw .cryptography("\(error)") }
  }

  private func post(
    _ message: PushMessage, to device: APNsDevice, token: String, at now: PushTime,
    _ completion: @escaping (PushVerdict) -> Void
  ) throws(PushRefusal) {
    let request = try requests.request(for: message, to: device, token: token, at: now)
    connections.post(request) { [clocks] result in
      switch result {
      case .success(let answer):
        completion(APNsRequests.verdict(on: answer, at: clocks.read().wall))
      case .failure(let trouble): completion(.trouble(trouble, asked: nil))
      }
    }
  }

  func stop() { connections.stop() }
}

/// The configuration of APNs.
package struct APNsConfiguration: Sendable {
  /// The key from Apple's `.p8` file.
  package var key: SigningKey
  /// The key's id: ten letters and digits.
  package let keyID: String
  /// The id of the developer team: ten letters and digits.
  package let teamID: String
  /// The server for devices of the App Store, without a trailing slash.
  package var production = "https://api.push.apple.com"
  /// The server for development devices.
  package var sandbox = "https://api.sandbox.push.apple.com"
  package var connections = PushConnectionSettings()
  /// When a push is retried.
  package var retrying = RetryPolicy()

  /// The default configuration.
  ///
  /// - Throws: ``PushConfigurationError/appleID(_:)`` if an id has not the form of Apple's ids.
  package init(key: SigningKey, keyID: String, teamID: String) throws(PushConfigurationError) {
    for id in [keyID, teamID] {
      guard id.utf8.count == 10, id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
      else { throw .appleID(id) }
    }
    self.key = key
    self.keyID = keyID
    self.teamID = teamID
  }

  /// The way to Apple's devices.
  ///
  /// - Parameters:
  ///   - seed: the seed of the back-off's jitter.
  ///   - clocks: what the time is.
  /// - Throws: ``PushConfigurationError/certificates(path:)`` if there are none.
  package func route(
    seed: UInt64, clocks: PushClocks
  ) throws(PushConfigurationError) -> PushRoute {
    try connections.check()
    let requests = APNsRequests(self)
    return PushRoute(
      service: { address in
        guard case .apns(let device) = address else { return nil }
        return requests.service(for: device)
      },
      open: { loop in APNsTransport(self, seed: seed, clocks: clocks, on: loop) })
  }
}
