import MatineeClient
import Testing

@Suite struct EndpointTests {
  @Test(arguments: [
    ("host", "host", 7878), ("host:99", "host", 99), ("[::1]:99", "::1", 99),
    ("[::1]", "::1", 7878), ("::1", "::1", 7878),
  ])
  func `addresses are read as people write them`(text: String, host: String, port: Int) {
    #expect(Endpoint(text) == Endpoint(host: host, port: UInt16(port)))
  }

  @Test(arguments: [
    "", ":99", "host:", "host:99999", "host:x", "host:+80", "host:000080", "[::1", "[::1]x", "[]",
    "[]:99",
  ])
  func `what is no address is refused`(text: String) {
    #expect(Endpoint(text) == nil)
  }
}
