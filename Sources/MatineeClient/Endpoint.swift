/// The address of a server.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
  /// A host name or a literal address.
  public var host: String
  /// The port; 7878 unless the server is configured otherwise.
  public var port: UInt16

  /// Makes an address.
  public init(host: String, port: UInt16 = 7878) {
    self.host = host
    self.port = port
  }

  /// Parses `host`, `host:port` or `[v6]:port`.
  ///
  /// - Returns: `nil` for an empty host, or a port that is not a number below 65536.
  public init?(_ text: String) {
    var host = text[...]
    var port: UInt16 = 7878
    let isBareAddress = text.count { $0 == ":" } > 1 && !text.hasPrefix("[")
    if !isBareAddress, let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
      guard let number = UInt16(text[text.index(after: colon)...]) else { return nil }
      port = number
      host = text[..<colon]
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty else { return nil }
    self.init(host: String(host), port: port)
  }

  /// The address in the form that a command line takes.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
