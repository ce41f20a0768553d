import Testing
import WebAddresses

@Suite struct IPAddressTests {
  @Test(
    arguments: [
      "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.31.255.255",
      "192.168.0.1", "192.0.0.8", "192.0.2.1", "198.19.0.1", "198.51.100.1", "203.0.113.7",
      "224.0.0.1", "255.255.255.255",
    ])
  func `an address of four numbers that is not the internet's is private`(text: String) throws {
    #expect(try #require(IPv4Address(text)).isPrivate)
    // However it is wrapped.
    for wrapped in ["::ffff:\(text)", "::\(text)", "64:ff9b::\(text)", "::ffff:0:\(text)"] {
      #expect(try #require(IPv6Address(wrapped)).isPrivate, "\(wrapped)")
    }
  }

  @Test(
    arguments: [
      "1.1.1.1", "100.63.0.1", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.0.1.1",
      "198.17.0.1", "198.20.0.1", "198.51.101.1", "203.0.114.1", "223.255.255.255",
    ])
  func `its neighbours are public`(text: String) throws {
    #expect(try !#require(IPv4Address(text)).isPrivate)
    #expect(try !#require(IPv6Address("::ffff:\(text)")).isPrivate)
  }

  @Test(
    arguments: [
      "::", "::1", "fc00::1", "fdff::1", "fe80::1", "fec0::1", "ff02::1", "2002:7f00:1::",
      "2002:a00:1::5", "64:ff9b:1::", "64:ff9b:1::1.1.1.1", "64:ff9b:1:a00:1:100::",
      "2001:0:101:101::80ff:fffe",
    ])
  func `a long address that is not the internet's is private`(text: String) throws {
    #expect(try #require(IPv6Address(text)).isPrivate)
  }

  @Test(arguments: [
    "2606:4700::1111", "2002:101:101::", "64:ff9b::1.1.1.1", "64:ff9b:2::1", "fb00::1",
    "2001:0:a00:1::fefe:fefe", "2001:1::80ff:fffe",
  ])
  func `others are public`(text: String) throws {
    #expect(try !#require(IPv6Address(text)).isPrivate)
  }

  @Test(arguments: ["", "1.2.3", "1.2.3.4.5", "01.2.3.4", "+1.2.3.4", "1.2.3.256", "1.2.3.x"])
  func `other texts are no address of four numbers`(text: String) {
    #expect(IPv4Address(text) == nil)
  }

  @Test(arguments: [
    "", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "12345::", "::1.2.3", "1:2:3:4:5:6:7::8:9",
  ])
  func `other texts are no long address`(text: String) {
    #expect(IPv6Address(text) == nil)
  }
}
