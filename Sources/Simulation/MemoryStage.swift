import Coordination
import GroupSessions
import InAppMessaging
import Participation
package import Scenarios
import Signatures
package import Vocabulary

/// A stage in memory and virtual time: the real server and clients, simulated players and network.
package struct MemoryStage: ScenarioStage {
  private var world: SimulatedWorld
  private var persons: [ScriptedPerson]
  private let names: [String: Int]

  /// Sets a scenario up; every client begins to connect.
  package init(_ scenario: Scenario, seed: UInt64, limits: Limits = Limits()) {
    let durations = scenario.items.map { (ItemID($0.name), $0.duration) }
    world = SimulatedWorld(
      seed: seed, limits: limits, campaigns: scenario.campaigns?.set,
      notifications: Self.notifications,
      durations: Dictionary(durations, uniquingKeysWith: { first, _ in first }))
    persons = scenario.peers.map { ScriptedPerson($0, in: scenario) }
    names = Dictionary(
      zip(scenario.names, persons.indices).map { ($0, $1) }, uniquingKeysWith: { first, _ in first }
    )
    for (index, person) in persons.enumerated() {
      let network = person.profile.network
      // Clocks of different machines have nothing in common.
      let start =
        HostTime(microseconds: 0) + .seconds(1000 * (index + 1)) + person.profile.clockOffset
      _ = world.addHost(
        person.settings,
        link: LinkConditions(
          delay: network.shortest, jitter: network.longest - network.shortest),
        clock: HostClock(start: start, skew: person.profile.clockSkew))
    }
    passOn()
  }

  private static let notifications: NotificationSettings = {
    var settings = NotificationSettings()
    do throws(AdministratorKeyFlaw) {
      settings.administratorKey = try AdministratorKey(Scenario.administratorKey)
    } catch {
      preconditionFailure("the demonstrations' key is none: \(error)")
    }
    return settings
  }()

  package var now: Duration { world.now }

  /// Nothing can break here.
  package var failure: String? { nil }

  /// Lets a peer do something.
  package mutating func perform(_ verb: Verb, by peer: String) {
    guard let host = names[peer] else { return }
    carryOut(persons[host].perform(verb, with: world.hosts[host].client), by: host)
    passOn()
  }

  /// Lets something befall the server.
  package mutating func perform(_ verb: ServerVerb) {
    switch verb {
    case .kill: world.inject(.serverKilled)
    case .start: world.inject(.serverStarted)
    }
    passOn()
  }

  /// What is seen of each peer.
  package func observe() -> [String: Observation] {
    names.mapValues { host in
      let machine = world.hosts[host]
      let time = world.time(on: host)
      let player = machine.player.map {
        Observation.Player(
          position: $0.position(at: time), isRunning: !$0.isPaused,
          commands: machine.playerCommands)
      }
      return persons[host].observe(machine.client, player: player, at: time)
    }
  }

  /// Lets virtual time pass, from event to event.
  package mutating func run(until moment: Duration) {
    while world.step(until: moment) { passOn() }
  }

  /// Tells people what happened, and carries out what they do about it, until nobody does any more.
  private mutating func passOn() {
    var happenings = world.takeHappenings()
    while !happenings.isEmpty {
      for happening in happenings {
        switch happening {
        case .update(let host, let update):
          persons[host].hear(update, from: world.hosts[host].client)
          carryOut(persons[host].answer(update), by: host)
        case .loaded(let host, let item): carryOut(persons[host].didLoad(item), by: host)
        case .answeredByToken(let host, let failure): persons[host].hear(answerByToken: failure)
        }
      }
      happenings = world.takeHappenings()
    }
  }

  private mutating func carryOut(_ acts: [ScriptedPerson.Act], by host: Int) {
    for act in acts {
      switch act {
      case .ask(let request, let tag): world.give(.ask(request, tag), to: host)
      case .tell(let input): world.give(input, to: host)
      case .answerInvitation(let token, let answer):
        world.answerInvitation(token: token, answer, from: host)
      case .startApp: world.startAnew(on: host)
      case .endApp: world.give(.close, to: host)
      case .player(let order): world.order(order, on: host)
      case .press(let key): world.press(key.simulated, on: host)
      case .stallPlayer(let duration): world.stallPlayer(for: duration, on: host)
      case .cutNetwork: world.inject(.cut(host))
      case .restoreNetwork: world.inject(.restore(host))
      case .setNetwork(let conditions):
        let width = conditions.longest - conditions.shortest
        world.inject(.delay(host, conditions.shortest, jitter: width))
      case .stallNetwork(let duration): world.inject(.hold(host, for: duration))
      }
    }
  }
}
