package import EventLoops
import MatineeClient
import Players
package import Scenarios
package import Vocabulary

/// A stage in real time: the built server as a process of its own, real clients over real TCP,
/// each through a poor network of its own, and simulated or real players.
///
/// Confined to its loop's thread, which runs only within ``run(until:)``.
package final class TCPStage: ScenarioStage {
  private let loop: EventLoop
  private let executable: String
  /// What the server works with, and the one after it.
  private let files: ServerFiles
  private var server: StagedServer
  /// Whether another server is to follow the dead one.
  private var startsAgain = false
  /// When the scenario began.
  package let start: HostTime
  private let showsWindows: Bool
  private let recorder: PlayheadRecorder?
  private var peers: [String: StagedPeer] = [:]
  private var proxies: [DelayProxy] = []
  private var alarm: LoopTimer?
  private var breakdown: String?
  /// Where the server is.
  package let port: UInt16

  /// How long a server may take to listen: it takes 20 ms, on a busy machine seconds.
  private static let patience = Duration.seconds(20)

  /// Starts a server and sets a scenario up; every client begins to connect.
  ///
  /// - Parameters:
  ///   - scenario: whose peers take part.
  ///   - executable: the program `matinee`.
  ///   - seed: what jitter and players' chance come from.
  ///   - showsWindows: whether mpv is seen and heard.
  ///   - recorder: measures every mpv from outside; its owner closes it.
  ///   - loop: where everything but the server lives.
  package init(
    _ scenario: Scenario, serving executable: String, seed: UInt64, showsWindows: Bool = false,
    recorder: PlayheadRecorder? = nil, on loop: EventLoop
  ) throws(StageError) {
    self.loop = loop
    self.executable = executable
    self.showsWindows = showsWindows
    self.recorder = recorder
    files = try ServerFiles(for: scenario)
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
    let clients = ClientLoop(on: loop)
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
      peers[peer.name] = StagedPeer(
        ScriptedPerson(peer, in: scenario), in: scenario, through: proxy, on: clients,
        seed: chance.next(), settings: settings(for: peer, in: scenario),
        onPlayer: { [recorder] in recorder?.watch(peer.name, at: $0) },
        onFailure: { [unowned self] reason in interrupt(reason) })
    }
  }
}

extension TCPStage {
  private func settings(for peer: ScenarioPeer, in scenario: Scenario) -> MpvSettings {
    var settings = MpvSettings()
    guard showsWindows else { return settings }
    settings.output = .window(title: peer.name)
    // Side by side, from left to right over the screen; mpv would put all in the middle.
    let names = scenario.peers.filter { $0.player == .mpv }.map(\.name)
    guard let place = names.firstIndex(of: peer.name), names.count > 1 else { return settings }
    settings.extraArguments = [
      "--autofit=\(100 / names.count)%", "--geometry=\(place * 100 / (names.count - 1))%:50%",
    ]
    return settings
  }
}

// MARK: As a stage

extension TCPStage {
  package var now: Duration { loop.now - start }

  package var failure: String? {
    if let breakdown { return breakdown }
    guard !server.isKilled, let ending = server.ending else { return nil }
    return "the server ended: \(ending); \(server.lastWords)"
  }

  /// Lets something befall the server.
  package func perform(_ verb: ServerVerb) {
    switch verb {
    case .kill: server.kill()
    case .start:
      startsAgain = true
      startAgain()
    }
  }

  /// Starts another server in the place of the dead one, once that has let go of port and journal.
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

  /// Lets a peer do something.
  package func perform(_ verb: Verb, by peer: String) { peers[peer]?.perform(verb) }

  /// What is seen of each peer, all at one instant.
  package func observe() -> [String: Observation] {
    let now = loop.now
    return peers.mapValues { $0.observe(at: now) }
  }

  /// Runs the loop until a moment, or until the stage gives way.
  package func run(until moment: Duration) {
    let due = start + moment
    alarm?.fire(at: due)
    while loop.now < due, failure == nil {
      loop.run()
      startAgain()
    }
  }

  /// Makes the stage give way, for this reason.
  package func interrupt(_ reason: String) {
    breakdown = breakdown ?? reason
    loop.stop()
  }

  /// Ends everything: clients say goodbye, and the server is stopped and waited for.
  ///
  /// A second call does nothing.
  package func close() {
    guard alarm != nil else { return }
    for peer in peers.values { peer.close() }
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

@available(*, unavailable)
extension TCPStage: Sendable {}

/// Why a stage cannot be set up.
package enum StageError: Error, Equatable, CustomStringConvertible {
  /// The system refused something the stage is made of.
  case system(UVError)
  case endpoint(EndpointError)
  /// There is no place for what the server keeps or reads; the text says why.
  case directory(String)
  /// The server did not begin to listen; the text is what it said.
  case serverDidNotStart(String)

  /// What happened, for a person.
  package var description: String {
    switch self {
    case .system(let error): "the stage cannot be set up: \(error)"
    case .endpoint(let error): "\(error)"
    case .directory(let reason): "a stage has no place for its files: \(reason)"
    case .serverDidNotStart(let words): "the server did not start: \(words)"
    }
  }
}
