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
        let server = try MatineeServer(
          ServerConfiguration(endpoints: [.init(host: "127.0.0.1", port: 0)]), on: test.loop,
          log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        servers.append(server)
        let syncplay = try SyncplayDialect(
          SyncplayConfiguration(
            endpoints: [.init(host: "127.0.0.1", port: 0)], options: script.setting.options),
          on: server)
        return try #require(
          syncplay.endpoints.first.flatMap(ServerConfiguration.Endpoint.init)
        )
        .port
      }
    }
  }

  @Test(arguments: SyncplayCase.all)
  func `a script holds at a server in front`(script: SyncplayCase) throws {
    try TestLoop.run { test in
      var clusters: [Cluster] = []
      try script.play(on: test) {
        let cluster = try Cluster(test, syncplay: script.setting.options)
        clusters.append(cluster)
        return cluster.syncplayPorts[0]
      }
    }
  }
}
