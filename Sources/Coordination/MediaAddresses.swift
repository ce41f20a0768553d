import Signatures
import Vocabulary
import Wire

/// Makes the addresses of the server's media for members, and checks them when they are fetched.
struct MediaAddresses: Sendable {
  /// `nil` if the server has no media.
  private let signer: MediaSigner?
  /// Where players that are no page of the server fetch them.
  var door: MediaDoor?

  init(_ signer: MediaSigner?) {
    self.signer = signer
  }

  /// The answer with a media's address, which is good for as long as its scope.
  func answer(of url: String, in scope: MediaScope) throws(ProtocolError) -> Answer {
    guard let signer else { throw ProtocolError(.noMedia) }
    guard let address = signer.address(of: url, in: scope) else {
      throw ProtocolError(.invalidField, field: "url")
    }
    return .media(address: address, at: door)
  }

  /// The path of the media that an address is for; empty for the list of all.
  ///
  /// - Returns: `nil` if the server did not make the address, or its time is over.
  func path(of address: String, at now: Instant, isOpen: (SessionID, UserID) -> Bool)
    -> String?
  {
    guard let (scope, path) = signer?.verified(address) else { return nil }
    let isValid =
      switch scope {
      case .session(let session, let user): isOpen(session, user)
      case .until(let end): now < end
      }
    return isValid ? path : nil
  }
}
