import WebAddresses

/// What Web Push needs to know.
package struct WebPushConfiguration: Sendable {
  /// The server's key; browsers subscribe with its public half (`applicationServerKey`), and
  /// another key cannot push to them.
  package var key: SigningKey
  /// Where push services reach whoever runs the server.
  package let subject: String
  /// Where pushes may go.
  package var endpoints = PushEndpointGuard()
  /// How pushes travel.
  package var connections = PushConnectionSettings()
  /// When a push is tried again.
  package var retrying = RetryPolicy()

  /// The usual configuration.
  ///
  /// - Parameter subject: `mailto:` with an address, or a URL that begins with `https:` (RFC 8292,
  ///   2.1).
  /// - Throws: ``PushConfigurationError/subject(_:)`` if it is neither.
  package init(key: SigningKey, subject: String) throws(PushConfigurationError) {
    let isMail = subject.hasPrefix("mailto:") && subject.contains("@")
    let isPlain = subject.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && subject.utf8.count <= 256
    guard isPlain, isMail || WebAddress(subject)?.scheme == "https" else { throw .subject(subject) }
    self.key = key
    self.subject = subject
  }
}
