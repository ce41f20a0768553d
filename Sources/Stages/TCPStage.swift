package import EventLoops
import GroupSessions
import Participation
package import Scenarios
import Transports
import Vocabulary

/// A stage in real time: the built server as a process of its own, real clients over real TCP,
/// each through a poor network of its own, and simulated or real players.
///
/// Confined to its loop's thread, which runs only within ``run(until:)``.
package final class TCPStage: Stage {
  private let loop: EventLoop
  private let server: ServerProcess
  private let start: HostTime
  private var shells: [ClientShell] = []
  private var proxies: [DelayProxy] = []
  private var persons: [ScriptedPerson]
  private let names: [String: Int]
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
  ///   - loop: where everything but the server lives.
  package init(
    _ scenario: Scenario, serving executable: String, seed: UInt64, on loop: EventLoop
  ) throws(StageError) {
    self.loop = loop
    do throws(UVError) {
      server = try ServerProcess(executable, on: loop) { loop.stop() }
    } catch {
      throw .system(error)
    }
    port = try Self.awaitServer(server, on: loop)
    persons = scenario.peers.map { ScriptedPerson($0, in: scenario) }
    names = Dictionary(
      zip(scenario.names, persons.indices).map { ($0, $1) }, uniquingKeysWith: { first, _ in first }
    )
    start = loop.now
    alarm = LoopTimer(on: loop) { loop.stop() }
    try setUp(scenario, seed)
  }

  private static func awaitServer(
    _ server: ServerProcess, on loop: EventLoop
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
    let connections = FlushList(
      on: loop, limits: ConnectionLimits(lineBytesMaximum: ClientShell.lineBytesMaximum))
    for (index, peer) in scenario.peers.enumerated() {
      do throws(EndpointError) {
        proxies.append(
          try DelayProxy(
            to: "127.0.0.1", port, peer.network, seed: chance.next(), on: loop))
      } catch {
        close()
        throw .endpoint(error)
      }
      let player = StagePlayer(
        peer.player, in: scenario, seed: chance.next(), on: loop,
        onEvent: { [unowned self] event, item in hear(event, of: item, by: index) },
        onFailure: { [unowned self] reason in breakdown = "\(peer.name): \(reason)" })
      shells.append(
        ClientShell(
          persons[index].settings, seed: chance.next(),
          to: ("127.0.0.1", proxies[index].localPort), in: connections, player: player,
          onUpdate: { [unowned self] update in
            persons[index].hear(update, from: shells[index].client)
          }))
    }
    for shell in shells { shell.give(.start) }
  }

  private func hear(_ event: PlayerEvent, of item: ItemID, by host: Int) {
    shells[host].give(.player(event, of: item))
    guard case .loaded = event else { return }
    for act in persons[host].didLoad(item) { carryOut(act, by: host) }
  }
}

// MARK: As a stage

extension TCPStage {
  package var now: Duration { loop.now - start }

  package var failure: String? {
    breakdown ?? server.ending.map { "the server ended: \($0); \(server.lastWords)" }
  }

  /// Lets a peer do something.
  package func perform(_ verb: Verb, by peer: String) {
    guard let host = names[peer] else { return }
    for act in persons[host].perform(verb, with: shells[host].client) { carryOut(act, by: host) }
  }

  /// What is seen of each peer.
  package func observe() -> [String: Observation] {
    let now = loop.now
    return names.mapValues { host in
      let shell = shells[host]
      let player = shell.player.position(at: now).map {
        Observation.Player(
          position: $0, isRunning: shell.player.isRunning, commands: shell.player.commands)
      }
      return persons[host].observe(shell.client, player: player, at: now)
    }
  }

  /// Runs the loop until a moment, or until the stage gives way.
  package func run(until moment: Duration) {
    let due = start + moment
    alarm?.fire(at: due)
    while loop.now < due, failure == nil { loop.run() }
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
    for shell in shells { shell.close() }
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

  private func carryOut(_ act: ScriptedPerson.Act, by host: Int) {
    switch act {
    case .ask(let request, let tag): shells[host].give(.ask(request, tag))
    case .player(let order): shells[host].player.carryOut(order)
    case .press(let key): shells[host].player.press(key)
    case .stallPlayer(let duration): shells[host].player.stall(for: duration)
    case .cutNetwork: proxies[host].cut()
    case .restoreNetwork: proxies[host].restore()
    case .setNetwork(let conditions): proxies[host].conditions = conditions
    case .stallNetwork(let duration): proxies[host].stall(for: duration)
    }
  }
}

@available(*, unavailable)
extension TCPStage: Sendable {}
