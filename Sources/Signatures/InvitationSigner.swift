import Cryptography
package import Vocabulary

/// Makes and verifies the tokens with which people answer invitations without a connection of their
/// own.
///
/// A token is the Base64URL of these bytes; numbers are big-endian:
///
/// | Bytes | Contents |
/// |---|---|
/// | 1 | the version, 1 |
/// | 8 | its expiry, in microseconds since 1970 |
/// | 8 | the invitation's number |
/// | 4 | the number of bytes of the session |
/// | … | the session, then the user |
/// | 32 | the tag: HMAC-SHA256 of all bytes before it (RFC 2104) |
///
/// Only the tag is secret. Whoever has the token can answer this one invitation; the session
/// ensures that it is answered only once.
package struct InvitationSigner: Equatable, Sendable {
  /// The version of new tokens, and the only one accepted.
  static let version: UInt8 = 1
  private static let headSize = 1 + 8 + 8 + 4
  private static let tagSize = SharedSecret.codeSize
  /// The maximum length of a token; identifiers of 64 bytes give one of 242 bytes.
  static let longest = 4_096

  private let secret: SharedSecret

  package init(key: InvitationKey) {
    secret = key.secret
  }

  /// The token for a claim; the same claim always gives the same token.
  package func token(for claim: InvitationClaim) -> String {
    let session = Array(claim.session.text.utf8)
    var bytes = [Self.version]
    bytes += Self.bytes(of: UInt64(bitPattern: claim.expires.microseconds))
    bytes += Self.bytes(of: UInt64(bitPattern: Int64(claim.seq)))
    bytes += Self.bytes(of: UInt32(clamping: session.count))
    bytes += session + claim.user.text.utf8
    return Base64URL.text(of: bytes + secret.code(for: bytes))
  }

  /// Verifies a token and returns its contents.
  ///
  /// The tag is compared in constant time, before any of the contents is used.
  package func claim(
    in token: String, at now: Instant
  ) throws(InvitationTokenFault) -> InvitationClaim {
    guard token.utf8.count <= Self.longest, let bytes = Base64URL.bytes(of: token),
      bytes.count >= Self.headSize + Self.tagSize
    else { throw .malformed }
    guard bytes[0] == Self.version else { throw .version(bytes[0]) }
    let signed = Array(bytes.dropLast(Self.tagSize))
    guard secret.isValid(Array(bytes.suffix(Self.tagSize)), for: signed) else { throw .signature }
    let expires = Instant(microseconds: Int64(bitPattern: Self.number(signed[1..<9])))
    let seq = Int(Int64(bitPattern: Self.number(signed[9..<17])))
    let sessionSize = Int(Self.number(signed[17..<21]))
    let names = signed.dropFirst(Self.headSize)
    guard sessionSize <= names.count else { throw .malformed }
    guard now < expires else { throw .expired(expires) }
    return InvitationClaim(
      session: SessionID(String(decoding: names.prefix(sessionSize), as: UTF8.self)),
      user: UserID(String(decoding: names.dropFirst(sessionSize), as: UTF8.self)), seq: seq,
      expires: expires)
  }

  private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    let bits = type(of: number).bitWidth
    return stride(from: bits - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: number >> $0)
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// The secret that signs the tokens of invitations.
///
/// A new key invalidates all existing tokens. Anybody who knows the key can answer in anybody's
/// name.
package struct InvitationKey: Equatable, Sendable {
  /// The number of bytes: as many as a tag of HMAC-SHA256; fewer would weaken it (RFC 2104, section
  /// 3).
  package static let size = 32

  let secret: SharedSecret

  /// Makes a key from bytes of a cryptographically secure generator.
  ///
  /// - Returns: `nil` unless there are ``size`` bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    secret = SharedSecret(bytes)
  }

  /// Makes a new key; the generator must be cryptographically secure.
  package init(using generator: inout some RandomNumberGenerator) {
    secret = SharedSecret(Self.bytes(using: &generator))
  }

  /// The bytes of a new key; the generator must be cryptographically secure.
  package static func bytes(using generator: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// Reads a key file: the bytes, or their Base64URL followed by white space.
  ///
  /// - Returns: `nil` if the file contains neither.
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
