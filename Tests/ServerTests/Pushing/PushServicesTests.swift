import PushTransports
import Server
import Testing
import UserNotifications
import Vocabulary

@Suite struct PushServicesTests {
  @Test func `without keys there is no way to anybody`() throws {
    let services = PushServices()
    #expect(try services.transports { Instant(microseconds: 0) }.isEmpty)
    #expect(services.flaw(of: browser()) == "this server has no key for Web Push")
    #expect(services.flaw(of: device) == "this server has no key for APNs")
  }

  @Test func `with keys there is one for each, and endpoints are looked at`() async throws {
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
    let transports = try services.transports { Instant(microseconds: 0) }
    #expect(transports.count == 2)
    for transport in transports { await transport.stop() }
  }
}
