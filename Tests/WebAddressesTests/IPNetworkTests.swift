import Testing
import WebAddresses

@Suite struct IPNetworkTests {
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
    ("192.0.2.0/24", "192.0.2.255", true), ("192.0.2.0/24", "192.0.3.0", false),
    ("172.16.0.0/12", "172.31.255.255", true), ("172.16.0.0/12", "172.32.0.0", false),
    // The bits behind the prefix count for nothing.
    ("10.1.2.3/8", "10.255.0.0", true), ("0.0.0.0/0", "203.0.113.7", true),
    ("0.0.0.0/0", "2001:db8::1", false), ("::1", "::1", true), ("::1", "::2", false),
    ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
    ("::/0", "2001:db8::1", true), ("::/0", "192.0.2.1", false),
    ("fe80::/10", "fe80::1%eth0", true),
    // A mapped address is the IPv4 address.
    ("192.0.2.0/24", "::ffff:192.0.2.1", true), ("::ffff:c000:201", "192.0.2.1", true),
  ])
  func `a network has the addresses that begin like it`(
    network: String, address: String, isIn: Bool
  ) throws {
    let network = try #require(IPNetwork(network))
    #expect(try network.contains(#require(IPAddress(address))) == isIn)
  }

  @Test(arguments: [
    "", "/", "/8", "proxy.example", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8",
    "10.0.0/8", "::/129", "::ffff:10.0.0.0/104", "[::1]", "127.0.0.1:8080",
  ])
  func `other texts are no network`(text: String) {
    #expect(IPNetwork(text) == nil)
  }
}
