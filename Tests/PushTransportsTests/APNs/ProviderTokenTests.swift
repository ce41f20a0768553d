import PushTesting
import Testing
import Vocabulary

@testable import PushTransports

@Suite struct ProviderTokenTests {
  private let start = StandingClock.start
  private let key = SigningKey()

  /// So many seconds after the start, by both clocks.
  private func time(_ seconds: Int) -> PushTime {
    let now = start + .seconds(seconds)
    return PushTime(group: now, wall: now)
  }

  private func token() throws -> ProviderToken {
    ProviderToken(try APNsConfiguration(key: key, keyID: "ABC123DEFG", teamID: "TEAM123456"))
  }

  @Test func `a token says which key and team it is of, and since when it is good`() throws {
    var token = try token()
    let read = try ReadToken(token.current(at: start), signedBy: key.publicKey)
    #expect(read.header == ["alg": "ES256", "kid": "ABC123DEFG"])
    #expect(read.claims == ["iss": "TEAM123456", "iat": "1795292100"])
    #expect(throws: (any Error).self) {
      try ReadToken(token.current(at: start), signedBy: SigningKey().publicKey)
    }
  }

  @Test func `a token is used for fifty minutes`() throws {
    var token = try token()
    let first = try token.current(at: start)
    #expect(try token.current(at: start + .seconds(50 * 60 - 1)) == first)
    let second = try token.current(at: start + .seconds(50 * 60))
    #expect(second != first)
    #expect(try token.current(at: start + .seconds(99 * 60)) == second)
  }

  @Test func `when the time of day is set, there is a new token, except for small steps back`()
    throws
  {
    var token = try token()
    let first = try token.current(at: start)
    #expect(try token.current(at: start - .seconds(59)) == first)
    let early = start - .seconds(3_600)
    let second = try token.current(at: early)
    #expect(try ReadToken(second, signedBy: key.publicKey).claims["iat"] == "\(early.seconds)")
    #expect(try token.current(at: start) != second)
  }

  @Test func `a refused token is replaced once, and not again for twenty minutes`() throws {
    var token = try token()
    let first = try token.current(at: start)
    let second = try #require(try token.renewed(after: first, at: time(1)))
    #expect(second != first)
    #expect(try token.current(at: start + .seconds(2)) == second)
    #expect(try token.renewed(after: second, at: time(3)) == nil)
    #expect(try token.renewed(after: second, at: time(20 * 60)) == nil)
    let third = try token.renewed(after: second, at: time(20 * 60 + 1))
    #expect(third != nil && third != second)
  }

  @Test func `many that were refused with one token make one new one`() throws {
    var token = try token()
    let first = try token.current(at: start)
    let second = try token.renewed(after: first, at: time(0))
    for _ in 0..<10 { #expect(try token.renewed(after: first, at: time(0)) == second) }
  }
}
