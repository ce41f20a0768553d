import Cryptography
import Vocabulary
import WebAddresses

/// A browser's push subscription (`PushSubscription`).
package struct WebPushSubscription: Hashable, Sendable {
  /// The URL to which pushes are posted; it is checked each time it is used.
  package let endpoint: String
  /// The browser's public key, `p256dh`: 65 bytes, a point on the curve P-256.
  let publicKey: [UInt8]
  /// The secret shared by the browser and this server, `auth`: 16 bytes.
  let authentication: [UInt8]

  /// Decodes a subscription; the keys are in Base64URL, as the browser's `toJSON()` writes them.
  package init(
    endpoint: String, p256dh: String, auth: String
  ) throws(WebPushSubscriptionFlaw) {
    guard let publicKey = Base64URL.bytes(of: p256dh), publicKey.count == 65 else {
      throw .publicKey
    }
    guard let authentication = Base64URL.bytes(of: auth), authentication.count == 16 else {
      throw .authentication
    }
    // A point that is not on the curve would reveal the private key it is multiplied with.
    do throws(KeyFault) { _ = try PublicKey(p256Point: publicKey) } catch {
      throw .publicKey
    }
    self.endpoint = endpoint
    self.publicKey = publicKey
    self.authentication = authentication
  }
}

/// What is wrong with the keys of a subscription.
package enum WebPushSubscriptionFlaw: String, Error, Equatable, Sendable {
  /// `p256dh` is not the Base64URL of 65 bytes that are a point on the curve P-256.
  case publicKey
  /// `auth` is not the Base64URL of 16 bytes.
  case authentication
}

/// Decides which endpoints pushes may be sent to.
///
/// Endpoints come from clients. Without this check, a client could make the server send requests
/// into its own network, or to services that trust it (CWE-918).
package struct PushEndpointGuard: Equatable, Sendable {
  /// Allows endpoints in the server's own network, for a private push service.
  package var allowsPrivateHosts = false
  /// Allows `http` to the server's own machine, for development.
  package var allowsPlainLoopback = false
  /// The only allowed hosts, including their subdomains; empty allows any.
  package var hosts: Set<String> = []
  /// The longest endpoint in bytes; browsers and servers commonly support this length.
  package var longest = 2_048

  /// The default guard: `https` to any public host.
  package init() {}

  /// What is wrong with an endpoint; `nil` if it is allowed.
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

  /// Whether a connection to this address may be used, independent of the host name.
  func admits(address text: String) -> Bool {
    if allowsPrivateHosts { return true }
    if let address = IPv4Address(text) {
      return !address.isPrivate || allowsPlainLoopback && address.isLoopback
    }
    // An address with a zone is link-local and does not parse here.
    guard let address = IPv6Address(text) else { return false }
    return !address.isPrivate || allowsPlainLoopback && address.isLoopback
  }
}

/// Why an endpoint is not allowed.
package enum PushEndpointFault: String, Hashable, Sendable, CaseIterable {
  case tooLong
  /// It is not a URL, or can be read in two ways.
  case malformed
  case noHost
  /// It contains a user name or a password.
  case userInformation
  /// The configuration lists the allowed hosts, and this is none of them.
  case unknownHost
  /// It is not `https`.
  case scheme
  /// It leads into the server's own network.
  case privateHost
}
