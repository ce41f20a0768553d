import Crypto
package import Vocabulary

/// Makes the tokens by which people answer invitations without a connection of their own, and reads
/// them.
///
/// A token is the Base64URL of these bytes, whole numbers with the highest byte first:
///
/// | Bytes | Are |
/// |---|---|
/// | 1 | the version, 1 |
/// | 8 | when it expires, in microseconds since 1970 |
/// | 8 | the invitation's number |
/// | 4 | how many bytes the session has |
/// | … | the session, then the user |
/// | 32 | the tag: HMAC-SHA256 of all before it (RFC 2104) |
///
/// Nothing in it is secret but the tag; whoever has it can answer this one invitation. That it is
/// answered once is the session's to see to.
package struct InvitationSigner: Equatable, Sendable {
  /// The version of the tokens that are made, and the only one that is read.
  static let version: UInt8 = 1
  private static let headSize = 1 + 8 + 8 + 4
  private static let tagSize = SHA256.byteCount
  /// The longest text that is looked at; names of 64 bytes make one of 242.
  static let longest = 4_096

  private let key: SymmetricKey

  /// A signer with a key.
  package init(key: InvitationKey) {
    self.key = key.key
  }

  /// The token that says this; the same for the same.
  package func token(for claim: InvitationClaim) -> String {
    let session = Array(claim.session.text.utf8)
    var bytes = [Self.version]
    bytes += Self.bytes(of: UInt64(bitPattern: claim.expires.microseconds))
    bytes += Self.bytes(of: UInt64(bitPattern: Int64(claim.seq)))
    bytes += Self.bytes(of: UInt32(clamping: session.count))
    bytes += session + claim.user.text.utf8
    let tag = HMAC<SHA256>.authenticationCode(for: bytes, using: key)
    return Base64URL.text(of: bytes + tag)
  }

  /// What a token says, if this signer's key made it and it is still good.
  ///
  /// The tag is compared in a time that does not depend on how much of it is right, and nothing of
  /// what the token says is used before.
  package func claim(
    in token: String, at now: Instant
  ) throws(InvitationTokenFault) -> InvitationClaim {
    guard token.utf8.count <= Self.longest, let bytes = Base64URL.bytes(of: token),
      bytes.count >= Self.headSize + Self.tagSize
    else { throw .malformed }
    guard bytes[0] == Self.version else { throw .version(bytes[0]) }
    let signed = Array(bytes.dropLast(Self.tagSize))
    let isGenuine = HMAC<SHA256>.isValidAuthenticationCode(
      Array(bytes.suffix(Self.tagSize)), authenticating: signed, using: key)
    guard isGenuine else { throw .signature }
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
