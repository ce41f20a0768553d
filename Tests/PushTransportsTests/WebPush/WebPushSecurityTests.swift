import PushTesting
import PushTransports
import Testing
import Vocabulary

/// Web Push over TLS to a host name that resolves to this machine.
@Suite(.timeLimit(.minutes(30))) struct WebPushSecurityTests {
  private let browser = LocalBrowser()

  /// The outcome of a push to `push.example.net`.
  private func outcome(
    _ speech: (TestCertificate) -> LocalPushService.Speech = { .secure($0) },
    named name: String = "push.example.net", isTrusted: Bool = true, allowsPrivateHosts: Bool = true
  ) async throws -> (PushOutcome, [ReceivedPush], connections: Int) {
    let certificate = try TestCertificate(name: name)
    let service = try await LocalPushService.start(speech(certificate)) { _ in .answer(201) }
    let outcome = try await withFile(certificate.pem) { path in
      var configuration = try WebPushConfiguration(
        key: SigningKey(), subject: "mailto:a@example.org")
      configuration.endpoints.allowsPrivateHosts = allowsPrivateHosts
      configuration.connections.deadline = patience
      configuration.connections.addresses = ["push.example.net": "127.0.0.1"]
      if isTrusted { configuration.connections.authorities = path }
      configuration.endpoints.hosts.formUnion(
        [try #require(PushHost("push.example.net:\(service.port)"))])
      let transport = try RunningTransport(
        configuration.route(seed: 1, clocks: StandingClock().clocks))
      let endpoint = "https://push.example.net:\(service.port)/1"
      let outcome = await transport.send(
        push(to: .webPush(try browser.subscription(at: endpoint))))
      await transport.close()
      return outcome
    }
    let (received, connections) = (service.received, service.connections)
    try await service.stop()
    return (outcome, received, connections)
  }

  @Test func `a push goes by HTTP/2 where the service speaks it`() async throws {
    let (outcome, received, _) = try await outcome()
    #expect(outcome == .delivered)
    let push = try #require(received.first)
    #expect(push.isHTTP2)
    #expect(push.fields["content-encoding"] == "aes128gcm")
    #expect(try browser.open(push.body) == #"{"aps":{"alert":"Film?"}}"#)
  }

  @Test func `a push goes by HTTP/1.1 where the service speaks no other`() async throws {
    let (outcome, received, _) = try await outcome { .secureHTTP1($0) }
    #expect(outcome == .delivered)
    #expect(received.map(\.isHTTP2) == [false])
  }

  @Test func `a service that nobody vouches for gets nothing`() async throws {
    let (outcome, received, _) = try await outcome(isTrusted: false)
    if case .retry(_, .unreachable) = outcome {} else { Issue.record("\(outcome)") }
    #expect(received == [])
  }

  @Test func `a service of another name gets nothing`() async throws {
    let (outcome, received, _) = try await outcome(named: "other.example.net")
    if case .retry(_, .unreachable) = outcome {} else { Issue.record("\(outcome)") }
    #expect(received == [])
  }

  @Test(arguments: [true, false])
  func `a public name that leads into the own network gets nothing`(isHTTP2: Bool) async throws {
    let (outcome, received, connections) = try await outcome(
      { isHTTP2 ? .secure($0) : .secureHTTP1($0) }, allowsPrivateHosts: false)
    guard case .retry(_, .unreachable("the address is not allowed")) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(received == [])
    // The address is judged before anything connects to it.
    #expect(connections == 0)
  }
}
