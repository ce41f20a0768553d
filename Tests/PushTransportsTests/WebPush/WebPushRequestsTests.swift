import PushTesting
import Testing
import Vocabulary

@testable import PushTransports

@Suite struct WebPushRequestsTests {
  private let start = StandingClock.start
  private let browser = LocalBrowser()

  private func request(
    at endpoint: String = "https://fcm.googleapis.com/1",
    change: (inout PushMessage) -> Void = { _ in }
  ) throws -> [String: String] {
    var tokens = VAPIDTokens(key: SigningKey(), subject: "mailto:a@example.org")
    let subscription = try browser.subscription(at: endpoint)
    let message = push(to: .webPush(subscription), change: change)
    var endpoints = PushEndpointGuard()
    endpoints.hosts.formUnion([try #require(PushHost("push.example.net:8443"))])
    let request = try WebPushRequests(endpoints).request(
      for: message, to: subscription, at: start
    ) { try tokens.authorization(for: $0, at: start) }
    #expect(request.url == endpoint)
    return Dictionary(uniqueKeysWithValues: request.fields.map { ($0.name, $0.value) })
  }

  private func refusal(
    at endpoint: String = "https://fcm.googleapis.com/1",
    change: (inout PushMessage) -> Void = { _ in }
  ) throws -> PushRefusal? {
    do {
      _ = try request(at: endpoint, change: change)
      return nil
    } catch let refusal as PushRefusal { return refusal }
  }

  @Test func `the head says what a push service needs to know`() throws {
    let fields = try request { $0.urgency = .high }
    #expect(
      Set(fields.keys) == [
        "ttl", "urgency", "content-encoding", "content-type", "authorization",
      ])
    #expect(fields["ttl"] == "3600")
    #expect(fields["urgency"] == "high")
    #expect(fields["content-encoding"] == "aes128gcm")
    let token = try ReadToken(vapid: #require(fields["authorization"]))
    #expect(token.claims["aud"] == "https://fcm.googleapis.com")
  }

  @Test func `the audience is the endpoint's origin`() throws {
    let fields = try request(at: "https://Push.Example.net:8443/1")
    let token = try ReadToken(vapid: #require(fields["authorization"]))
    #expect(token.claims["aud"] == "https://push.example.net:8443")
  }

  @Test(
    arguments: [
      (nil, "0"), (.zero, "0"), (.milliseconds(1_900), "1"), (.seconds(86_400), "86400"),
      (.seconds(400 * 86_400), "2419200"),
    ] as [(Duration?, String)])
  func `the time to live is what is left of it`(left: Duration?, field: String) throws {
    #expect(try request { $0.expires = left.map { start + $0 } }["ttl"] == field)
  }

  @Test func `what is over is not sent`() throws {
    #expect(try refusal { $0.expires = start - .milliseconds(1) } == .expired)
  }

  @Test func `a collapse id that fits is the topic, and others have one that follows from them`()
    throws
  {
    func topic(_ id: String?) throws -> String? { try request { $0.collapseID = id }["topic"] }
    #expect(try topic(nil) == nil)
    #expect(try topic("i-abc_9") == "i-abc_9")
    #expect(try topic(String(repeating: "a", count: 32)) == String(repeating: "a", count: 32))
    var seen: Set<String> = []
    for id in ["", "a/b", "a+b", "é", String(repeating: "a", count: 33), "a\r\nx: y"] {
      let name = try #require(try topic(id))
      #expect(name.utf8.count == 32)
      #expect(
        name.utf8.allSatisfy { Base64URL.bytes(of: "AA\(Character(Unicode.Scalar($0)))A") != nil })
      #expect(try topic(id) == name)
      seen.insert(name)
    }
    #expect(seen.count == 6)
  }

  @Test func `a payload that does not fit is refused`() throws {
    #expect(try refusal { $0.payload = [UInt8](repeating: 32, count: 3_993) } == nil)
    #expect(
      try refusal { $0.payload = [UInt8](repeating: 32, count: 3_994) } == .tooLarge(limit: 3_993))
  }

  @Test func `an endpoint that leads where it must not is refused`() throws {
    #expect(try refusal(at: "https://10.0.0.1/") == .endpoint(.privateHost))
    #expect(try refusal(at: "http://push.example.net/") == .endpoint(.scheme))
  }

  @Test(
    arguments: [
      (200, .delivered), (201, .delivered), (202, .delivered),
      (301, .refused(.redirected(status: 301))), (307, .refused(.redirected(status: 307))),
      (400, .refused(.rejected(status: 400, reason: nil))),
      (401, .refused(.credentials(status: 401, reason: nil))),
      (403, .refused(.credentials(status: 403, reason: nil))),
      (404, .forget(since: nil)), (410, .forget(since: nil)),
      (413, .refused(.rejected(status: 413, reason: nil))),
      (408, .trouble(.busy(status: 408, reason: nil), asked: .seconds(7))),
      (429, .trouble(.busy(status: 429, reason: nil), asked: .seconds(7))),
      (500, .trouble(.busy(status: 500, reason: nil), asked: .seconds(7))),
      (503, .trouble(.busy(status: 503, reason: nil), asked: .seconds(7))),
    ] as [(Int, PushVerdict)])
  func `each status has its meaning`(status: Int, verdict: PushVerdict) {
    let answer = PushAnswer(status: status, retryAfter: "7")
    #expect(WebPushRequests.verdict(on: answer, at: start) == verdict)
  }
}
