import Testing
import Vocabulary

@testable import Signatures

@Suite struct MediaSignerTests {
  static let key = InvitationKey(bytes: Array(0..<32))

  let signer: MediaSigner
  let session = MediaScope.session(SessionID("s-rxywbjva92a9"), of: UserID("ann"))

  init() throws {
    signer = MediaSigner(key: try #require(Self.key))
  }

  @Test func `an address is what another program makes of it, and says what it is for`() throws {
    // The code is of Python's hmac, of the bytes 0 to 31 as the key.
    let address = try #require(signer.address(of: "/media/Films/Zo%C3%AB.mp4", in: session))
    #expect(address == "/media/s-rxywbjva92a9.YW5u.zXmbIsOFt3K4JUGhTV-q7Q/Films/Zo%C3%AB.mp4")
    let verified = try #require(
      signer.verified("/media/s-rxywbjva92a9.YW5u.zXmbIsOFt3K4JUGhTV-q7Q/Films/Zoë.mp4"))
    #expect(verified.path == "Films/Zoë.mp4" && verified.scope == session)
  }

  @Test func `the list of all has an address, too`() throws {
    let scope = MediaScope.until(Instant(microseconds: 7))
    let address = try #require(signer.address(of: MediaSigner.root, in: scope))
    let verified = try #require(signer.verified(address))
    #expect(verified.path.isEmpty && verified.scope == scope)
  }

  @Test(arguments: [
    "https://example.com/film.mp4", "/film.mp4", "media/film.mp4", "/media/a%zz", "/media/a b",
  ])
  func `other URLs have none`(url: String) {
    #expect(signer.address(of: url, in: session) == nil)
  }

  /// Each changes one part of a right address.
  @Test(arguments: [
    ("film", "Film"), ("rxyw", "rxyx"), ("YW5u", "YmVu"), ("/film", "//film"), (".mp4", ".mp4/"),
    ("s-", "t-"),
    ("/media/", "/media"), ("/media/", "/other/"), (".", ""), ("s-rxywbjva92a9", "t99"),
  ])
  func `no other address is right`(part: String, other: String) throws {
    let address = try #require(signer.address(of: "/media/film.mp4", in: session))
    #expect(signer.verified(address) != nil)
    let range = try #require(address.firstRange(of: part))
    #expect(signer.verified(address.replacingCharacters(in: range, with: other)) == nil)
  }

  @Test func `another key makes other addresses`() throws {
    let other = MediaSigner(key: try #require(InvitationKey(bytes: Array(1...32))))
    let address = try #require(other.address(of: "/media/film.mp4", in: session))
    #expect(signer.verified(address) == nil)
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + self[range.upperBound...]
  }
}
