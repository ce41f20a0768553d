package import Vocabulary

/// What a token of an invitation says: who is invited to what, by which invitation, until when.
package struct InvitationClaim: Equatable, Sendable {
  /// The session that the person is invited to.
  package let session: SessionID
  /// The person who is invited, and in whose name the token answers.
  package let user: UserID
  /// The number of the session's event that invited the person: whoever is invited a second time
  /// does not answer by the first token.
  package let seq: Int
  /// From when on the token is good for nothing.
  package let expires: Instant

  /// A claim.
  package init(session: SessionID, user: UserID, seq: Int, expires: Instant) {
    self.session = session
    self.user = user
    self.seq = seq
    self.expires = expires
  }
}

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
