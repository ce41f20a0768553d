package import PushTransports
package import UserNotifications
package import Vocabulary

/// The push services that a server can ask: those that it was given a key for.
package struct PushServices: Sendable {
  /// Browsers are pushed to with this; `nil` has none pushed to.
  package var webPush: WebPushConfiguration?
  /// Apple's devices are pushed to with this; `nil` has none pushed to.
  package var apns: APNsConfiguration?

  /// None, until some are named.
  package init() {}

  /// The ways there are.
  ///
  /// - Parameter now: the group's time, on any thread.
  package func transports(
    now: @escaping @Sendable () -> Instant
  ) throws(PushConfigurationError) -> [any PushTransport] {
    var transports: [any PushTransport] = []
    if let webPush {
      transports.append(try WebPushTransport(webPush, seed: Self.seed, now: now))
    }
    if let apns { transports.append(try APNsTransport(apns, seed: Self.seed, now: now)) }
    return transports
  }

  private static var seed: UInt64 { .random(in: .min ... .max) }

  /// What is wrong with where a device wants its pushes to go, and what to do; `nil` if nothing is.
  package func flaw(of endpoint: PushEndpoint) -> String? {
    let address: PushAddress
    do throws(PushEndpointFlaw) { address = try PushAddress(endpoint) } catch {
      return error.description
    }
    switch address {
    case .webPush(let subscription):
      guard let webPush else { return "this server has no key for Web Push" }
      return webPush.endpoints.fault(of: subscription.endpoint).map {
        "pushes must not go to this endpoint (\($0.rawValue))"
      }
    case .apns: return apns == nil ? "this server has no key for APNs" : nil
    }
  }
}
