import Crypto
import Vocabulary

/// The secret that invitations' tokens are signed with.
///
/// With another one, all tokens that are out are refused; whoever knows it can answer in anybody's
/// name.
package struct InvitationKey: Equatable, Sendable {
  /// How many bytes it has: as many as a tag of HMAC-SHA256, and with fewer it is weaker than that
  /// (RFC 2104, 3).
  package static let size = 32

  let key: SymmetricKey

  /// A key of these bytes, which have to come from a generator fit for secrets.
  ///
  /// - Returns: `nil` unless there are ``size`` of them.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    key = SymmetricKey(data: bytes)
  }

  /// A new key; use a generator fit for secrets.
  package init(using generator: inout some RandomNumberGenerator) {
    key = SymmetricKey(data: Self.bytes(using: &generator))
  }

  /// The bytes of a new key; use a generator fit for secrets.
  package static func bytes(using generator: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// A key as it stands in a file: its bytes, or their Base64URL with white space behind.
  ///
  /// - Returns: `nil` if the file holds neither.
  package init?(contents: [UInt8]) {
    if let key = InvitationKey(bytes: contents) {
      self = key
      return
    }
    let text = String(decoding: contents, as: UTF8.self)
    let line = text.prefix { !$0.isWhitespace }
    guard text.dropFirst(line.count).allSatisfy(\.isWhitespace),
      let bytes = Base64URL.bytes(of: line)
    else { return nil }
    self.init(bytes: bytes)
  }
}
