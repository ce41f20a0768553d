import Cryptography
import Testing
import Vocabulary

@testable import Signatures

@Suite struct InvitationSignerTests {
  static let expires = Instant(microseconds: 1_790_000_000_000_000)
  static let earlier = Instant(microseconds: 1_789_999_999_999_999)
  static let claim = InvitationClaim(
    session: SessionID("s-rxywbjva92a9"), user: UserID("zoë"), seq: 7, expires: expires)
  /// Made by another program, of the bytes 0 to 31 as the key.
  static let token =
    "AQAGW_7aJeAAAAAAAAAAAAcAAAAOcy1yeHl3Ymp2YTkyYTl6b8OriIaV_XAnNgxhBec9mIrJOoNIKdOt-qdO28tGprOn7Cg"

  let signer: InvitationSigner

  init() throws {
    signer = InvitationSigner(key: try #require(InvitationKey(bytes: Array(0..<32))))
  }

  private func fault(of token: String, at now: Instant = earlier) -> InvitationTokenFault? {
    do throws(InvitationTokenFault) {
      _ = try signer.claim(in: token, at: now)
      return nil
    } catch {
      return error
    }
  }

  private func token(of bytes: [UInt8]) throws -> String {
    let key = try #require(InvitationKey(bytes: Array(0..<32)))
    return Base64URL.text(of: bytes + key.secret.code(for: bytes))
  }

  @Test func `a token is what another program makes of it, and says what it was made of`() throws {
    #expect(signer.token(for: Self.claim) == Self.token)
    #expect(try signer.claim(in: Self.token, at: Self.earlier) == Self.claim)
  }

  @Test func `a token may stand in a URL and in a line of JSON as it is`() {
    #expect(
      Self.token.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
  }

  @Test func `whatever bit of it is changed, a token is refused`() throws {
    let bytes = try #require(Base64URL.bytes(of: Self.token))
    for bit in 0..<(8 * bytes.count) {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      let isVersion = bit < 8
      #expect(
        fault(of: Base64URL.text(of: changed))
          == (isVersion ? .version(changed[0]) : .signature), "bit \(bit)")
    }
  }

  @Test func `whatever letter of it is missing, doubled or another, a token is refused`() {
    let letters = Array(Self.token)
    for place in letters.indices {
      var shorter = letters
      shorter.remove(at: place)
      var longer = letters
      longer.insert(letters[place], at: place)
      var other = letters
      other[place] = letters[place] == "A" ? "B" : "A"
      for text in [shorter, longer, other] { #expect(fault(of: String(text)) != nil) }
    }
  }

  @Test func `a token is good until the instant that it names`() {
    #expect(fault(of: Self.token, at: Self.earlier) == nil)
    #expect(fault(of: Self.token, at: Self.expires) == .expired(Self.expires))
    #expect(
      fault(of: Self.token, at: Self.expires + .seconds(1)) == .expired(Self.expires))
  }

  @Test func `that it expired is only said of a token that is genuine`() throws {
    var bytes = try #require(Base64URL.bytes(of: Self.token))
    bytes[20] ^= 1
    #expect(fault(of: Base64URL.text(of: bytes), at: Self.expires) == .signature)
  }

  @Test func `another server's token is refused`() throws {
    let other = InvitationSigner(key: try #require(InvitationKey(bytes: Array(1...32))))
    #expect(fault(of: other.token(for: Self.claim)) == .signature)
  }

  @Test func `a token that was signed for another version is refused`() throws {
    let bytes = try #require(Base64URL.bytes(of: Self.token)).dropLast(32)
    for version in [0, 2, 255] as [UInt8] {
      #expect(fault(of: try token(of: [version] + bytes.dropFirst())) == .version(version))
    }
  }

  @Test func `what is too short or too long for a token is none`() throws {
    for count in 0..<(21 + 32) {
      #expect(fault(of: Base64URL.text(of: Array(repeating: 1, count: count))) == .malformed)
    }
    #expect(fault(of: Base64URL.text(of: Array(repeating: 1, count: 53))) == .signature)
    #expect(fault(of: String(repeating: "A", count: 4_097)) == .malformed)
    #expect(fault(of: String(repeating: "A", count: 4_096)) == .version(0))
    #expect(fault(of: "no token!") == .malformed)
    #expect(fault(of: Self.token + "=") == .malformed)
  }

  @Test func `names that do not fit, signed by whomever, are refused`() throws {
    let head = [1] + Array(repeating: UInt8(127), count: 16)
    #expect(fault(of: try token(of: head + [0, 0, 0, 3, 65, 66])) == .malformed)
    #expect(fault(of: try token(of: head + [255, 255, 255, 255, 65, 66])) == .malformed)
    #expect(fault(of: try token(of: head + [0, 0, 0, 2, 65, 66])) == nil)
  }

  @Test(arguments: [
    ("", "", 0, 1), ("s", "", 1, 2), ("", "u", -1, Int64.max), ("s-1", "ann", .max, 5),
    ("s-1", "ann", .min, .max), (String(repeating: "s", count: 300), "日本\u{0}\n", 1, 9),
  ])
  func `any claim comes back as it was`(
    session: String, user: String, seq: Int, expires: Int64
  ) throws {
    let claim = InvitationClaim(
      session: SessionID(session), user: UserID(user), seq: seq,
      expires: Instant(microseconds: expires))
    #expect(try signer.claim(in: signer.token(for: claim), at: Instant(microseconds: 0)) == claim)
  }

  @Test func `letters that move from the session to the user make another token`() throws {
    let one = InvitationClaim(
      session: SessionID("ab"), user: UserID("c"), seq: 1, expires: Self.expires)
    let other = InvitationClaim(
      session: SessionID("a"), user: UserID("bc"), seq: 1, expires: Self.expires)
    #expect(signer.token(for: one) != signer.token(for: other))
    #expect(try signer.claim(in: signer.token(for: other), at: Self.earlier) == other)
  }
}
