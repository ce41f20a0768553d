import ArgumentParser
import FolderTesting
import MatineeClient
import Testing

@testable import matinee

/// How a server that is known proves itself, and what people say of it.
@Suite struct SecurityArgumentsTests {
  @Test func `a server with a new certificate of an authority is believed if its person says so`()
    throws
  {
    let scratch = try ScratchFolder()
    let store = try #require(
      ServerStore.known(in: ["XDG_STATE_HOME": scratch.path(of: "state")]))
    let server = Endpoint(host: "host", port: 1)
    let own = ConnectionSecurity.fingerprint(String(repeating: "A", count: 43))
    try store.remember(own, of: server)
    func security(_ options: [String]) throws -> ServerSecurity {
      try SecurityArguments.parse(options).security(of: server, linked: .automatic, in: store)
    }
    #expect(try security([]).security == own, "a link without a fingerprint says nothing")
    let believed = try security(["--new-server-key"])
    #expect(believed.security == .automatic)
    try believed.remember()
    #expect(try store.security(of: server) == .automatic)
  }
}
