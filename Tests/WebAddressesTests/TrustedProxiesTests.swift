import Testing
import WebAddresses

/// For whom a trusted proxy passes on a request.
@Suite struct TrustedProxiesTests {
  private let proxies = TrustedProxies(
    ["127.0.0.1", "::1", "10.0.0.0/8", "2001:db8:1::/48"].compactMap(IPNetwork.init))

  @Test(arguments: [
    ("127.0.0.1", true), ("::1", true), ("10.1.2.3", true), ("2001:db8:1:2::3", true),
    ("127.0.0.2", false), ("192.0.2.1", false), ("2001:db8:2::1", false),
    ("a local socket", false), ("closed", false),
  ])
  func `only who is named is believed`(host: String, isTrusted: Bool) {
    #expect(proxies.includes(host) == isTrusted)
    #expect(!TrustedProxies().includes(host))
  }

  /// What `X-Forwarded-For` says to 127.0.0.1, and who the client is.
  @Test(arguments: [
    (["203.0.113.7"], "203.0.113.7"),
    (["2001:db8:2::7"], "2001:db8:2::7"),
    // Only the last one was written by the proxy.
    (["198.51.100.1", "203.0.113.7"], "203.0.113.7"),
    (["nonsense", "127.0.0.1", "203.0.113.7"], "203.0.113.7"),
    // A proxy before the proxy.
    (["198.51.100.1", "203.0.113.7", "10.0.0.2", "10.0.0.3"], "203.0.113.7"),
    (["203.0.113.7", "127.0.0.1"], "203.0.113.7"),
    // Somebody in the proxies' own network.
    (["10.0.0.2"], "10.0.0.2"), (["10.0.0.2", "10.0.0.3"], "10.0.0.2"),
    // As proxies write it that listen for both families, or write ports.
    (["::ffff:203.0.113.7"], "203.0.113.7"), (["203.0.113.7:51000"], "203.0.113.7"),
    (["[2001:db8:2::7]:51000"], "2001:db8:2::7"), (["[2001:db8:2::7]"], "2001:db8:2::7"),
  ])
  func `a client is the last one that is no trusted proxy`(words: [String], client: String) {
    #expect(proxies.client(behind: "127.0.0.1", forwardedFor: words) == client)
  }

  @Test(arguments: [
    [], ["unknown"], ["203.0.113.7", "unknown"], ["203.0.113.7", "_hidden", "10.0.0.2"],
    ["203.0.113.7 198.51.100.1"], ["203.0.113.700"], ["203.0.113"], ["["], ["[]"], [":"], ["%"],
    // An address of the proxy's own machine, which is not the server's.
    ["127.0.0.1"], ["127.0.0.2"], ["203.0.113.7", "127.0.0.2"], ["::1"], ["::ffff:127.0.0.1"],
  ])
  func `what does not say who the client is leaves the proxy's own address`(words: [String]) {
    #expect(proxies.client(behind: "10.0.0.9", forwardedFor: words) == "10.0.0.9")
  }
}
