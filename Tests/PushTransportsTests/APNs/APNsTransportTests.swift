import EventLoops
import PushTesting
import PushTransports
import Testing
import Vocabulary

/// APNs against the tests' own server over HTTP/2 and TLS; Apple's was never contacted.
@Suite(.timeLimit(.minutes(30))) struct APNsTransportTests {
  private let key = SigningKey()

  private func withAPNs(
    speech: (TestCertificate) -> LocalPushService.Speech = { .secure($0) },
    deadline: Duration = patience, wallClockError: Duration = .zero,
    reply: @escaping @Sendable (ReceivedPush) -> PushReply = { _ in .answer(200) },
    _ body: (LocalPushService, RunningTransport, StandingClock) async throws -> Void
  ) async throws {
    let certificate = try TestCertificate(name: "apns.example.net")
    let service = try await LocalPushService.start(speech(certificate), reply)
    let clock = StandingClock(wallClockError: wallClockError)
    try await withFile(certificate.pem) { path in
      var configuration = try APNsConfiguration(
        key: key, keyID: "ABC123DEFG", teamID: "TEAM123456")
      configuration.production = "https://apns.example.net:\(service.port)"
      configuration.connections.authorities = path
      configuration.connections.addresses = ["apns.example.net": "127.0.0.1"]
      configuration.connections.deadline = deadline
      let transport = try RunningTransport(configuration.route(seed: 1, clocks: clock.clocks))
      do {
        try await body(service, transport, clock)
      } catch {
        await transport.close()
        throw error
      }
      await transport.close()
    }
    try await service.stop()
  }

  private func message(_ change: (inout PushMessage) -> Void = { _ in }) throws -> PushMessage {
    push(to: .apns(try APNsDevice(token: "00FFaa", topic: "org.example.app")), change: change)
  }

  private func tokens(_ service: LocalPushService) -> [String] {
    service.received.compactMap { $0.fields["authorization"] }
  }

  @Test func `a push arrives with the head that Apple asks for and a token of the key`()
    async throws
  {
    try await withAPNs { service, transport, _ in
      let message = try message {
        $0.urgency = .high
        $0.collapseID = "i-42"
      }
      #expect(await transport.send(message) == .delivered)
      let received = try #require(service.received.first)
      #expect(received.isHTTP2)
      #expect(received.method == "POST")
      #expect(received.path == "/3/device/00ffaa")
      #expect(received.fields["apns-topic"] == "org.example.app")
      #expect(received.fields["apns-push-type"] == "alert")
      #expect(received.fields["apns-priority"] == "10")
      #expect(received.fields["apns-expiration"] == "\(1_795_292_100 + 3_600)")
      #expect(received.fields["apns-collapse-id"] == "i-42")
      #expect(received.body == message.payload)
      let words = try #require(received.fields["authorization"]).split(separator: " ")
      #expect(words.first == "bearer")
      let token = try ReadToken(String(words[1]), signedBy: key.publicKey)
      #expect(token.header == ["alg": "ES256", "kid": "ABC123DEFG"])
      #expect(token.claims == ["iss": "TEAM123456", "iat": "1795292100"])
    }
  }

  @Test func `many pushes go by one connection and with one token`() async throws {
    try await withAPNs { service, transport, _ in
      let first = try message()
      #expect(await transport.send(first) == .delivered)
      await withTaskGroup { group in
        for _ in 0..<20 { group.addTask { await transport.send(first) } }
        for await outcome in group { #expect(outcome == .delivered) }
      }
      #expect(service.connections == 1)
      #expect(Set(tokens(service)).count == 1)
    }
  }

  @Test func `a token has the time of day, even if the group's time is wrong`() async throws {
    try await withAPNs(wallClockError: .seconds(86_400)) { service, transport, clock in
      let early = await transport.send(try message())
      clock.setWallClock(error: .seconds(2 * 86_400))
      let late = await transport.send(try message())
      #expect(early == .delivered && late == .delivered)
      let ages = try tokens(service).map { field in
        let token = String(field.dropFirst("bearer ".count))
        return try ReadToken(token, signedBy: key.publicKey).claims["iat"]
      }
      #expect(ages == ["\(1_795_292_100 + 86_400)", "\(1_795_292_100 + 2 * 86_400)"])
    }
  }

  @Test func `since when a device is gone is told by the group's time`() async throws {
    let body = #"{"reason":"Unregistered","timestamp":1795292000000}"#
    try await withAPNs(wallClockError: .seconds(50), reply: { _ in .answer(410, body: body) }) {
      _, transport, _ in
      let outcome = await transport.send(try message())
      #expect(outcome == .forget(since: Instant(microseconds: 1_795_291_950_000_000)))
    }
  }

  @Test func `a token is used for fifty minutes`() async throws {
    try await withAPNs { service, transport, clock in
      for minutes in [0, 49, 1] {
        clock.advance(by: .seconds(minutes * 60))
        let outcome = await transport.send(try message { $0.expires = nil })
        #expect(outcome == .delivered)
      }
      let tokens = tokens(service)
      try #require(tokens.count == 3)
      #expect(tokens[0] == tokens[1])
      #expect(tokens[1] != tokens[2])
    }
  }

  @Test func `a token that has expired is replaced, and the push sent again, once`() async throws {
    let expired = PushReply.answer(403, body: #"{"reason":"ExpiredProviderToken"}"#)
    let old = Locked<String?>(nil)
    let reply: @Sendable (ReceivedPush) -> PushReply = { push in
      let first = old.withLock { old in
        if old == nil { old = push.fields["authorization"] }
        return old
      }
      return push.fields["authorization"] == first ? expired : .answer(200)
    }
    try await withAPNs(reply: reply) { service, transport, _ in
      let first = await transport.send(try message())
      #expect(first == .delivered)
      #expect(Set(tokens(service)).count == 2)
      #expect(service.received.count == 2)
      let second = await transport.send(try message())
      #expect(second == .delivered)
      #expect(service.received.count == 3)
    }
    try await withAPNs(reply: { _ in expired }) { service, transport, _ in
      let refusal = PushRefusal.credentials(status: 403, reason: "ExpiredProviderToken")
      let first = await transport.send(try message())
      #expect(first == .refused(refusal))
      #expect(service.received.count == 2)
      // The clock is wrong, so another token would not help, and Apple rejects frequent renewals.
      let second = await transport.send(try message())
      #expect(second == .refused(refusal))
      #expect(service.received.count == 3)
      #expect(Set(tokens(service)).count == 2)
    }
  }

  @Test(
    arguments: [
      (
        410, #"{"reason":"Unregistered","timestamp":1795292000000}"#,
        .forget(since: Instant(microseconds: 1_795_292_000_000_000))
      ),
      (
        400, #"{"reason":"BadDeviceToken"}"#,
        .refused(.rejected(status: 400, reason: "BadDeviceToken"))
      ),
      (
        403, #"{"reason":"InvalidProviderToken"}"#,
        .refused(.credentials(status: 403, reason: "InvalidProviderToken"))
      ),
      (
        413, #"{"reason":"PayloadTooLarge"}"#,
        .refused(.rejected(status: 413, reason: "PayloadTooLarge"))
      ),
    ] as [(Int, String, PushOutcome)])
  func `what Apple refuses is refused with its reason`(
    status: Int, body: String, outcome: PushOutcome
  ) async throws {
    try await withAPNs(reply: { _ in .answer(status, body: body) }) { service, transport, _ in
      let ended = await transport.send(try message())
      #expect(ended == outcome)
      #expect(service.received.count == 1)
    }
  }

  @Test(arguments: [(429, "TooManyRequests"), (500, "InternalServerError"), (503, "Shutdown")])
  func `what Apple cannot do now is tried again later`(status: Int, reason: String) async throws {
    let reply = PushReply.answer(
      status, fields: ["retry-after": "30"], body: #"{"reason":"\#(reason)"}"#)
    try await withAPNs(reply: { _ in reply }) { _, transport, _ in
      let outcome = await transport.send(try message())
      guard case .retry(let wait, .busy(status, reason)) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(wait > .seconds(30) && wait <= .seconds(32))
    }
  }

  @Test func `a server that hangs up in the midst is asked again later`() async throws {
    try await withAPNs(reply: { _ in .hangUp }) { service, transport, _ in
      let outcome = await transport.send(try message())
      guard case .retry = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(service.received.count == 1)
    }
  }

  @Test func `a server that does not answer in time is asked again later`() async throws {
    try await withAPNs(deadline: impatience, reply: { _ in .silence }) { _, transport, _ in
      let outcome = await transport.send(try message())
      guard case .retry(_, .timeout) = outcome else {
        Issue.record("\(outcome)")
        return
      }
    }
  }

  @Test func `a server without HTTP/2 is none of Apple's, and gets nothing`() async throws {
    try await withAPNs {
      .secureHTTP1($0)
    } _: { service, transport, _ in
      let outcome = await transport.send(try message())
      guard case .retry(_, .unreachable("the server does not speak HTTP/2")) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(service.received == [])
    }
  }

  @Test func `a payload that does not fit is never sent`() async throws {
    try await withAPNs { service, transport, _ in
      let large = try message { $0.payload = [UInt8](repeating: 32, count: 4_097) }
      #expect(await transport.send(large) == .refused(.tooLarge(limit: 4_096)))
      #expect(service.connections == 0)
    }
  }

  @Test func `a silent push is of the background`() async throws {
    try await withAPNs { service, transport, _ in
      let outcome = await transport.send(try message { $0.isSilent = true })
      #expect(outcome == .delivered)
      #expect(service.received.first?.fields["apns-push-type"] == "background")
      #expect(service.received.first?.fields["apns-priority"] == "5")
    }
  }
}
