import PushTesting
import Testing
import Vocabulary

@testable import PushTransports

@Suite struct APNsRequestsTests {
  private let start = StandingClock.start

  private func request(
    isSandbox: Bool = false, at wall: Instant = StandingClock.start,
    change: (inout PushMessage) -> Void = { _ in }
  ) throws -> PushRequest {
    let device = try APNsDevice(token: "00ff", topic: "org.example.app", isSandbox: isSandbox)
    let requests = APNsRequests(
      try APNsConfiguration(key: SigningKey(), keyID: "ABC123DEFG", teamID: "TEAM123456"))
    return try requests.request(
      for: push(to: .apns(device), change: change), to: device, token: "t.o.k",
      at: PushTime(group: start, wall: wall))
  }

  private func field(
    _ name: String, change: (inout PushMessage) -> Void = { _ in }
  ) throws -> String? {
    try request(change: change).fields.first { $0.name == name }?.value
  }

  @Test func `a device is asked for where it is known`() throws {
    #expect(try request().url == "https://api.push.apple.com/3/device/00ff")
    #expect(
      try request(isSandbox: true).url == "https://api.sandbox.push.apple.com/3/device/00ff")
  }

  @Test func `the head says what Apple needs to know`() throws {
    #expect(try field("authorization") == "bearer t.o.k")
    #expect(try field("apns-topic") == "org.example.app")
    #expect(try field("apns-expiration") == "\(1_795_292_100 + 3_600)")
    #expect(try field("apns-expiration") { $0.expires = nil } == "0")
    #expect(try field("apns-collapse-id") == nil)
  }

  @Test func `an expiry is told by the time of day`() throws {
    let request = try request(at: start + .seconds(1_000))
    #expect(
      request.fields.first { $0.name == "apns-expiration" }?.value
        == "\(1_795_292_100 + 1_000 + 3_600)")
  }

  @Test(
    arguments: [
      (.high, false, "10"), (.normal, false, "5"), (.low, false, "1"), (.veryLow, false, "1"),
      (.high, true, "5"), (.normal, true, "5"), (.low, true, "1"), (.veryLow, true, "1"),
    ] as [(PushUrgency, Bool, String)])
  func `what shows nothing is never urgent`(urgency: PushUrgency, isSilent: Bool, field: String)
    throws
  {
    let change = { (message: inout PushMessage) in
      message.urgency = urgency
      message.isSilent = isSilent
    }
    #expect(try self.field("apns-priority", change: change) == field)
    #expect(try self.field("apns-push-type", change: change) == (isSilent ? "background" : "alert"))
  }

  @Test func `a push has the same UUID in each attempt, and no other has it`() throws {
    let first = try #require(try field("apns-id"))
    #expect(
      first.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
        != nil)
    #expect(try field("apns-id") { $0.attempt = 2 } == first)
    #expect(try field("apns-id") { $0.id = PushID("n-2") } != first)
  }

  @Test func `a collapse id that fits is taken, and others have one that follows from them`() throws
  {
    func collapse(_ id: String) throws -> String? {
      try field("apns-collapse-id") { $0.collapseID = id }
    }
    #expect(try collapse("a/b+c") == "a/b+c")
    #expect(try collapse(String(repeating: "a", count: 64)) == String(repeating: "a", count: 64))
    #expect(try collapse(String(repeating: "a", count: 65))?.utf8.count == 43)
    #expect(try collapse("a\r\nx: y")?.utf8.count == 43)
  }

  @Test func `a payload that does not fit is refused`() throws {
    #expect(try request { $0.payload = [UInt8](repeating: 32, count: 4_096) }.body.count == 4_096)
    #expect(throws: PushRefusal.tooLarge(limit: 4_096)) {
      try request { $0.payload = [UInt8](repeating: 32, count: 4_097) }
    }
  }

  @Test(
    arguments: [
      (200, "", .delivered),
      (
        400, #"{"reason":"BadDeviceToken"}"#,
        .refused(.rejected(status: 400, reason: "BadDeviceToken"))
      ),
      (400, "no JSON", .refused(.rejected(status: 400, reason: nil))),
      (400, #"{"reason":"a\r\nb"}"#, .refused(.rejected(status: 400, reason: nil))),
      (400, #"{"reason":7}"#, .refused(.rejected(status: 400, reason: nil))),
      (
        403, #"{"reason":"InvalidProviderToken"}"#,
        .refused(.credentials(status: 403, reason: "InvalidProviderToken"))
      ),
      (
        403, #"{"reason":"ExpiredProviderToken"}"#,
        .staleToken(status: 403, reason: "ExpiredProviderToken")
      ),
      (404, #"{"reason":"BadPath"}"#, .refused(.rejected(status: 404, reason: "BadPath"))),
      (
        410, #"{"reason":"Unregistered","timestamp":1795292099500}"#,
        .forget(since: Instant(microseconds: 1_795_292_099_500_000))
      ),
      (410, #"{"reason":"Unregistered"}"#, .forget(since: nil)),
      (410, #"{"reason":"Unregistered","timestamp":-1}"#, .forget(since: nil)),
      (
        413, #"{"reason":"PayloadTooLarge"}"#,
        .refused(.rejected(status: 413, reason: "PayloadTooLarge"))
      ),
      (
        429, #"{"reason":"TooManyRequests"}"#,
        .trouble(.busy(status: 429, reason: "TooManyRequests"), asked: .seconds(7))
      ),
      (500, "", .trouble(.busy(status: 500, reason: nil), asked: .seconds(7))),
      (
        503, #"{"reason":"Shutdown"}"#,
        .trouble(.busy(status: 503, reason: "Shutdown"), asked: .seconds(7))
      ),
    ] as [(Int, String, PushVerdict)])
  func `each status has its meaning`(status: Int, body: String, verdict: PushVerdict) {
    let answer = PushAnswer(status: status, retryAfter: "7", body: Array(body.utf8))
    #expect(APNsRequests.verdict(on: answer, at: start) == verdict)
  }
}
