import ArgumentParser
import Server
import Testing

@testable import matinee

/// Who may come in if nobody says it.
struct AccessOptionsTests {
  private func asksForKeys(_ arguments: [String], _ addresses: String...) throws -> Bool {
    let endpoints = try addresses.map { try #require(ServerConfiguration.Endpoint($0)) }
    return try AccessOptions.parse(arguments).asksForKeys(listening: endpoints)
  }

  @Test func `a server that other machines reach asks for keys unless another mode is said`() throws
  {
    #expect(try !asksForKeys([], "127.0.0.1:7878", "[::1]:7878", "localhost:7878"))
    for address in ["0.0.0.0:7878", "[::]:7878", "192.0.2.1:7878", "films.example:7878"] {
      #expect(try asksForKeys([], address), "\(address)")
      #expect(try asksForKeys([], "127.0.0.1:7878", address), "\(address)")
      #expect(try !asksForKeys(["--access", "open"], address), "\(address)")
    }
    #expect(try asksForKeys(["--access", "keys"], "127.0.0.1:7878"))
  }
}
