import Foundation
import MatineeClient
import PushTransports
import Vocabulary
import WebAddresses

/// One person's credential at one server, in this user's files.
struct OwnCredential: Sendable {
  private let store: CredentialStore
  private let server: String
  private let user: UserID

  /// - Throws: if there is no place for credentials.
  init(at endpoint: Endpoint, of user: UserID) throws(KeyFileError) {
    store = try CredentialStore(environment: ProcessInfo.processInfo.environment)
    server = "\(endpoint.withOneLoopback)"
    self.user = user
  }

  /// The credential, or `nil` where there is no place for credentials, and so none.
  static func known(at endpoint: Endpoint, of user: UserID) -> OwnCredential? {
    do throws(KeyFileError) {
      return try OwnCredential(at: endpoint, of: user)
    } catch {
      return nil
    }
  }

  /// The stored one; `nil` if the server does not know this device, as far as the files say.
  func stored() throws(KeyFileError) -> String? {
    try store.credential(for: server, of: user.text)
  }

  /// The stored one, or a new one, which is stored until the server refuses it.
  ///
  /// It is stored before the server sees it, so that a crash in between does not lose the name.
  func establish() throws(KeyFileError) -> Established {
    if let stored = try stored() { return Established(text: stored, isNew: false) }
    return Established(text: try store.establish(for: server, of: user.text), isNew: true)
  }

  /// A credential for a first visit.
  struct Established {
    let text: String
    /// Whether no server can know it yet.
    let isNew: Bool
  }

  /// Removes a new one that the server refused.
  func forget() throws(KeyFileError) { try store.forget(for: server, of: user.text) }

  /// Stores one that the server took, unless it is stored.
  ///
  /// Another program of this person may have been refused with it, and removed it.
  func keep(_ credential: String) throws(KeyFileError) {
    if try stored() == nil { try replace(by: credential) }
  }

  /// Stores another one, which the server has let in.
  func replace(by credential: String) throws(KeyFileError) {
    try store.replace(credential, for: server, of: user.text)
  }
}

extension Endpoint {
  /// The address under which a server's credentials are stored.
  ///
  /// `localhost` and `::1` are `127.0.0.1`, so that they are one server. Other addresses of the
  /// loopback network may be other servers.
  var withOneLoopback: Endpoint {
    let isLocal = host == "localhost" || IPv6Address(host) == IPv6Address("::1")
    return isLocal ? Endpoint(host: "127.0.0.1", port: port) : self
  }
}

extension Identity {
  /// A person at a terminal.
  ///
  /// Each start is a device of its own, because one person can join from several terminals.
  ///
  /// - Parameters:
  ///   - name: the name that others see; it also says who the person is, unless a token does.
  ///   - user: the person, if a token names them.
  init(atTerminal name: String, user: UserID? = nil) {
    // Where access is open, devices of all people share one space of names.
    let device = "terminal-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    self.init(user: user ?? UserID(name), device: DeviceID(device), name: name)
  }
}
