import EventLoops
import PushTesting
import PushTransports
import Testing
import Vocabulary

@Suite(.timeLimit(.minutes(30))) struct WebPushTransportTests {
  private let browser = LocalBrowser()

  private func address(_ service: LocalPushService, _ path: String = "/push/1") throws
    -> PushAddress
  {
    .webPush(try browser.subscription(at: "http://127.0.0.1:\(service.port)\(path)"))
  }

  /// The outcome of a push to a service with this reply.
  private func outcome(
    of reply: PushReply, change: (inout PushMessage) -> Void = { _ in }
  ) async throws -> PushOutcome {
    var outcome = PushOutcome.delivered
    try await withWebPush(reply: { _ in reply }) { service, transport, _ in
      outcome = await transport.send(push(to: try address(service), change: change))
      #expect(service.received.count == 1)
    }
    return outcome
  }

  @Test func `a push arrives, and its browser reads it`() async throws {
    try await withWebPush { service, transport, _ in
      let message = push(to: try address(service)) {
        $0.urgency = .high
        $0.collapseID = "i-42"
      }
      #expect(await transport.send(message) == .delivered)
      let received = try #require(service.received.first)
      #expect(received.method == "POST")
      #expect(received.path == "/push/1")
      #expect(received.fields["ttl"] == "3600")
      #expect(received.fields["urgency"] == "high")
      #expect(received.fields["topic"] == "i-42")
      #expect(received.fields["content-encoding"] == "aes128gcm")
      #expect(received.fields["content-length"] == "\(received.body.count)")
      #expect(try browser.open(received.body) == #"{"aps":{"alert":"Film?"}}"#)
      let token = try ReadToken(vapid: #require(received.fields["authorization"]))
      #expect(
        token.claims == [
          "aud": "http://127.0.0.1:\(service.port)", "exp": "\(1_795_292_100 + 12 * 3_600)",
          "sub": "mailto:a@example.org",
        ])
    }
  }

  @Test func `several pushes go by one connection and with one token`() async throws {
    try await withWebPush { service, transport, _ in
      for _ in 0..<5 {
        let outcome = await transport.send(push(to: try address(service)))
        #expect(outcome == .delivered)
      }
      #expect(service.connections == 1)
      #expect(Set(service.received.map { $0.fields["authorization"] }).count == 1)
      #expect(Set(service.received.map(\.body)).count == 5)
    }
  }

  @Test func `a token has the time of day, even if the group's time is wrong`() async throws {
    // The server started when the machine's clock stood a day behind.
    try await withWebPush(wallClockError: .seconds(86_400)) { service, transport, clock in
      let address = try address(service)
      #expect(await transport.send(push(to: address)) == .delivered)
      clock.setWallClock(error: .seconds(-86_400))
      #expect(await transport.send(push(to: address)) == .delivered)
      let received = service.received
      // What is left of the push's life is told by the clock that its expiry was told by.
      #expect(received.map { $0.fields["ttl"] } == ["3600", "3600"])
      let expiries = try received.map { push in
        try ReadToken(vapid: #require(push.fields["authorization"])).claims["exp"]
      }
      #expect(
        expiries == [
          "\(1_795_292_100 + 86_400 + 12 * 3_600)", "\(1_795_292_100 - 86_400 + 12 * 3_600)",
        ])
    }
  }

  @Test(arguments: [404, 410])
  func `a subscription that is gone is forgotten`(status: Int) async throws {
    #expect(try await outcome(of: .answer(status)) == .forget(since: StandingClock.start))
  }

  @Test func `a service that has too much to do is left alone as long as it asks`() async throws {
    for field in ["120", "Sat, 21 Nov 2026 20:17:00 GMT"] {
      let outcome = try await outcome(of: .answer(429, fields: ["retry-after": field]))
      guard case .retry(let wait, .busy(429, nil)) = outcome else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(wait > .seconds(120) && wait <= .seconds(122))
    }
  }

  @Test(arguments: [500, 502, 503])
  func `a service that is not well is asked again later`(status: Int) async throws {
    let outcome = try await outcome(of: .answer(status, body: "later"))
    guard case .retry(let wait, .busy(status, nil)) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect((.seconds(2) ... .seconds(4)).contains(wait))
  }

  @Test(
    arguments: [
      (400, .rejected(status: 400, reason: nil)), (401, .credentials(status: 401, reason: nil)),
      (403, .credentials(status: 403, reason: nil)), (413, .rejected(status: 413, reason: nil)),
    ] as [(Int, PushRefusal)])
  func `what a service will never take is not sent again`(
    status: Int, refusal: PushRefusal
  ) async throws {
    #expect(try await outcome(of: .answer(status)) == .refused(refusal))
  }

  @Test func `nobody follows where a service sends one`() async throws {
    let other = try await LocalPushService.start { _ in .answer(201) }
    for status in [301, 302, 307, 308] {
      let reply = PushReply.answer(
        status, fields: ["location": "http://127.0.0.1:\(other.port)/secret"])
      #expect(try await outcome(of: reply) == .refused(.redirected(status: status)))
    }
    #expect(other.connections == 0)
    try await other.stop()
  }

  @Test func `who does not answer in time is asked again later`() async throws {
    // The deadline may be too short for the request to arrive on a busy machine, so the test does
    // not check whether it did.
    try await withWebPush {
      $0.connections.deadline = impatience
    } reply: { _ in
      .silence
    } _: {
      service, transport, _ in
      let outcome = await transport.send(push(to: try address(service)))
      guard case .retry(_, .timeout) = outcome else {
        Issue.record("\(outcome)")
        return
      }
    }
  }

  @Test func `an answer is one as soon as its status is there`() async throws {
    #expect(try await outcome(of: .halfAnAnswer(201)) == .delivered)
    #expect(try await outcome(of: .halfAnAnswer(410)) == .forget(since: StandingClock.start))
  }

  @Test func `who accepts connections and says nothing is not waited for`() async throws {
    let service = try await LocalPushService.start(.mute) { _ in .silence }
    var configuration = try WebPushConfiguration(key: SigningKey(), subject: "mailto:a@example.org")
    configuration.endpoints.allowsPrivateHosts = true
    configuration.endpoints.hosts = [try #require(PushHost("127.0.0.1:\(service.port)"))]
    configuration.connections.deadline = impatience
    let transport = try RunningTransport(
      configuration.route(seed: 1, clocks: StandingClock().clocks))
    let subscription = try browser.subscription(at: "https://127.0.0.1:\(service.port)/1")
    let outcome = await transport.send(push(to: .webPush(subscription)))
    if case .retry(_, .timeout) = outcome {} else { Issue.record("\(outcome)") }
    await transport.close()
    try await service.stop()
  }

  @Test func `who hangs up in the midst is asked again later`() async throws {
    let outcome = try await outcome(of: .hangUp)
    guard case .retry(_, .closed) = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test func `where nobody listens one comes again later`() async throws {
    try await withWebPush { service, transport, _ in
      let address = try address(service)
      try await service.listenNoMore()
      let outcome = await transport.send(push(to: address))
      guard case .retry(_, .unreachable) = outcome else {
        Issue.record("\(outcome)")
        return
      }
    }
  }

  @Test func `the last attempt's trouble is the end`() async throws {
    let outcome = try await outcome(of: .answer(503)) { $0.attempt = 100 }
    #expect(outcome == .refused(.exhausted(.busy(status: 503, reason: nil))))
  }

  @Test func `what is refused here is never sent`() async throws {
    try await withWebPush { service, transport, clock in
      let address = try address(service)
      let tooLarge = push(to: address, String(repeating: "x", count: 3_994))
      #expect(await transport.send(tooLarge) == .refused(.tooLarge(limit: 3_993)))
      let late = push(to: address) { $0.expires = clock.now }
      #expect(await transport.send(late) == .refused(.expired))
      for (url, fault) in [
        ("https://127.0.0.1:\(service.port)/", PushEndpointFault.privateHost),
        ("http://push.example.net:\(service.port)/", .scheme),
        ("http://me@127.0.0.1:\(service.port)/", .userInformation),
      ] {
        let subscription = try browser.subscription(at: url)
        #expect(
          await transport.send(push(to: .webPush(subscription))) == .refused(.endpoint(fault)))
      }
      let device = try APNsDevice(token: "00", topic: "a")
      #expect(await transport.send(push(to: .apns(device))) == .refused(.noTransport))
      #expect(service.connections == 0)
    }
  }

  @Test func `http to this machine is for those who asked for it`() async throws {
    try await withWebPush {
      $0.endpoints.allowsPlainLoopback = false
    } _: { service, transport, _ in
      let outcome = await transport.send(push(to: try address(service)))
      #expect(outcome == .refused(.endpoint(.scheme)))
      #expect(service.connections == 0)
    }
  }

  @Test func `a stop ends what is under way`() async throws {
    let service = try await LocalPushService.start { _ in .silence }
    var configuration = try WebPushConfiguration(key: SigningKey(), subject: "mailto:a@example.org")
    configuration.endpoints.allowsPlainLoopback = true
    configuration.connections.deadline = patience
    let route = try configuration.route(seed: 1, clocks: StandingClock().clocks)
    let reports = Locked<[PushReport]>([])
    let sender = try PushSender([route]) { report in reports.withLock { $0.append(report) } }
    for _ in 0..<3 {
      let isTaken = sender.submit(push(to: try address(service)))
      #expect(isTaken)
    }
    await service.hasReceived(3)
    // Waiting for an answer would take five minutes.
    await sender.stop()
    #expect(reports.withLock { $0 }.isEmpty)
    #expect(!sender.submit(push(to: try address(service))))
    await service.hasClosed(3)
    try await service.stop()
  }

  @Test func `a stopped transport sends nothing`() async throws {
    try await withWebPush { service, transport, _ in
      await transport.stop()
      let outcome = await transport.send(push(to: try address(service)))
      guard case .retry(_, .unreachable) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(service.connections == 0)
    }
  }
}

@Suite struct WebPushConfigurationTests {
  @Test(arguments: ["mailto:a@example.org", "https://example.org/contact"])
  func `a subject is where somebody can be reached`(subject: String) throws {
    #expect(try WebPushConfiguration(key: SigningKey(), subject: subject).subject == subject)
  }

  @Test(arguments: [
    "", "a@example.org", "mailto:", "http://example.org", "mailto:a@b\n", "mailto:a b@c",
  ])
  func `anything else is refused with what to write`(subject: String) {
    #expect(throws: PushConfigurationError.subject(subject)) {
      try WebPushConfiguration(key: SigningKey(), subject: subject)
    }
  }

  @Test func `a file is taken if there are certificates in it`() async throws {
    var configuration = try WebPushConfiguration(key: SigningKey(), subject: "mailto:a@example.org")
    let certificate = try TestCertificate(name: "push.example.net").pem
    for (text, isFine) in [
      (certificate, true), ("# ours\n" + certificate + certificate, true), ("", false),
      (SigningKey().pem, false), (certificate.replacing("M", with: "?"), false),
    ] {
      try await withFile(text) { path in
        configuration.connections.authorities = path
        do throws(PushConfigurationError) {
          _ = try configuration.route(seed: 1, clocks: StandingClock().clocks)
          #expect(isFine)
        } catch {
          #expect(!isFine && error == .certificates(path: path))
        }
      }
    }
  }

  @Test func `a file without certificates is refused at the start`() async throws {
    var configuration = try WebPushConfiguration(key: SigningKey(), subject: "mailto:a@example.org")
    configuration.connections.authorities = "/nowhere/authorities.pem"
    #expect(throws: PushConfigurationError.certificates(path: "/nowhere/authorities.pem")) {
      try configuration.route(seed: 1, clocks: StandingClock().clocks)
    }
  }
}
