import MatineeClient
import Naming
import Testing
import Vocabulary

@testable import matinee

/// The addresses and users under which credentials are stored.
@Suite struct OwnCredentialTests {
  @Test func `a name is the user as a whole, as it is on the page`() {
    for name in ["Ann", String(repeating: "a", count: 64), String(repeating: "長", count: 21)] {
      let person = Identity(atTerminal: name)
      #expect(person.user.text == name && person.name == name)
      #expect(person.device.text.utf8.count <= Limits().identifierBytes)
    }
    #expect(Identity(atTerminal: "Ann", user: UserID("zoe")).user.text == "zoe")
  }

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
