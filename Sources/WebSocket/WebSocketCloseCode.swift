/// Why a side closes (RFC 6455, 7.4).
package struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static let normal = Self(rawValue: 1000)
  /// The server stops, or the page is left.
  package static let goingAway = Self(rawValue: 1001)
  package static let protocolError = Self(rawValue: 1002)
  /// A message of a kind that is not taken, such as a binary one.
  package static let unsupportedData = Self(rawValue: 1003)
  /// The close had no code; never sent.
  package static let none = Self(rawValue: 1005)
  package static let policyViolation = Self(rawValue: 1008)

  /// Whether a close may be sent with it (RFC 6455, 7.4.1 and 7.4.2).
  var maySend: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
