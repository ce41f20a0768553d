import PushTransports
import Testing

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

  @Test func `a file without certificates is refused at the start`() async throws {
    var configuration = try WebPushConfiguration(key: SigningKey(), subject: "mailto:a@example.org")
    configuration.connections.authorities = "/nowhere/authorities.pem"
    #expect(throws: PushConfigurationError.certificates(path: "/nowhere/authorities.pem")) {
      try WebPushTransport(configuration, seed: 1) { StandingClock.start }
    }
  }
}
