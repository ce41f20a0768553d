package import EventLoops
import Players
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
    files = try ServerFiles(for: scenario, isEncrypted: isEncrypted)
    do throws(UVError) {
      server = try StagedServer(executable, files: files, on: loop) { loop.stop() }
    } catch {
      throw .system(error)
    }
    port = try Self.awaitServer(server, on: loop)
    start = loop.now
    alarm = LoopTimer(on: loop) { loop.stop() }
    try setUp(scenario, seed)
  }

  private static func awaitServer(
    _ server: StagedServer, on loop: EventLoop
  ) throws(StageError) -> UInt16 {
    var isLate = false
    let deadline = LoopTimer(on: loop) {
      isLate = true
      loop.stop()
    }
    deadline.fire(at: loop.now + patience)
    defer { deadline.close() }
    while server.port == nil, server.ending == nil, !isLate { loop.run() }
    guard let port = server.port else {
      server.stop(.kill)
      server.close()
      throw .serverDidNotStart(isLate ? "it does not listen" : server.lastWords)
    }
    return port
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
    }
  }

  /// Starts another server once the killed one has ended and released its port and journal.
  private func startAgain() {
    guard startsAgain, server.isKilled, server.ending != nil else { return }
    startsAgain = false
    server.close()
    do throws(UVError) {
      server = try StagedServer(executable, port: port, files: files, on: loop) {
        [loop] in loop.stop()
      }
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
    server.stop(.terminate)
    let patience = loop.now + .seconds(5)
    alarm?.fire(at: patience)
    while server.ending == nil, loop.now < patience { loop.run() }
    server.stop(.kill)
    server.close()
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
    let due = loop.now + patience * 2
    alarm?.fire(at: due)
    while !peers.values.allSatisfy(\.hasLeft), loop.now < due { loop.run() }
    for peer in peers.values { peer.close() }
  }
}

@available(*, unavailable)
extension TCPStage: Sendable {}

/// Why a stage cannot be set up.
package enum StageError: Error, Equatable, CustomStringConvertible {
  /// The system refused a resource that the stage needs.
  case system(UVError)
  case endpoint(EndpointError)
  /// The directory for the server's files cannot be created or written; the text says why.
  case directory(String)
  /// The server did not begin to listen; the text is the end of its log.
  case serverDidNotStart(String)

  /// The error as a message for people.
  package var description: String {
    switch self {
    case .system(let error): "the stage cannot be set up: \(error)"
    case .endpoint(let error): "\(error)"
    case .directory(let reason): "a stage has no place for its files: \(reason)"
    case .serverDidNotStart(let words): "the server did not start: \(words)"
    }
  }
}
