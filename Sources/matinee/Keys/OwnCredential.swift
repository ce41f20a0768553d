import Foundation
import MatineeClient
import PushTransports
import Vocabulary

/// One person's credential at one server, in this user's files.
struct OwnCredential: Sendable {
  private let store: CredentialStore
  private let server: String
  private let user: UserID

  /// - Throws: if there is no place for credentials.
  init(at endpoint: Endpoint, of user: UserID) throws(KeyFileError) {
    store = try CredentialStore(environment: ProcessInfo.processInfo.environment)
    server = "\(endpoint)"
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

  /// The stored one, or a new one, which is stored.
  func establish() throws(KeyFileError) -> String {
    try store.establish(for: server, of: user.text)
  }

  /// Stores another one, which the server has let in.
  func replace(by credential: String) throws(KeyFileError) {
    try store.replace(credential, for: server, of: user.text)
  }
}

extension UserID {
  /// The person that a name stands for, where nothing but the name says who it is.
  init(named name: String) { self.init(String(name.prefix(32))) }
}

extension Identity {
  /// A person at a terminal.
  ///
  /// Each start is a device of its own, because one person can join from several terminals.
  ///
  /// - Parameters:
  ///   - name: the name that others see.
  ///   - user: the person, if a token names them.
  init(atTerminal name: String, user: UserID? = nil) {
    let device = "\(name.prefix(16))-\(String(UInt32.random(in: .min ... .max), radix: 36))"
    self.init(user: user ?? UserID(named: name), device: DeviceID(device), name: name)
  }
}
