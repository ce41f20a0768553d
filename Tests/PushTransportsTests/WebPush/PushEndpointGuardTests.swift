import Testing

@testable import PushTransports

@Suite struct PushEndpointGuardTests {
  private static let endpoint = "https://fcm.googleapis.com/1"

  @Test(
    arguments: [
      ("https://fcm.googleapis.com/fcm/send/abc:def", nil),
      ("https://updates.push.services.mozilla.com/wpush/v2/g?x=1", nil),
      ("https://web.push.apple.com/QGuS", nil), ("https://wns2-par02p.notify.windows.com/w/", nil),
      ("HTTPS://FCM.googleapis.com:443/1", nil), ("https://push.example.net/1", .unknownHost),
      ("https://fcm.googleapis.com.example.net/1", .unknownHost),
      ("https://googleapis.com/1", .unknownHost), ("https://1.1.1.1/1", .unknownHost),
      ("https://fcm.googleapis.com:8443/1", .port), ("https://fcm.googleapis.com:22/", .port),
      ("", .malformed), ("push", .malformed), ("https://push.example.net/a b", .malformed),
      ("https://push.example.net/\r\nHost: x", .malformed), ("https://2130706433/", .malformed),
      ("https://0x7f.1/", .malformed), ("https://push.example.net:70000/", .malformed),
      ("https://a\\@push.example.net/", .malformed), ("https:///1", .noHost),
      ("https://me:secret@push.example.net/1", .userInformation),
      ("https://push.example.net@127.0.0.1/", .userInformation),
      ("http://push.example.net/1", .scheme), ("ftp://push.example.net/1", .scheme),
      ("unix://push.example.net/1", .scheme), ("http://localhost:80/", .scheme),
      ("http+unix://a.example/x", .scheme), ("https+unix://a.example/x", .scheme),
      ("https://localhost/1", .privateHost), ("https://db/1", .privateHost),
      ("https://a.internal/1", .privateHost), ("https://127.0.0.1/1", .privateHost),
      ("https://10.1.2.3/1", .privateHost), ("https://169.254.169.254/latest", .privateHost),
      ("https://[::1]/1", .privateHost), ("https://[fe80::1]/1", .privateHost),
      ("https://[::ffff:192.168.1.1]/1", .privateHost), ("https://[64:ff9b::a00:1]/", .privateHost),
      ("https://224.0.0.1/1", .privateHost),
    ] as [(String, PushEndpointFault?)])
  func `pushes go over https to the push services of browsers`(
    endpoint: String, fault: PushEndpointFault?
  ) {
    #expect(PushEndpointGuard().fault(of: endpoint) == fault)
  }

  @Test func `an endpoint longer than anybody takes is refused`() {
    let endpoint = "https://fcm.googleapis.com/" + String(repeating: "a", count: 2_021)
    #expect(endpoint.utf8.count == 2_048)
    #expect(PushEndpointGuard().fault(of: endpoint) == nil)
    #expect(PushEndpointGuard().fault(of: endpoint + "a") == .tooLong)
  }

  @Test func `who develops may use http on this machine, and nothing more`() {
    var guarded = PushEndpointGuard()
    guarded.allowsPlainLoopback = true
    #expect(guarded.fault(of: "http://127.0.0.1:8080/1") == nil)
    #expect(guarded.fault(of: "http://[::1]/1") == nil)
    #expect(guarded.fault(of: "http://localhost/1") == nil)
    #expect(guarded.fault(of: "https://localhost/1") == .privateHost)
    #expect(guarded.fault(of: "http://10.0.0.1/1") == .scheme)
    #expect(guarded.fault(of: "http://push.example.net/1") == .scheme)
    for address in ["127.0.0.1", "::1"] {
      #expect(guarded.admits(address: address, for: "http://localhost/1"))
      #expect(guarded.admits(address: address, for: "http://[::1]:8080/1"))
      #expect(!guarded.admits(address: address, for: Self.endpoint))
    }
    #expect(!guarded.admits(address: "10.0.0.1", for: "http://localhost/1"))
  }

  @Test func `a push service of one's own may stand nearby`() {
    var guarded = PushEndpointGuard()
    guarded.allowsPrivateHosts = true
    #expect(guarded.fault(of: "https://10.0.0.1/1") == .unknownHost)
    guarded.hosts.formUnion(["10.0.0.1", "push"].compactMap(PushHost.init))
    #expect(guarded.fault(of: "https://10.0.0.1/1") == nil)
    #expect(guarded.fault(of: "https://push/1") == nil)
    #expect(guarded.fault(of: "https://10.0.0.2/1") == .unknownHost)
    #expect(guarded.fault(of: "http://10.0.0.1/1") == .scheme)
    #expect(guarded.admits(address: "10.0.0.1", for: "https://push/1"))
    #expect(guarded.admits(address: "10.0.0.1", for: "https://a.push/1"))
    // Any other allowed host may lead only to public addresses.
    guarded.allowsAnyPublicHost = true
    #expect(guarded.fault(of: "https://push.example.net/1") == nil)
    for address in ["10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "fd00::1"] {
      #expect(!guarded.admits(address: address, for: "https://push.example.net/1"), "\(address)")
    }
    #expect(guarded.admits(address: "1.1.1.1", for: "https://push.example.net/1"))
  }

  @Test func `hosts that are named come besides, with the port that is named`() throws {
    var guarded = PushEndpointGuard()
    guarded.hosts.formUnion(
      ["push.example.net", "[2606:4700::1111]:8443"].compactMap(PushHost.init))
    #expect(guarded.fault(of: "https://push.example.net/1") == nil)
    #expect(guarded.fault(of: "https://eu.push.example.net/1") == nil)
    #expect(guarded.fault(of: "https://evil-push.example.net/1") == .unknownHost)
    #expect(guarded.fault(of: "https://push.example.net:8443/1") == .port)
    #expect(guarded.fault(of: "https://[2606:4700::1111]:8443/1") == nil)
    #expect(guarded.fault(of: "https://[2606:4700::1111]/1") == .port)
    #expect(guarded.fault(of: "https://fcm.googleapis.com/1") == nil)
  }

  @Test func `every public host may be allowed, with the usual port`() {
    var guarded = PushEndpointGuard()
    guarded.allowsAnyPublicHost = true
    #expect(guarded.fault(of: "https://push.example.net/1") == nil)
    #expect(guarded.fault(of: "https://push.example.net:22/1") == .port)
    #expect(guarded.fault(of: "https://10.0.0.1/1") == .privateHost)
    guarded.allowsPrivateHosts = true
    #expect(guarded.fault(of: "https://10.0.0.1/1") == .unknownHost)
  }

  @Test(arguments: [
    "", "*", "Push.example.net", "https://a.example", "a.example/", "a.example:443",
    "a.example:0x1",
    "me@a.example", "a example", "127.1",
  ])
  func `a host is written in one way`(text: String) {
    #expect(PushHost(text) == nil)
  }

  @Test func `a connection into the own network is not used, whatever led there`() {
    let guarded = PushEndpointGuard()
    #expect(guarded.admits(address: "1.1.1.1", for: Self.endpoint))
    #expect(guarded.admits(address: "2606:4700::1111", for: Self.endpoint))
    for address in ["127.0.0.1", "10.0.0.1", "::1", "fe80::1%eth0", "::ffff:10.0.0.1", "", "x"] {
      #expect(!guarded.admits(address: address, for: Self.endpoint), "\(address)")
    }
  }
}
