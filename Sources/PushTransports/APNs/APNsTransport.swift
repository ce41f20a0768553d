import EventLoops
package import Vocabulary

/// Pushes to Apple devices over APNs's provider API: HTTP/2 with a token signed by ES256.
///
/// Tested only against the tests' own servers, never against Apple's.
package final class APNsTransport: PushTransport {
  private let requests: APNsRequests
  private let token: Locked<ProviderToken>
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
    _ configuration: APNsConfiguration, seed: UInt64, now: @escaping @Sendable () -> Instant
  ) throws(PushConfigurationError) {
    requests = APNsRequests(configuration)
    token = Locked(ProviderToken(configuration))
    attempts = PushAttempts(policy: configuration.retrying, seed: seed, now: now)
    // The address comes from the configuration, not from a client, so every address is admitted.
    connections = try PushConnections(
      configuration.connections, needsHTTP2: true, admits: { _ in true })
  }

  /// Apple's server for the device.
  package func service(for address: PushAddress) -> String? {
    guard case .apns(let device) = address else { return nil }
    return requests.service(for: device)
  }

  /// Makes one attempt, and a second one if the token was refused as too old.
  package func send(_ message: PushMessage) async -> PushOutcome {
    guard case .apns(let device) = message.address else { return .refused(.noTransport) }
    return await attempts.attempt(message) { now in
      do throws(PushRefusal) {
        let used = try token(at: now) { try $0.current(at: now) }
        let verdict = try await post(message, to: device, token: used, at: now)
        guard case .staleToken = verdict,
          let renewed = try self.token(at: now, { try $0.renewed(after: used, at: now) })
        else { return verdict }
        return try await post(message, to: device, token: renewed, at: now)
      } catch {
        return .refused(error)
      }
    }
  }

  private func token<Text: Sendable>(
    at now: Instant, _ make: (inout ProviderToken) throws -> Text
  ) throws(PushRefusal) -> Text {
    let made = token.withLock { token in Result { try make(&token) } }
    do { return try made.get() } catch { throw .cryptography("\(error)") }
  }

  private func post(
    _ message: PushMessage, to device: APNsDevice, token: String, at now: Instant
  ) async throws(PushRefusal) -> PushVerdict {
    let request = try requests.request(for: message, to: device, token: token)
    do throws(PushTrouble) {
      return APNsRequests.verdict(on: try await connections.post(request), at: now)
    } catch {
      return .trouble(error, asked: nil)
    }
  }

  package func stop() async { await connections.stop() }
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
  /// Settings of the connections.
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
}
