import PushTesting
import Testing
import Vocabulary

@testable import PushTransports

@Suite struct VAPIDTokensTests {
  private let start = StandingClock.start

  // RFC 8292, section 2.4.
  @Test func `the standard's example is read, and its signature is its key's`() throws {
    let token = try ReadToken(
      vapid: "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5u"
        + "ZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDqup"
        + "tFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, "
        + "k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
    )
    #expect(token.header == ["typ": "JWT", "alg": "ES256"])
    #expect(
      token.claims == [
        "aud": "https://push.example.net", "exp": "1453523768", "sub": "mailto:push@example.com",
      ])
  }

  @Test func `a token has the form of the example, byte for byte up to the signature`() throws {
    var tokens = VAPIDTokens(key: SigningKey(), subject: "mailto:push@example.com")
    let now = Instant(microseconds: 1_453_523_768_000_000) - VAPIDTokens.lifetime
    let field = try tokens.authorization(for: "https://push.example.net", at: now)
    #expect(
      field.hasPrefix(
        "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLC"
          + "JleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0."))
  }

  @Test func `another key does not verify it`() throws {
    let key = SigningKey()
    var tokens = VAPIDTokens(key: key, subject: "mailto:a@example.org")
    let field = try tokens.authorization(for: "https://push.example.net", at: start)
    #expect(field.hasSuffix(", k=" + Base64URL.text(of: key.publicKey)))
    _ = try ReadToken(vapid: field)
    let other = Base64URL.text(of: SigningKey().publicKey)
    let forged = field.prefix { $0 != "," } + ", k=" + other
    #expect(throws: (any Error).self) { try ReadToken(vapid: String(forged)) }
  }

  @Test func `a token is used for six of its twelve hours`() throws {
    var tokens = VAPIDTokens(key: SigningKey(), subject: "mailto:a@example.org")
    let first = try tokens.authorization(for: "https://a.example", at: start)
    let late = start + .seconds(6 * 3_600) - .seconds(1)
    #expect(try tokens.authorization(for: "https://a.example", at: late) == first)
    let second = try tokens.authorization(for: "https://a.example", at: late + .seconds(1))
    #expect(second != first)
    let expiry = try ReadToken(vapid: second).claims["exp"]
    #expect(expiry == "\((late + .seconds(1)).seconds + 12 * 3_600)")
  }

  @Test func `when the time of day is set, there is a new token, except for small steps back`()
    throws
  {
    var tokens = VAPIDTokens(key: SigningKey(), subject: "mailto:a@example.org")
    let first = try tokens.authorization(for: "https://a.example", at: start)
    #expect(
      try tokens.authorization(for: "https://a.example", at: start - .seconds(59)) == first)
    for now in [start - .seconds(86_400), start + .seconds(86_400)] {
      let field = try tokens.authorization(for: "https://a.example", at: now)
      #expect(
        try ReadToken(vapid: field).claims["exp"] == "\((now + .seconds(12 * 3_600)).seconds)")
    }
  }

  @Test func `each push service gets a token of its own, and only so many are kept`() throws {
    var tokens = VAPIDTokens(key: SigningKey(), subject: "mailto:a@example.org")
    let first = try tokens.authorization(for: "https://0.example", at: start)
    for number in 1..<VAPIDTokens.services {
      let field = try tokens.authorization(
        for: "https://\(number).example", at: start + .seconds(number))
      #expect(try ReadToken(vapid: field).claims["aud"] == "https://\(number).example")
    }
    #expect(try tokens.authorization(for: "https://0.example", at: start) == first)
    _ = try tokens.authorization(for: "https://more.example", at: start + .seconds(99))
    #expect(try tokens.authorization(for: "https://0.example", at: start) != first)
  }
}
