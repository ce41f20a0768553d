package import Vocabulary

/// The contents of an invitation's token: the person, the session, the invitation and its expiry.
package struct InvitationClaim: Equatable, Sendable {
  /// The session that the person is invited to.
  package let session: SessionID
  /// The invited person, for whom the token answers.
  package let user: UserID
  /// The number of the session's event that invited; a token does not answer a later invitation of
  /// the same person.
  package let seq: Int
  /// When the token becomes invalid.
  package let expires: Instant

  package init(session: SessionID, user: UserID, seq: Int, expires: Instant) {
    self.session = session
    self.user = user
    self.seq = seq
    self.expires = expires
  }
}

/// Why a token is not valid.
package enum InvitationTokenFault: Error, Equatable, Sendable {
  /// It is not Base64URL, too short, or too long.
  case malformed
  /// The server does not know its version.
  case version(UInt8)
  /// It was not signed with this server's key, or was changed.
  case signature
  /// It expired at this instant.
  case expired(Instant)
}
