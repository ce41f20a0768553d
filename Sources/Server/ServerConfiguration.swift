package import Coordination
package import GroupSessions
package import InAppMessaging
package import Signatures
package import TLS
package import Vocabulary
import WebAddresses

/// The configuration of a server.
package struct ServerConfiguration: Sendable {
  /// An address to listen on.
  package struct Endpoint: Equatable, Sendable, CustomStringConvertible {
    package var host: String
    package var port: UInt16

    /// An address.
    package init(host: String, port: UInt16) {
      self.host = host
      self.port = port
    }

    /// Parses `host:port` or `[v6]:port`.
    ///
    /// - Returns: `nil` if the text has neither form, or the port is no number below 65536.
    package init?(_ text: String) {
      guard let colon = text.lastIndex(of: ":"),
        let port = UInt16(text[text.index(after: colon)...])
      else { return nil }
      var host = text[..<colon]
      if host.hasPrefix("[") && host.hasSuffix("]") {
        host = host.dropFirst().dropLast()
      } else if host.contains(":") {
        return nil
      }
      guard !host.isEmpty else { return nil }
      self.init(host: String(host), port: port)
    }

    /// The address in the form of the command line.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether only this machine reaches the address.
    package var isLoopback: Bool { WebAddresses.isLoopback(host: host) }
  }

  package var endpoints: [Endpoint]
  package var limits: Limits
  /// How people prove who they are.
  package var access: Access = .open
  /// Encryption.
  package var encryption = Encryption()
  /// The dismissal policy of sessions whose initiator chose none.
  package var dismissalPolicy: DismissalPolicy
  /// How in-app messages behave.
  package var messaging: MessagingPolicy
  /// Makes the addresses of media that browsers may fetch; `nil` if there are none.
  package var mediaSigner: MediaSigner?

  /// A configuration.
  package init(
    endpoints: [Endpoint] = [Endpoint(host: "127.0.0.1", port: 7878)], limits: Limits = Limits(),
    access: Access = .open, dismissalPolicy: DismissalPolicy = .endsWithInitiator,
    messaging: MessagingPolicy = MessagingPolicy()
  ) {
    self.endpoints = endpoints
    self.limits = limits
    self.access = access
    self.dismissalPolicy = dismissalPolicy
    self.messaging = messaging
  }
}

/// Whether connections are encrypted.
package struct Encryption: Sendable {
  /// What the server proves itself by; `nil` if it cannot encrypt.
  package var identity: TLSIdentity?
  /// Whether peers on other machines may do without encryption; those on this machine always may.
  package var allowsPlaintext: Bool

  package init(identity: TLSIdentity? = nil, allowsPlaintext: Bool = true) {
    self.identity = identity
    self.allowsPlaintext = allowsPlaintext
  }
}

/// This build's name and version.
package enum MatineeVersion {
  /// The version, according to semver.org.
  package static let number = "0.1.0"
  /// The name and version that the server reports.
  package static let text = "matinee/\(number)"
}
