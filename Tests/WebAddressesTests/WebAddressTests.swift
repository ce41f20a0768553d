import Testing
import WebAddresses

@Suite struct WebAddressTests {
  @Test(
    arguments: [
      ("https://Push.Example.net/p/1?a#b", "https://push.example.net", "push.example.net", "/p/1"),
      ("https://push.example.net:443/p", "https://push.example.net", "push.example.net", "/p"),
      ("https://push.example.net:8443", "https://push.example.net:8443", "push.example.net", ""),
      ("http://[::1]:80/x", "http://[::1]", "::1", "/x"),
      ("http://[::1]:8080/x", "http://[::1]:8080", "::1", "/x"),
      ("https://a.b.:/x", "https://a.b", "a.b", "/x"),
    ])
  func `an address says whom it leads to`(
    text: String, origin: String, host: String, path: String
  ) throws {
    let address = try #require(WebAddress(text))
    #expect(address.origin == origin)
    #expect(address.host == host)
    #expect(address.path == path)
  }

  @Test(
    arguments: [
      "https://a:65536/", "https://a:x/", "https://[::1]x/", "https://[1.2.3.4]/", "https://1.2.3/",
      "https://a b/", "//a/", "https:a", "https://é/",
    ])
  func `what two readers may read in two ways is no address`(text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test func `a host is below itself and what it ends in, not what it looks like`() throws {
    let address = try #require(WebAddress("https://eu.push.example.net/"))
    #expect(address.isBelow(["push.example.net"]))
    #expect(address.isBelow(["eu.push.example.net"]))
    #expect(!address.isBelow(["sh.example.net", "eu"]))
  }

  @Test(
    arguments: [
      ("localhost", true), ("a.localhost", true), ("127.8.0.1", true), ("[::1]", true),
      ("[::ffff:127.0.0.1]", true), ("10.0.0.1", false), ("localhost.example.net", false),
    ])
  func `this machine is known by its address and its name`(host: String, isLoopback: Bool) throws {
    #expect(try #require(WebAddress("http://\(host)/")).isLoopback == isLoopback)
  }
}
