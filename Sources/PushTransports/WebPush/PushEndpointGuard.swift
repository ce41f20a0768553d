import Vocabulary
import WebAddresses

/// Decides which endpoints pushes may be sent to.
///
/// Endpoints come from clients. Without this check, a client could make the server send requests
/// into its own network, or to services that trust it (CWE-918).
package struct PushEndpointGuard: Equatable, Sendable {
  /// The allowed hosts, including their subdomains: at first the push services of browsers.
  package var hosts = PushHost.known
  /// Allows any public host on the usual port.
  package var allowsAnyPublicHost = false
  /// Allows hosts in the server's own network, for a private push service.
  ///
  /// They must be named too: any other host may lead only to public addresses.
  package var allowsPrivateHosts = false
  /// Allows `http` to the server's own machine, for development.
  package var allowsPlainLoopback = false

  /// The default guard: `https` to the push services of browsers.
  package init() {}

  /// What is wrong with an endpoint; `nil` if it is allowed.
  package func fault(of endpoint: String) -> PushEndpointFault? {
    guard endpoint.utf8.count <= Limits.urlBytes else { return .tooLong }
    guard let address = WebAddress(endpoint) else { return .malformed }
    guard !address.host.isEmpty else { return .noHost }
    guard !address.hasUserInformation else { return .userInformation }
    let isPlainLoopback = address.scheme == "http" && address.isLoopback
    if isPlainLoopback, allowsPlainLoopback { return nil }
    guard address.scheme == "https" else { return .scheme }
    guard allowsPrivateHosts || !address.isNearby else { return .privateHost }
    let port = address.port ?? PushHost.usualPort
    let own = hosts(above: address)
    if own.contains(where: { $0.port == port }) { return nil }
    let isPublic = allowsAnyPublicHost && !address.isNearby
    guard isPublic || !own.isEmpty else { return .unknownHost }
    return isPublic && port == PushHost.usualPort ? nil : .port
  }

  /// Whether a connection to this address, to which the host of an endpoint leads, may be made.
  ///
  /// Any name may lead to any address, so a private one is allowed only for the hosts that are
  /// allowed to be private.
  func admits(address text: String, for endpoint: String) -> Bool {
    guard let host = WebAddress(endpoint) else { return false }
    if allowsPrivateHosts, !hosts(above: host).isEmpty { return true }
    let allowsLoopback = allowsPlainLoopback && host.isLoopback
    if let address = IPv4Address(text) {
      return !address.isPrivate || allowsLoopback && address.isLoopback
    }
    // An address with a zone is link-local and does not parse here.
    guard let address = IPv6Address(text) else { return false }
    return !address.isPrivate || allowsLoopback && address.isLoopback
  }

  /// The allowed hosts that an address is at or below.
  private func hosts(above address: WebAddress) -> Set<PushHost> {
    hosts.filter { address.isBelow([$0.name]) }
  }
}

/// A host of a push service, and its port.
package struct PushHost: Hashable, Sendable {
  /// The port of `https`.
  static let usualPort: UInt16 = 443

  /// In lower case; subdomains belong to it.
  let name: String
  let port: UInt16

  /// The push services of browsers: Chrome and others by Google, Firefox by Mozilla, Safari by
  /// Apple, Edge by Microsoft.
  static let known: Set<PushHost> = Set(
    ["fcm.googleapis.com", "push.services.mozilla.com", "push.apple.com", "notify.windows.com"]
      .map { PushHost(name: $0, port: usualPort) })

  private init(name: String, port: UInt16) {
    self.name = name
    self.port = port
  }

  /// Reads a host in lower case, with a port if it is not 443: `push.example.org:8443`.
  package init?(_ text: String) {
    guard let address = WebAddress("https://\(text)"), !address.host.isEmpty,
      address.origin == "https://\(text)"
    else { return nil }
    name = address.host
    port = address.port ?? Self.usualPort
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
  /// It is not `https`.
  case scheme
  /// It leads into the server's own network.
  case privateHost
  /// The host is neither a known push service nor one of the configuration.
  case unknownHost
  /// The host is allowed, but not with this port.
  case port

  /// What to do; `nil` if only another endpoint helps.
  package var advice: String? {
    switch self {
    case .unknownHost: "it is no known push service; the server can allow it with --web-push-host"
    case .port:
      "only port 443 is allowed there; the server can allow another with --web-push-host HOST:PORT"
    default: nil
    }
  }
}
