package import EventLoops
import Journals
import Players
import PostgreSQL
package import Scenarios
import Transports
package import Vocabulary

/// A stage in real time: the built server as a child process, and real clients over real TCP.
///
/// Each client has a simulated poor network of its own, and a simulated or real player.
///
/// Confined to its loop's thread; the loop runs only within ``run(until:)``.
package final class TCPStage: ScenarioStage {
  private let loop: EventLoop
  private let executable: String
  /// The files of the server and of its successor after a restart.
  private let files: ServerFiles
  private var server: StagedServer
  /// The server that takes over from it; `nil` if there is none, or it has done so.
  private var standby: StagedServer?
  /// The server that was taken over from.
  private var retired: StagedServer?
  private let database: StagedDatabase?
  /// Whether to start another server once the killed one has ended.
  private var startsAgain = false
  /// When the scenario began.
  package let start: HostTime
  private let showsWindows: Bool
  private let recorder: PlayheadRecorder?
  private var peers: [String: StagedPeer] = [:]
  private var proxies: [DelayProxy] = []
  private var alarm: LoopTimer?
  private var breakdown: String?
  /// The server's port.
  package let port: UInt16

  /// How long a server may take to listen; it takes about 20 ms, but seconds on a busy machine.
  private static let patience = Duration.seconds(20)

  /// Starts a server and sets up a scenario; every client begins to connect.
  ///
  /// - Parameters:
  ///   - scenario: the scenario whose peers take part.
  ///   - executable: the program `matinee`.
  ///   - seed: the seed for network jitter and for the players' random behaviour.
  ///   - isEncrypted: whether clients connect over TLS.
  ///   - showsWindows: whether mpv opens windows and makes sound.
  ///   - recorder: measures every mpv from outside; the caller closes it.
  ///   - loop: the loop that runs everything except the server.
  package init(
    _ scenario: Scenario, serving executable: String, seed: UInt64, isEncrypted: Bool = false,
    showsWindows: Bool = false, recorder: PlayheadRecorder? = nil, on loop: EventLoop
  ) throws(StageError) {
    self.loop = loop
    self.executable = executable
    self.showsWindows = showsWindows
    self.recorder = recorder
    database = try scenario.failsOver ? Self.startDatabase(on: loop) : nil
    files = try ServerFiles(for: scenario, isEncrypted: isEncrypted, in: database?.address)
    server = try Self.startServer(executable, files: files, on: loop)
    port = try Self.awaitServer(server, on: loop)
    standby =
      try database == nil
      ? nil : Self.startServer(executable, port: port, files: files, isStandby: true, on: loop)
    start = loop.now
    alarm = LoopTimer(on: loop) { loop.stop() }
    try setUp(scenario, seed)
  }

  private static func startServer(
    _ executable: String, port: UInt16 = 0, files: ServerFiles, isStandby: Bool = false,
    on loop: EventLoop
  ) throws(StageError) -> StagedServer {
    do throws(UVError) {
      return try StagedServer(executable, port: port, files: files, isStandby: isStandby, on: loop)
      {
        loop.stop()
      }
    } catch {
      throw .system(error)
    }
  }

  private static func awaitServer(
    _ server: StagedServer, on loop: EventLoop
  ) throws(StageError) -> UInt16 {
    loop.run(within: patience) { server.port != nil || server.ending != nil }
    guard let port = server.port else {
      let words = server.ending == nil ? "it does not listen" : server.lastWords
      server.stop(.kill)
      server.close()
      throw .serverDidNotStart(words)
    }
    return port
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

  private func setUp(_ scenario: Scenario, _ seed: UInt64) throws(StageError) {
    var chance = SplitMix64(seed: seed)
    let answers = FlushList(on: loop, limits: ConnectionLimits())
    for peer in scenario.peers {
      let proxy: DelayProxy
      do throws(EndpointError) {
        proxy = try DelayProxy(
          to: "127.0.0.1", port, peer.network, seed: chance.next(), on: loop)
      } catch {
        close()
        throw .endpoint(error)
      }
      proxies.append(proxy)
      do throws(UVError) {
        peers[peer.name] = try StagedPeer(
          peer, in: scenario, through: proxy, under: files.security, on: loop, answers: answers,
          seed: chance.next(),
          settings: settings(for: peer, in: scenario),
          onPlayer: { [recorder] in recorder?.watch(peer.name, at: $0) },
          onFailure: { [unowned self] reason in interrupt(reason) })
      } catch {
        close()
        throw .system(error)
      }
    }
  }
}

extension TCPStage {
  private func settings(for peer: ScenarioPeer, in scenario: Scenario) -> MpvSettings {
    var settings = MpvSettings()
    guard showsWindows else { return settings }
    settings.output = .window(title: peer.name)
    // Windows go side by side, because mpv would centre them all.
    let names = scenario.peers.filter { $0.player == .mpv }.map(\.name)
    guard let place = names.firstIndex(of: peer.name), names.count > 1 else { return settings }
    settings.extraArguments = [
      "--autofit=\(100 / names.count)%", "--geometry=\(place * 100 / (names.count - 1))%:50%",
    ]
    return settings
  }
}

// MARK: ScenarioStage

extension TCPStage {
  package var now: Duration { loop.now - start }

  package var failure: String? {
    if let breakdown { return breakdown }
    guard !server.isKilled, let ending = server.ending else { return nil }
    return "the server ended: \(ending); \(server.lastWords)"
  }

  /// Carries out a verb on the server.
  package func perform(_ verb: ServerVerb) {
    switch verb {
    case .kill: server.kill()
    case .start:
      startsAgain = true
      startAgain()
    case .failOver: failOver()
    }
  }

  /// Kills the server; the one that stands by then listens on the same port.
  private func failOver() {
    guard let standby else { return }
    server.kill()
    retired = server
    server = standby
    self.standby = nil
  }

  /// Starts another server once the killed one has ended and released its port and journal.
  private func startAgain() {
    guard startsAgain, server.isKilled, server.ending != nil else { return }
    startsAgain = false
    server.close()
    do throws(StageError) {
      server = try Self.startServer(executable, port: port, files: files, on: loop)
    } catch {
      interrupt("the server cannot be started again: \(error)")
    }
  }

  /// Carries out a peer's verb.
  package func perform(_ verb: Verb, by peer: String) { peers[peer]?.perform(verb) }

  /// Observes all peers at one instant.
  package func observe() -> [String: Observation] {
    let now = loop.now
    return peers.mapValues { $0.observe(at: now) }
  }

  /// Runs the loop until an instant, or until the stage fails.
  package func run(until moment: Duration) {
    let due = start + moment
    alarm?.fire(at: due)
    while loop.now < due, failure == nil {
      loop.run()
      startAgain()
    }
  }

  /// Makes the stage fail for this reason.
  package func interrupt(_ reason: String) {
    breakdown = breakdown ?? reason
    loop.stop()
  }

  /// Closes the stage: clients say goodbye, and the server is stopped and awaited.
  ///
  /// A second call does nothing.
  package func close() {
    guard alarm != nil else { return }
    sayGoodbye()
    // First, so that it does not take over.
    standby?.stop(.kill)
    server.stop(.terminate)
    loop.run(within: .seconds(5)) { [server] in server.ending != nil }
    server.stop(.kill)
    for server in [server, standby, retired] { server?.close() }
    database?.stop()
    loop.run(within: .seconds(5)) { [database] in database?.hasEnded != false }
    database?.close()
    for proxy in proxies { proxy.close() }
    alarm?.close()
    alarm = nil
  }
}

extension TCPStage {
  /// Lets every client leave, because their threads must end before the process does.
  private func sayGoodbye() {
    let patience = Duration.seconds(2)
    for peer in peers.values { peer.leave(within: patience) { [loop] in loop.stop() } }
    loop.run(within: patience * 2) { [peers] in peers.values.allSatisfy(\.hasLeft) }
    for peer in peers.values { peer.close() }
  }
}

@available(*, unavailable)
extension TCPStage: Sendable {}

extension EventLoop {
  /// Runs until the condition holds, or the time is over.
  ///
  /// Whatever may make the condition hold stops the loop.
  fileprivate func run(within limit: Duration, until condition: () -> Bool) {
    let end = now + limit
    let timer = LoopTimer(on: self) { self.stop() }
    timer.fire(at: end)
    defer { timer.close() }
    while !condition(), now < end { run() }
  }
}

/// Why a stage cannot be set up.
package enum StageError: Error, Equatable, CustomStringConvertible {
  /// The system refused a resource that the stage needs.
  case system(UVError)
  case endpoint(EndpointError)
  /// The directory for the server's files cannot be created or written; the text says why.
  case directory(String)
  /// The server did not begin to listen; the text is the end of its log.
  case serverDidNotStart(String)
  /// PostgreSQL did not begin to take connections; the text says why.
  case databaseDidNotStart(String)

  /// The error as a message for people.
  package var description: String {
    switch self {
    case .system(let error): "the stage cannot be set up: \(error)"
    case .endpoint(let error): "\(error)"
    case .directory(let reason): "a stage has no place for its files: \(reason)"
    case .serverDidNotStart(let words): "the server did not start: \(words)"
    case .databaseDidNotStart(let reason): "the stage has no database: \(reason)"
    }
  }
}
