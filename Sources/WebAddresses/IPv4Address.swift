/// An IPv4 address in its one undisputed form: four decimal numbers, no zero before a digit.
package struct IPv4Address: Equatable, Sendable {
  /// Four of them.
  package var bytes: [UInt8]

  /// Reads `1.2.3.4`.
  ///
  /// - Returns: `nil` for any other way of writing one, of which readers make different addresses.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    bytes = parts.compactMap { $0.count > 1 && $0.first == "0" ? nil : UInt8($0) }
    guard parts.count == 4, bytes.count == 4, !text.contains("+") else { return nil }
  }

  /// Whether it is this machine.
  package var isLoopback: Bool { bytes[0] == 127 }

  /// Whether it is this machine, one nearby (RFC 1122, 1918, 3927, 6598), or none that the internet
  /// has: for tests and examples (RFC 2544, 5737), groups, what is reserved (RFC 6890).
  package var isPrivate: Bool {
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0, _, _), (10, _, _), (100, 64...127, _), (127, _, _), (169, 254, _), (172, 16...31, _),
      (192, 168, _):
      true
    case (192, 0, 0), (192, 0, 2), (198, 18...19, _), (198, 51, 100), (203, 0, 113), (224..., _, _):
      true
    default: false
    }
  }
}
