package import Vocabulary

/// Why a text is no token that counts.
package enum InvitationTokenFault: Error, Equatable, Sendable {
  /// It is no text that was ever a token: not Base64URL, too short, or too long.
  case malformed
  /// It is of a version that this server does not know.
  case version(UInt8)
  /// It was not signed with this server's key, or was changed since.
  case signature
  /// It was good until then.
  case expired(Instant)
}
