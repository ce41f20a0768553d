import WebAddresses

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
