import EventLoops
import Logging
import LoopTesting
import Server
import SyncplayTesting
import Testing

/// The scripts that any server of Syncplay's can be held to, on this one, over TCP.
@Suite struct SyncplayServerTests {
  @Test(arguments: SyncplayCase.all)
  func `a script holds over TCP`(script: SyncplayCase) throws {
    try TestLoop.run { test in
      var servers: [MatineeServer] = []
      try script.play(on: test) {
        let configuration = ServerConfiguration(
          endpoints: [.init(host: "127.0.0.1", port: 0)],
          syncplay: SyncplayConfiguration(
            endpoints: [.init(host: "127.0.0.1", port: 0)], options: script.setting.options))
        let server = try MatineeServer(
          configuration, on: test.loop,
          log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        servers.append(server)
        return try #require(
          server.syncplayEndpoints.first.flatMap(ServerConfiguration.Endpoint.init)
        )
        .port
      }
    }
  }
}
