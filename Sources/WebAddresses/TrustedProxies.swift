/// The reverse proxies that are believed when they say for whom they pass on a request.
///
/// Each proxy appends to `X-Forwarded-For` the address that it was connected from, so what stands
/// before the last address that is no trusted proxy's may be invented, and is not read.
package struct TrustedProxies: Equatable, Sendable {
  private let networks: [IPNetwork]

  package init(_ networks: [IPNetwork] = []) {
    self.networks = networks
  }

  package var isEmpty: Bool { networks.isEmpty }

  /// Whether a connection from this address is a trusted proxy's.
  package func includes(_ host: String) -> Bool {
    !isEmpty && IPAddress(host).map(includes) == true
  }

  private func includes(_ address: IPAddress) -> Bool {
    networks.contains { $0.contains(address) }
  }

  /// The address of the client whose request a proxy passes on.
  ///
  /// - Parameters:
  ///   - proxy: the proxy's own address, which stays if the header does not say another one: it is
  ///     missing or malformed, or it names an address of the proxy's own machine.
  ///   - forwarded: the elements of `X-Forwarded-For`.
  package func client(behind proxy: String, forwardedFor forwarded: [String]) -> String {
    var client = proxy
    for element in forwarded.reversed() {
      guard let address = Self.address(in: element) else { return proxy }
      client = address.isLoopback ? proxy : address.text
      guard includes(address) else { break }
    }
    return client
  }

  /// Reads an element, which some proxies write with a port, and then an IPv6 address in brackets.
  private static func address(in element: String) -> IPAddress? {
    if element.hasPrefix("[") { return IPAddress(element.dropFirst().prefix { $0 != "]" }) }
    let hasPort = element.contains(".") && element.count(where: { $0 == ":" }) == 1
    return IPAddress(hasPort ? element.prefix { $0 != ":" } : element[...])
  }
}
