import Signatures
import Vocabulary
import Wire

// The addresses of the server's media, which it makes for members and checks when they are fetched.

extension Groups {
  /// Tells a member where the list of all media is.
  mutating func listMedia(_ seat: Seat, _ done: Reply) throws(ProtocolError) {
    guard seat.group != nil else { throw ProtocolError(.notInGroup) }
    let scope = MediaScope.until(turn.now + turn.limits.mediaListTime)
    try tellAddress(of: MediaSigner.root, in: scope, done)
  }

  /// Tells a participant where a media is.
  mutating func openMedia(_ url: String, _ seat: Seat, _ done: Reply) throws(ProtocolError) {
    guard let session = seat.session, seat.participant != nil else {
      throw ProtocolError(.notJoined)
    }
    try tellAddress(of: url, in: .session(session), done)
  }

  private mutating func tellAddress(
    of url: String, in scope: MediaScope, _ done: Reply
  ) throws(ProtocolError) {
    guard let mediaSigner else { throw ProtocolError(.noMedia) }
    guard let address = mediaSigner.address(of: url, in: scope) else {
      throw ProtocolError(.invalidField, field: "url")
    }
    turn.send(.answer(done.id, .media(address: address)), to: done.device)
  }

  /// The path of the media that an address is for; empty for the list of all.
  ///
  /// - Returns: `nil` if the server did not make the address, or its time is over.
  func mediaPath(of address: String, at now: Instant) -> String? {
    guard let (scope, path) = mediaSigner?.verified(address) else { return nil }
    let isValid =
      switch scope {
      case .session(let session): sessions[session]?.session != nil
      case .until(let end): now < end
      }
    return isValid ? path : nil
  }
}
