import EventLoops
import LoopTesting
import ProgramTesting
import Testing

/// `matinee serve --trusted-proxy`, by the built program.
@Suite struct TrustedProxyTests {
  private static func client(_ number: Int) -> String { "X-Forwarded-For: 203.0.113.\(number)" }

  @Test(arguments: [true, false])
  func `each client of a trusted proxy guesses for itself, and any other proxy's together`(
    isTrusted: Bool
  ) throws {
    try TestLoop.run { test in
      let proxies = isTrusted ? ["--trusted-proxy", "127.0.0.0/8"] : []
      let evening = try KeyedServer(["--http", "127.0.0.1:0"] + proxies, on: test)
      try test.run { evening.server.port(of: "serving browsers") != nil }
      let port = try #require(evening.server.port(of: "serving browsers"))
      for number in 1...6 {
        let eve = try WebPeer(port: port, on: test)
        #expect(try eve.upgrade(Self.client(number)).status == 101)
        // The way from the proxy stays within the machine, so it does not ask for TLS.
        try eve.say(#"{"type":"hello","user":"eve","administratorKey":"short"}"#)
        let code = isTrusted || number <= 5 ? "wrongKey" : "tooManyGuesses"
        try test.run { eve.heard(code) || eve.hasEnded }
        #expect(eve.heard(code), "\(number): \(eve.messages)")
      }
      func closings() -> [Substring] {
        evening.log.split(separator: "\n").filter { $0.contains("closing a connection") }
      }
      try test.run { closings().count == 6 }
      for (number, line) in zip(1..., closings()) {
        let address = isTrusted ? "203.0.113.\(number)" : "127.0.0.1"
        #expect(line.contains("address=\(address)"), "\(line)")
      }
    }
  }

  @Test func `each client of a trusted proxy has the bounds of an address`() throws {
    try TestLoop.run { test in
      let (server, _) = try Program.serve(
        [
          "--http", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1", "--connections-per-address", "1",
        ], on: test)
      try test.run { server.port(of: "serving browsers") != nil }
      let port = try #require(server.port(of: "serving browsers"))
      func connect() throws -> WebPeer { try WebPeer(port: port, on: test) }
      // The connections by HTTP, which are the proxy's: each is that of the client who asked last.
      let first = try connect()
      #expect(try first.get("/healthz", Self.client(7)).status == 200)
      #expect(try connect().get("/healthz", Self.client(7)).status == 429)
      #expect(try first.get("/healthz", Self.client(8)).status == 200)
      #expect(try connect().get("/healthz", Self.client(7)).status == 200)
      #expect(try connect().get("/healthz", "X-Forwarded-For: unknown").status == 200)
      // The WebSockets.
      for (number, comesIn) in [(9, true), (9, false), (10, true)] {
        let peer = try connect()
        #expect(try peer.upgrade(Self.client(number)).status == 101)
        if comesIn { try peer.say(#"{"type":"hello","user":"p\#(number)"}"#) }
        try test.run { peer.heard(#""type":"welcome""#) || peer.hasEnded }
        #expect(peer.hasEnded == !comesIn, "\(number)")
      }
      #expect(server.ending == nil)
    }
  }
}
