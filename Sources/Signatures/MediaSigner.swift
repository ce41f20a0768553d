package import Vocabulary
internal import Cryptography
internal import WebAddresses

/// What lets a browser fetch the server's media: a `<video>` shows nobody's credential, so its address
/// has to be the proof.
package enum MediaScope: Equatable, Sendable {
  /// One file, for a person, while the session lives and nobody has removed them for good.
  case session(SessionID, of: UserID)
  /// The list of all files, for a while.
  case until(Instant)

  /// The scope as addresses have it; the server's sessions begin with `s-`.
  fileprivate var text: String {
    switch self {
    case .session(let session, let user):
      "\(session.text).\(Base64URL.text(of: user.text.utf8))"
    case .until(let end): "t\(end.microseconds)"
    }
  }

  fileprivate init?(_ text: Substring) {
    if text.hasPrefix("t") {
      guard let end = Int64(text.dropFirst()) else { return nil }
      self = .until(Instant(microseconds: end))
    } else {
      guard let dot = text.lastIndex(of: "."),
        let user = Base64URL.bytes(of: text[dot...].dropFirst())
      else { return nil }
      self = .session(
        SessionID(String(text[..<dot])), of: UserID(String(decoding: user, as: UTF8.self)))
    }
  }
}

/// Makes and verifies the addresses of the server's media.
///
/// An address is `/media/SCOPE.TAG/PATH`: the scope, and the first half of HMAC-SHA256 (RFC 2104, 5) of
/// the scope and the path in Base64URL. A media's URL is the address without both, `/media/PATH`, which
/// is the same for everybody and no secret.
package struct MediaSigner: Sendable {
  /// What all URLs and addresses begin with.
  package static let root = "/media/"
  private static let tagBytes = 16

  private let secret: SharedSecret

  package init(key: InvitationKey) {
    secret = key.secret
  }

  /// The address of a media's URL within a scope; `nil` if the URL is none of the server's media.
  package func address(of url: String, in scope: MediaScope) -> String? {
    guard url.hasPrefix(Self.root) else { return nil }
    let parts = url.dropFirst(Self.root.count)
    let segments = parts.split(separator: "/", omittingEmptySubsequences: false)
    let names = segments.compactMap { PercentEncoding.text(of: $0.utf8) }
    guard names.count == segments.count else { return nil }
    return "\(Self.root)\(scope.text).\(tag(of: names.joined(separator: "/"), in: scope))/\(parts)"
  }

  /// The scope and the path that a decoded address is for; `nil` if this server did not make it.
  package func verified(_ address: String) -> (scope: MediaScope, path: String)? {
    let parts = address.dropFirst(Self.root.count).split(
      separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard address.hasPrefix(Self.root), parts.count == 2, let dot = parts[0].lastIndex(of: "."),
      let scope = MediaScope(parts[0][..<dot])
    else { return nil }
    let path = String(parts[1])
    let isRight = areEqualInConstantTime(
      String(parts[0][dot...].dropFirst()), tag(of: path, in: scope))
    return isRight ? (scope, path) : nil
  }

  /// The text before the scope keeps the code apart from those of invitations.
  private func tag(of path: String, in scope: MediaScope) -> String {
    let code = secret.code(for: Array("media\n\(scope.text)\n\(path)".utf8))
    return Base64URL.text(of: code.prefix(Self.tagBytes))
  }
}
