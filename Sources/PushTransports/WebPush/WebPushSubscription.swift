import Crypto
import Vocabulary
import WebAddresses

/// What a browser hands out so that it can be pushed to (`PushSubscription`).
package struct WebPushSubscription: Hashable, Sendable {
  /// The URL that a push is posted to; where it leads is judged when it is used.
  package let endpoint: String
  /// The browser's public key, `p256dh`: 65 bytes, a point of the curve P-256.
  let publicKey: [UInt8]
  /// The secret that only the browser and this server know, `auth`: 16 bytes.
  let authentication: [UInt8]

  /// A subscription, its keys in Base64URL as the browser's `toJSON()` writes them.
  package init(
    endpoint: String, p256dh: String, auth: String
  ) throws(WebPushSubscriptionFlaw) {
    guard let publicKey = Base64URL.bytes(of: p256dh), publicKey.count == 65 else {
      throw .publicKey
    }
    guard let authentication = Base64URL.bytes(of: auth), authentication.count == 16 else {
      throw .authentication
    }
    // A point beside the curve would give away the key of whoever multiplies with it.
    do { _ = try P256.KeyAgreement.PublicKey(x963Representation: publicKey) } catch {
      throw .publicKey
    }
    self.endpoint = endpoint
    self.publicKey = publicKey
    self.authentication = authentication
  }
}

/// What is wrong with the keys of a subscription.
package enum WebPushSubscriptionFlaw: String, Error, Equatable, Sendable {
  /// `p256dh` is not the Base64URL of 65 bytes that are a point of the curve P-256.
  case publicKey
  /// `auth` is not the Base64URL of 16 bytes.
  case authentication
}

/// Where pushes may go.
///
/// Endpoints come from clients, so one may be meant to make the server knock at doors in its own
/// network, or speak to services that trust it (CWE-918).
package struct PushEndpointGuard: Equatable, Sendable {
  /// Lets endpoints in the server's own network through: for a push service of one's own.
  package var allowsPrivateHosts = false
  /// Lets `http` through to the server's own machine: for development.
  package var allowsPlainLoopback = false
  /// The only hosts that are let through, with those below them; none means any.
  package var hosts: Set<String> = []
  /// In bytes; what browsers and servers have in common.
  package var longest = 2_048

  /// The usual guard: `https`, elsewhere, to anybody.
  package init() {}

  /// What is wrong with an endpoint; `nil` if nothing is.
  package func fault(of endpoint: String) -> PushEndpointFault? {
    guard endpoint.utf8.count <= longest else { return .tooLong }
    guard let address = WebAddress(endpoint) else { return .malformed }
    guard !address.host.isEmpty else { return .noHost }
    guard !address.hasUserInformation else { return .userInformation }
    if !hosts.isEmpty, !address.isBelow(hosts) { return .unknownHost }
    let isPlainLoopback = address.scheme == "http" && address.isLoopback
    if isPlainLoopback, allowsPlainLoopback { return nil }
    guard address.scheme == "https" else { return .scheme }
    return allowsPrivateHosts || !address.isNearby ? nil : .privateHost
  }

  /// Whether a connection may be used that led to this address, whatever its name promised.
  func admits(address text: String) -> Bool {
    if allowsPrivateHosts { return true }
    if let address = IPv4Address(text) {
      return !address.isPrivate || allowsPlainLoopback && address.isLoopback
    }
    // One with a zone is of this network, and no address here.
    guard let address = IPv6Address(text) else { return false }
    return !address.isPrivate || allowsPlainLoopback && address.isLoopback
  }
}

/// What is wrong with an endpoint.
package enum PushEndpointFault: String, Hashable, Sendable, CaseIterable {
  case tooLong
  /// It is no URL, or one that can be read in two ways.
  case malformed
  case noHost
  /// It has a name or a password in it.
  case userInformation
  /// The configuration names the hosts that pushes go to, and this is none of them.
  case unknownHost
  /// It is not `https`.
  case scheme
  /// It leads into the server's own network.
  case privateHost
}
