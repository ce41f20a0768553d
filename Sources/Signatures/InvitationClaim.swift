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
