import Coordination
import Testing

/// Where connections come from, as the kernel writes it.
@Suite struct PeerAddressTests {
  @Test(
    arguments: [
      ("127.0.0.1", true), ("127.8.0.1", true), ("::1", true), ("192.0.2.1", false),
      ("2001:db8::1", false), ("fe80::1%eth0", false), ("2002:7f00:1::", false),
      ("64:ff9b::7f00:1", false),
    ])
  func `only a packet of this machine is this machine's`(host: String, isLoopback: Bool) throws {
    #expect(try #require(PeerAddress(host: host)).isLoopback == isLoopback)
  }

  @Test func `only an address of this machine may be a proxy's`() throws {
    let (machine, other) = (
      try #require(PeerAddress(host: "::1")), try #require(PeerAddress(host: "192.0.2.1"))
    )
    #expect(machine.atWeb.isProxied && machine.atWeb != machine && machine < machine.atWeb)
    #expect(!other.atWeb.isProxied && other.atWeb == other)
  }

  @Test func `a household of IPv6 is one address, each address of IPv4 is one`() throws {
    #expect(PeerAddress(host: "2001:db8:1:2::1") == PeerAddress(host: "2001:db8:1:2:ffff::9"))
    #expect(PeerAddress(host: "2001:db8:1:2::1") != PeerAddress(host: "2001:db8:1:3::1"))
    #expect(PeerAddress(host: "192.0.2.1") != PeerAddress(host: "192.0.2.2"))
    #expect(PeerAddress(host: "192.0.2.1") == PeerAddress(host: "::ffff:192.0.2.1"))
    for host in ["closed", "a local socket", ""] { #expect(PeerAddress(host: host) == nil) }
  }
}
