import EventLoops
import Journals
import MatineeClient
import PostgreSQL
import Scenarios
import Vocabulary

/// The servers of a stage, and their database if they have one.
///
/// One server is enough for most scenarios. Three share a journal in PostgreSQL if one has to take
/// over: one decides, and the others take people in for it. Confined to its loop, which runs only
/// while this object waits.
final class StagedServers {
  /// The ports at which people come in, one for each server.
  let ports: [UInt16]
  private let executable: String
  /// The files of the servers and of those after a restart.
  private let files: ServerFiles
  private let database: StagedDatabase?
  private let loop: EventLoop
  /// The server that decides; after it was killed, one of the others.
  private var server: StagedServer
  private var fronts: [StagedServer] = []
  /// The server that was killed.
  private var retired: StagedServer?
  /// Whether to start another server once the killed one has ended.
  private var startsAgain = false

  /// How long a server or its database may take to listen.
  ///
  /// A server takes about 20 ms, and a new database seconds; on a busy machine it can be minutes.
  private static let patience = Duration.seconds(120)
  /// How many servers take people in for the one that decides.
  private static let frontCount = 2

  /// Starts the servers that a scenario needs, and waits until they listen.
  init(
    for scenario: Scenario, serving executable: String, isEncrypted: Bool, on loop: EventLoop
  ) throws(StageError) {
    self.executable = executable
    self.loop = loop
    database = try scenario.failsOver ? Self.startDatabase(on: loop) : nil
    files = try ServerFiles(for: scenario, isEncrypted: isEncrypted, in: database?.address)
    // Who takes over listens at the same port again.
    let isAlone = database == nil
    server = try Self.listening(executable, files, at: isAlone ? 0 : Self.freePort(on: loop), loop)
    do throws(StageError) {
      for _ in 0..<(isAlone ? 0 : Self.frontCount) {
        fronts.append(
          try Self.listening(executable, files, at: Self.freePort(on: loop), loop))
      }
    } catch {
      for server in [server] + fronts { server.stop(.kill) }
      throw error
    }
    ports = ([server] + fronts).compactMap(\.port)
  }

  /// How clients connect.
  var security: ConnectionSecurity { files.security }

  /// Why the scenario cannot go on; `nil` while it can.
  ///
  /// Any server that ends by itself is a reason, also one that only takes people in.
  var failure: String? {
    for server in [server] + fronts where !server.isKilled {
      guard let ending = server.ending else { continue }
      let place = server.port.map { " at 127.0.0.1:\($0)" } ?? ""
      return "the server\(place) ended: \(ending); \(server.lastWords)"
    }
    return nil
  }

  /// Starts a server, and waits until it listens.
  private static func listening(
    _ executable: String, _ files: ServerFiles, at port: UInt16, _ loop: EventLoop
  ) throws(StageError) -> StagedServer {
    let server = try start(executable, files, at: port, on: loop)
    loop.run(within: patience) { server.port != nil || server.ending != nil }
    guard server.port != nil else {
      let words = server.ending == nil ? "it does not listen" : server.lastWords
      server.stop(.kill)
      server.close()
      throw .serverDidNotStart(words)
    }
    return server
  }

  private static func start(
    _ executable: String, _ files: ServerFiles, at port: UInt16, on loop: EventLoop
  ) throws(StageError) -> StagedServer {
    do throws(UVError) {
      return try StagedServer(executable, port: port, files: files, on: loop) { loop.stop() }
    } catch {
      throw .system(error)
    }
  }

  private static func freePort(on loop: EventLoop) throws(StageError) -> UInt16 {
    do throws(EndpointError) {
      return try FreePort.find(on: loop)
    } catch {
      throw .endpoint(error)
    }
  }

  private static func startDatabase(on loop: EventLoop) throws(StageError) -> StagedDatabase {
    let database: StagedDatabase
    do throws(UVError) {
      database = try StagedDatabase(on: loop) { loop.stop() }
    } catch {
      throw .system(error)
    }
    loop.run(within: patience) { database.address != nil || database.failure != nil }
    guard let address = database.address else {
      let reason = database.failure ?? "it takes no connections"
      database.close()
      throw .databaseDidNotStart(reason)
    }
    do {
      _ = try PostgreSQLMigration.run(PostgreSQLAddress(address))
    } catch {
      throw .databaseDidNotStart("\(error)")
    }
    return database
  }

  /// Carries out a verb.
  func perform(_ verb: ServerVerb) throws(StageError) {
    switch verb {
    case .kill: server.kill()
    case .start:
      startsAgain = true
      try startAgain()
    case .failOver: failOver()
    }
  }

  /// Kills the server that decides; one of the others takes over.
  private func failOver() {
    guard !fronts.isEmpty else { return }
    server.kill()
    retired = server
    server = fronts.removeFirst()
  }

  /// Starts another server once the killed one has ended and released its port and journal.
  func startAgain() throws(StageError) {
    guard startsAgain, server.isKilled, server.ending != nil else { return }
    startsAgain = false
    server.close()
    server = try Self.start(executable, files, at: ports[0], on: loop)
  }

  /// Stops everything, and waits for it.
  func close() {
    // First, so that they do not take over.
    for front in fronts { front.stop(.kill) }
    server.stop(.terminate)
    loop.run(within: .seconds(5)) { [server] in server.ending != nil }
    server.stop(.kill)
    for server in fronts + [server, retired].compactMap(\.self) { server.close() }
    database?.stop()
    loop.run(within: .seconds(5)) { [database] in database?.hasEnded != false }
    database?.close()
  }
}

@available(*, unavailable)
extension StagedServers: Sendable {}

extension EventLoop {
  /// Runs until the condition holds, or the time is over.
  ///
  /// Whatever may make the condition hold stops the loop.
  func run(within limit: Duration, until condition: () -> Bool) {
    let end = now + limit
    let timer = LoopTimer(on: self) { self.stop() }
    timer.fire(at: end)
    defer { timer.close() }
    while !condition(), now < end { run() }
  }
}
