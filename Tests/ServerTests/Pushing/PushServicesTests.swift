import PushTransports
import Server
import Testing
import UserNotifications
import Vocabulary

@Suite struct PushServicesTests {
  private let clocks = PushClocks(
    group: { Instant(microseconds: 0) }, wall: { Instant(microseconds: 0) })

  @Test func `without keys there is no way to anybody`() throws {
    let services = PushServices()
    #expect(try services.routes(clocks: clocks).isEmpty)
    #expect(services.flaw(of: browser()) == "this server has no key for Web Push")
    #expect(services.flaw(of: device) == "this server has no key for APNs")
  }

  @Test func `with keys there is one for each, and endpoints are looked at`() throws {
    var services = PushServices()
    services.webPush = try WebPushConfiguration(
      key: SigningKey(), subject: "mailto:a@example.org")
    #expect(services.flaw(of: device) == "this server has no key for APNs")
    services.apns = try APNsConfiguration(
      key: SigningKey(), keyID: "ABC123DEFG", teamID: "TEAM123456")
    #expect(services.flaw(of: browser()) == nil && services.flaw(of: device) == nil)
    #expect(
      services.flaw(of: browser(at: "https://10.0.0.1/"))
        == "pushes must not go to this endpoint (privateHost)")
    let flaw = try #require(services.flaw(of: browser(at: "https://push.example.org/")))
    #expect(flaw.contains("(unknownHost)") && flaw.contains("--web-push-host"))
    let routes = try services.routes(clocks: clocks)
    #expect(routes.count == 2)
  }
}
