/// Where players that are no page of the server fetch its media by HTTP.
package enum MediaDoor: Hashable, Sendable {
  /// At this origin (RFC 6454, 4), such as `https://watch.example`.
  case origin(String)
  /// At this port of the host at which the client reaches the server, by https or http.
  case port(Int, isEncrypted: Bool)

  /// How the URLs of the server's own media begin.
  package static let root = "/media/"

  /// The URL of an address of the server's media; `nil` unless it leads there by http or https, since a
  /// player opens files of its own machine, too.
  ///
  /// - Parameters:
  ///   - address: what the server answered, a path.
  ///   - host: the host at which the client reaches the server.
  package func url(of address: String, on host: String) -> String? {
    guard address.hasPrefix(Self.root) else { return nil }
    switch self {
    case .origin(let origin):
      let isWeb = ["https://", "http://"].contains { origin.hasPrefix($0) }
      return isWeb ? origin + address : nil
    case .port(let port, let isEncrypted):
      let name = host.contains(":") ? "[\(host)]" : host
      return "\(isEncrypted ? "https" : "http")://\(name):\(port)\(address)"
    }
  }
}
