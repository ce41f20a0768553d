/// One app on one device of Apple's, as APNs knows it.
package struct APNsDevice: Hashable, Sendable {
  /// What the device was given by APNs, in hexadecimal digits of lower case.
  package let token: String
  /// The app's bundle id, with a suffix for some kinds of push.
  package let topic: String
  /// Whether the app was built for development, whose devices APNs keeps apart.
  package let isSandbox: Bool

  /// The longest token in bytes; Apple promises no length, and today's have 32.
  private static let longestToken = 100
  /// The longest bundle id, as Apple has it.
  private static let longestTopic = 255

  /// A device; both texts end up in a request's head and so are looked at closely.
  package init(token: String, topic: String, isSandbox: Bool = false) throws(APNsDeviceFlaw) {
    let digits = token.utf8
    guard !digits.isEmpty, digits.count <= 2 * Self.longestToken, digits.count.isMultiple(of: 2),
      token.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { throw .token }
    let isName = topic.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isName, !topic.isEmpty, topic.utf8.count <= Self.longestTopic else { throw .topic }
    self.token = token.lowercased()
    self.topic = topic
    self.isSandbox = isSandbox
  }
}

/// What is wrong with a device's token or topic.
package enum APNsDeviceFlaw: String, Error, Equatable, Sendable {
  /// The token is not an even number of hexadecimal digits, 2 to 200.
  case token
  /// The topic is no bundle id: 1 to 255 letters, digits, hyphens and full stops.
  case topic
}
