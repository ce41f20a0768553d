package import EventLoops
import Players
package import Scenarios
package import Vocabulary

/// A stage in real time: the built server as a child process, and real clients over real TCP.
///
/// Each client has a simulated poor network of its own, and a simulated or real player.
///
/// Confined to its loop's thread; the loop runs only within ``run(until:)``.
package final class TCPStage: ScenarioStage {
  private let loop: EventLoop
  private let servers: StagedServers
  /// When the scenario began.
  package let start: HostTime
  private let showsWindows: Bool
  private let recorder: PlayheadRecorder?
  private var peers: [String: StagedPeer] = [:]
  private var proxies: [DelayProxy] = []
  private var alarm: LoopTimer?
  private var breakdown: String?
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
    self.showsWindows = showsWindows
    self.recorder = recorder
    servers = try StagedServers(
      for: scenario, serving: executable, isEncrypted: isEncrypted, on: loop)
    start = loop.now
    alarm = LoopTimer(on: loop) { loop.stop() }
    try setUp(scenario, seed)
  }

  private func setUp(_ scenario: Scenario, _ seed: UInt64) throws(StageError) {
    var chance = SplitMix64(seed: seed)
    for (place, peer) in scenario.peers.enumerated() {
      let proxy: DelayProxy
      do throws(EndpointError) {
        // Each comes in at another server, and where that one is dead, at the next.
        let first = place % servers.ports.count
        proxy = try DelayProxy(
          to: "127.0.0.1", Array(servers.ports[first...] + servers.ports[..<first]), peer.network,
          seed: chance.next(), on: loop)
      } catch {
        close()
        throw .endpoint(error)
      }
      proxies.append(proxy)
      do throws(UVError) {
        peers[peer.name] = try StagedPeer(
          peer, in: scenario, through: proxy, under: servers.security, on: loop,
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
    breakdown ?? servers.failure
  }

  /// Carries out a verb on the servers.
  package func perform(_ verb: ServerVerb) {
    tend { () throws(StageError) in try servers.perform(verb) }
  }

  private func tend(_ body: () throws(StageError) -> Void) {
    do throws(StageError) {
      try body()
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
      tend { () throws(StageError) in try servers.startAgain() }
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
    servers.close()
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
