import Cryptography
package import Vocabulary

/// The keys of a server whose people have no accounts: one founds groups, and each group has one of
/// its own.
///
/// All of them are derived from the server's secret, so that no journal holds a key, and a member
/// can always be told the group's.
package struct AccessKeys: Equatable, Sendable {
  private let secret: SharedSecret
  /// The key that founds groups.
  package let founding: Secret

  /// The keys of this secret; they change with it.
  package init(_ key: InvitationKey) {
    secret = key.secret
    founding = Self.derived(from: key.secret, "founding")
  }

  /// The key of a group.
  ///
  /// - Parameters:
  ///   - group: the group.
  ///   - generation: how often the group got a key, from 1.
  package func key(of group: GroupID, generation: Int) -> Secret {
    Self.derived(from: secret, "group \(generation) \(group.text)")
  }

  /// The first 128 bits of HMAC-SHA256 (RFC 2104).
  private static func derived(from secret: SharedSecret, _ purpose: String) -> Secret {
    let code = secret.code(for: Array("matinee access: \(purpose)".utf8))
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
    return Secret(high: number(code[0..<8]), low: number(code[8..<16]))
  }
}

/// The SHA-256 of a person's credential, which is all that a server keeps of it.
///
/// A plain hash is enough for 128 random bits: nobody can try them all.
package struct CredentialHash: Hashable, Sendable {
  /// 32 bytes.
  package let bytes: [UInt8]

  /// The hash of a credential.
  package init(of credential: Secret) {
    bytes = Digest.sha256(of: Array(credential.text.utf8)).bytes
  }

  /// Reads what ``text`` writes; `nil` if it is no hash.
  package init?(_ text: String) {
    guard let bytes = Base64URL.bytes(of: text), bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Base64URL, for the journal.
  package var text: String { Base64URL.text(of: bytes) }

  /// The identifier, among everybody's devices, of the device that shows the credential.
  ///
  /// Each device has a credential of its own, so nobody takes another's place, not even somebody
  /// who claims the same name at the same time.
  package func device(named name: DeviceID) -> DeviceID {
    DeviceID(
      "d-" + Base64URL.text(of: Digest.sha256(of: bytes + Array(name.text.utf8)).bytes.prefix(16)))
  }
}
