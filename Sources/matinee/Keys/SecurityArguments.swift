import ArgumentParser
import Foundation
import MatineeClient
import PushTransports
import TLS
import Vocabulary
import WebAddresses

/// How a connection to a server is protected.
struct SecurityArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The certificates of the authorities that vouch for the server, in PEM.", valueName: "file"),
    completion: .file())
  var tlsCa: String?

  @Option(
    help: ArgumentHelp(
      "The SHA-256 of the server's key, as its log and its links have it.",
      valueName: "sha256:…"))
  var tlsFingerprint: String?

  @Flag(help: "Connect without encryption; not needed for a server on this machine.")
  var plaintext = false

  @Flag(help: "Believe a link or fingerprint although the server had another key before.")
  var newServerKey = false

  func validate() throws {
    let given = [tlsCa != nil, tlsFingerprint != nil, plaintext].count { $0 }
    guard given < 2 else {
      throw ValidationError("give one of --tls-ca, --tls-fingerprint and --plaintext")
    }
    if let tlsFingerprint, KeyFingerprint(text: tlsFingerprint) == nil {
      throw ValidationError(
        "--tls-fingerprint takes sha256: and 64 hexadecimal digits, or 43 letters of a link")
    }
  }

  /// Checks that no option contradicts another one that says how a server proves itself.
  func checkNoneGiven(beside option: String) throws(ValidationError) {
    guard tlsCa == nil, tlsFingerprint == nil, !plaintext else {
      throw ValidationError(
        "\(option) says all; leave out --tls-ca, --tls-fingerprint and --plaintext")
    }
  }

  /// What the options say; `nil` if they say nothing.
  private func given() throws(KeyFileError) -> ConnectionSecurity? {
    if plaintext { return .plaintext }
    if let tlsFingerprint, let fingerprint = KeyFingerprint(text: tlsFingerprint) {
      return .fingerprint(fingerprint.base64URL)
    }
    guard let tlsCa else { return nil }
    guard let bytes = FileManager.default.contents(atPath: tlsCa),
      let pem = String(bytes: bytes, encoding: .utf8)
    else {
      throw KeyFileError(tlsCa, "the file cannot be read", "name the authorities' certificates")
    }
    return .authorities(pem: pem)
  }

  /// How the connection to a server is protected: as the options say, else as the link says, else as
  /// the server is known.
  ///
  /// A server that has proved itself keeps its way of doing so: else a forged link could lead this
  /// device, with its credential, to somebody else under the same address.
  ///
  /// - Parameters:
  ///   - endpoint: the server's address.
  ///   - linked: what a link says; `nil` if there is none.
  ///   - store: where this user's servers are remembered, if anywhere.
  /// - Throws: `KeyFileError` if the server is known otherwise.
  func security(
    of endpoint: Endpoint, linked: ConnectionSecurity? = nil,
    in store: ServerStore? = ServerStore.known()
  ) throws(KeyFileError) -> ServerSecurity {
    let said = try given() ?? linked
    guard let known = try store?.security(of: endpoint) else {
      let security = said ?? .automatic
      // On this machine that is no encryption, and proves nothing.
      let isProof = security != .automatic || !isLoopback(host: endpoint.host)
      return ServerSecurity(security, of: endpoint, keepingIn: isProof ? store : nil)
    }
    guard let said, said != known else { return ServerSecurity(known, of: endpoint) }
    switch (known, said) {
    // A link without a fingerprint says nothing against a known key, unless the person believes it.
    case (.fingerprint, .automatic) where !newServerKey: return ServerSecurity(known, of: endpoint)
    case (.automatic, .authorities): return ServerSecurity(said, of: endpoint)
    case (.plaintext, _): break
    default:
      guard newServerKey else {
        throw KeyFileError(
          "\(endpoint)", "this server is known by another key than the one that is named now",
          "ask whoever runs it; if it has a new key, say --new-server-key")
      }
    }
    return ServerSecurity(said, of: endpoint, keepingIn: store)
  }
}

/// How the connection to one server is protected, and where that is remembered.
struct ServerSecurity: Sendable {
  let security: ConnectionSecurity
  private let endpoint: Endpoint
  private let store: ServerStore?

  fileprivate init(
    _ security: ConnectionSecurity, of endpoint: Endpoint, keepingIn store: ServerStore? = nil
  ) {
    self.security = security
    self.endpoint = endpoint
    self.store = store
  }

  /// Remembers the server, now that it has proved itself.
  func remember() throws(KeyFileError) { try store?.remember(security, of: endpoint) }

  /// The same; an error is printed and ends the program.
  func rememberOrComplain() throws(ExitCode) {
    do throws(KeyFileError) {
      try remember()
    } catch {
      throw complaint("\(error)", 66)
    }
  }

  /// The option with which another device connects to the same server, after a space; empty if it
  /// needs none.
  var optionText: String {
    switch security {
    case .fingerprint(let text): " --tls-fingerprint \(text)"
    case .plaintext: isLoopback(host: endpoint.host) ? "" : " --plaintext"
    case .automatic, .authorities: ""
    }
  }
}

extension KeyFingerprint {
  /// Reads `sha256:` with hexadecimal digits, with or without colons, or Base64URL.
  init?(text: String) {
    guard text.hasPrefix("sha256:") else {
      guard let bytes = Base64URL.bytes(of: text) else { return nil }
      self.init(bytes)
      return
    }
    var rest = text.dropFirst("sha256:".count).filter { $0 != ":" }[...]
    guard rest.count == 2 * Self.size else { return nil }
    var bytes: [UInt8] = []
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    self.init(bytes)
  }

  /// The form that links have.
  var base64URL: String { Base64URL.text(of: bytes) }
}
