import Coordination
import Participation
import Signatures
import Vocabulary
import Wire

/// An app's backend, which signs who somebody is.
struct Backend: Sendable {
  /// A token at this time and with this serial number; `nil` for a failure.
  let token: @Sendable (WallTime, Int) -> String?

  static let away = Backend { _, _ in nil }

  /// One that gives the same text each time.
  static func constant(_ text: String) -> Backend { Backend { _, _ in text } }

  static let secret = "0123456789abcdef0123456789abcdef"
  static let otherSecret = "fedcba9876543210fedcba9876543210"

  /// A server that knows the backend's key.
  static func access() throws -> Access {
    .tokens(try TokenVerifier(keys: try TokenKeys(contents: Array(secret.utf8))))
  }

  static func token(
    for name: String, at now: WallTime, lifetime: Int64 = 3_600, groups: [String] = ["*"],
    serial: Int = 0, secret: String = secret
  ) throws -> String {
    var contents = TokenContents(user: UserID("u-" + name), issued: now, expires: now + lifetime)
    contents.name = name
    contents.issuer = "backend \(serial)"
    contents.groups = GroupGrants(groups)
    return try TokenSigner(contents: Array(secret.utf8)).token(for: contents)
  }

  /// One that signs another token each time.
  static func signing(
    for name: String, lifetime: Int64 = 3_600, groups: [String] = ["*"], secret: String = secret
  ) -> Backend {
    Backend { now, serial in
      do {
        return try token(
          for: name, at: now, lifetime: lifetime, groups: groups, serial: serial, secret: secret)
      } catch {
        return nil
      }
    }
  }
}

extension ParticipantStage {
  func hellos(of member: Int) -> [Hello] {
    members[member].sent.compactMap { if case .hello(let hello) = $0 { hello } else { nil } }
  }

  func renewals(of member: Int) -> [String] {
    requests(of: member).compactMap { if case .renew(let text) = $0 { text } else { nil } }
  }

  func credentials(of member: Int) -> [Client.CredentialState] {
    members[member].updates.compactMap {
      if case .credential(let state) = $0.update { state } else { nil }
    }
  }

  func connections(of member: Int) -> [Client.ConnectionState] {
    members[member].updates.compactMap {
      if case .connection(let state) = $0.update { state } else { nil }
    }
  }
}

extension Client.ConnectionState {
  /// The error with which the server sent the client away for good.
  var code: ErrorCode? {
    if case .offline(.refused(let error)) = self { error.code } else { nil }
  }
}
