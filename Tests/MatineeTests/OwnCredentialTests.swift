import MatineeClient
import Testing

@testable import matinee

/// The addresses under which credentials are stored.
@Suite struct OwnCredentialTests {
  @Test(arguments: [
    ("localhost:1", "127.0.0.1:1"), ("127.0.0.1:1", "127.0.0.1:1"), ("[::1]:1", "127.0.0.1:1"),
    ("[0:0:0:0:0:0:0:1]:1", "127.0.0.1:1"), ("localhost:2", "127.0.0.1:2"),
    // Each may be a server of its own.
    ("127.0.0.2:1", "127.0.0.2:1"), ("10.0.0.1:1", "10.0.0.1:1"), ("[::2]:1", "[::2]:1"),
    ("localhost.example:1", "localhost.example:1"),
  ])
  func `names of this machine are one server, and other addresses are others`(
    address: String, stored: String
  ) throws {
    let endpoint = try #require(Endpoint(address))
    #expect("\(endpoint.withOneLoopback)" == stored)
  }
}
