package import Coordination
import GroupSessions
import InAppMessaging
import Participation
package import Scenarios
import Signatures
import Vocabulary
import Wire

/// A stage in virtual time: the real server and clients, with a simulated network and simulated
/// players.
package struct MemoryStage: ScenarioStage {
  private var world: SimulatedWorld<LoneServer>
  private var persons: [ScriptedPerson]
  private let names: [String: Int]
  /// When the server that stands by has taken over.
  private var takeover: Duration?

  /// How long it takes to take over from a server that was killed, as measured with real ones.
  private static let takeoverTime = Duration.milliseconds(1_700)

  /// Prepares a scenario; every client begins to connect.
  ///
  /// - Parameter access: how people prove who they are; by keys, everybody has been here before, and
  ///   shows a credential of their own.
  package init(_ scenario: Scenario, seed: UInt64, access: Access = .open) {
    var limits = Limits()
    if let places = scenario.namedPlaces { limits.namedPlaces = places }
    let durations = scenario.items.map { (ItemID($0.name), $0.duration) }
    let campaigns = scenario.campaigns?.set
    world = SimulatedWorld(
      seed: seed, durations: Dictionary(durations, uniquingKeysWith: { first, _ in first })
    ) { generator in
      let seed = generator.next()
      return LoneServer(
        SimulatedServer(
          limits: limits, access: access, campaigns: campaigns,
          notifications: Self.notifications, seed: generator.next()),
        seed: seed)
    }
    persons = scenario.peers.map { ScriptedPerson($0, in: scenario) }
    names = Dictionary(
      zip(scenario.names, persons.indices).map { ($0, $1) }, uniquingKeysWith: { first, _ in first }
    )
    if access.mode == .keys {
      for user in Set(persons.map(\.settings.user)).sorted() {
        world.service.know(user, by: CredentialHash(of: Self.credential(of: user)))
      }
    }
    for (index, person) in persons.enumerated() {
      let network = person.profile.network
      // The clocks of different machines are unrelated.
      let start =
        HostTime(microseconds: 0) + .seconds(1000 * (index + 1)) + person.profile.clockOffset
      var settings = person.settings
      if access.mode == .keys { settings.credential = Self.credential(of: settings.user).text }
      _ = world.addHost(
        settings,
        link: LinkConditions(
          delay: network.shortest, jitter: network.longest - network.shortest),
        clock: HostClock(start: start, skew: person.profile.clockSkew))
    }
    dispatchHappenings()
  }

  /// The same for all devices of a person, as if they had been paired.
  private static func credential(of user: UserID) -> Secret {
    let seed = user.text.utf8.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) }
    var numbers = SplitMix64(seed: seed)
    return Secret(using: &numbers)
  }

  private static let notifications: NotificationSettings = {
    var settings = NotificationSettings()
    do throws(AdministratorKeyFlaw) {
      settings.administratorKey = try AdministratorKey(Scenario.administratorKey)
    } catch {
      preconditionFailure("the demonstrations' key is not valid: \(error)")
    }
    return settings
  }()

  package var now: Duration { world.now }

  /// Nothing can fail in memory.
  package var failure: String? { nil }

  /// Lets a peer perform a verb.
  package mutating func perform(_ verb: Verb, by peer: String) {
    guard let host = names[peer] else { return }
    carryOut(persons[host].perform(verb, with: world.hosts[host].client), by: host)
    dispatchHappenings()
  }

  /// Kills or starts the server.
  package mutating func perform(_ verb: ServerVerb) {
    switch verb {
    case .kill: world.service.kill(at: now)
    case .start: world.service.start(at: now)
    case .failOver:
      world.service.kill(at: now)
      takeover = now + Self.takeoverTime
    }
    dispatchHappenings()
  }

  /// The current observation of each peer.
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

  /// Runs the simulation until a moment, from event to event.
  package mutating func run(until moment: Duration) {
    if let takeover, takeover <= moment {
      while world.step(until: takeover) { dispatchHappenings() }
      self.takeover = nil
      perform(.start)
    }
    while world.step(until: moment) { dispatchHappenings() }
  }

  /// Passes happenings to the people and carries out their reactions, until nothing more happens.
  private mutating func dispatchHappenings() {
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
      case .startApp: world.restartClient(on: host)
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
