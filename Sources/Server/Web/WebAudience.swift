import WebAddresses

/// An origin of web pages (RFC 6454), such as `https://app.example`.
package struct WebOrigin: Equatable, Sendable {
  /// The whole, in lowercase and without the scheme's own port, as browsers say it.
  package let text: String
  /// With the two slashes.
  private let scheme: String

  /// Reads an origin; `nil` if the text is none, or has a path.
  package init?(_ text: String) {
    let text = text.lowercased()
    for (scheme, port) in [("https://", ":443"), ("http://", ":80")] where text.hasPrefix(scheme) {
      var host = text.dropFirst(scheme.count)
      if host.hasSuffix(port) { host.removeLast(port.count) }
      if host.isEmpty || host.contains(where: { "/?#@ ".contains($0) }) { return nil }
      self.scheme = scheme
      self.text = scheme + host
      return
    }
    return nil
  }

  /// Whether it is reached by a request's host, which may have the scheme's own port.
  func isAt(host: String) -> Bool { WebOrigin(scheme + host) == self }
}

/// Whose pages may connect, and under which names the server is reached.
///
/// A browser lets any page open a WebSocket anywhere, and says only from which origin the page is
/// (RFC 6455, 10.2). A page whose name was made to lead to this machine (DNS rebinding) is of the
/// server's own origin by that name, so an address of this machine is reached by its own names only.
struct WebAudience: Sendable {
  let origins: [WebOrigin]
  /// Whether only this machine reaches the address.
  let isOnlyLocal: Bool

  /// Whether the server is meant by a request's host.
  func includes(host: String?) -> Bool {
    guard isOnlyLocal, let host = host?.lowercased() else { return true }
    return isLoopback(host: Self.name(in: host)) || origins.contains { $0.isAt(host: host) }
  }

  /// Whether a page of this origin may connect; `nil` is no page.
  func includes(origin: String?, host: String?) -> Bool {
    guard let origin else { return true }
    guard let origin = WebOrigin(origin) else { return false }
    return host.map(origin.isAt) == true || origins.contains(origin)
  }

  /// The host without its port and without brackets.
  private static func name(in host: String) -> String {
    if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
    return String(host.prefix { $0 != ":" })
  }
}
