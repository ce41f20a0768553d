package import Coordination
package import GroupSessions
package import InAppMessaging
package import Participation
package import Vocabulary
package import Wire

/// The real server and real clients over a virtual network, in virtual time.
///
/// Deterministic: the same seed, the same inputs at the same moments, the same run. It only moves
/// when it is told to, from event to event; what its hosts tell is collected as ``Happening``.
package struct SimulatedWorld: Sendable {
  /// What an app on a host would hear.
  package enum Happening: Equatable, Sendable {
    case update(Int, Client.Update)
    /// A host's player has opened an item.
    case loaded(Int, ItemID)
    /// What came of an answer by token from a host; `nil` is that it was taken.
    case answeredByToken(Int, Client.Failure?)
  }

  /// True time since the simulation began.
  package private(set) var now = Duration.zero
  package private(set) var hosts: [SimulatedHost] = []
  package private(set) var network: VirtualNetwork<ClientMessage, ServerMessage>
  private var server: SimulatedServer
  private var happenings: [Happening] = []
  /// What is to be said on connections that are no client's, by their numbers.
  private var errands: [Int: ClientMessage] = [:]
  private var chance: SplitMix64
  /// How long each item is; others are an hour.
  private let durations: [ItemID: Duration]

  /// A world with a server and no hosts.
  package init(
    seed: UInt64, limits: Limits = Limits(), campaigns: CampaignSet? = nil,
    notifications: NotificationSettings = NotificationSettings(),
    durations: [ItemID: Duration] = [:]
  ) {
    chance = SplitMix64(seed: seed)
    network = VirtualNetwork(seed: chance.next())
    server = SimulatedServer(
      limits: limits, campaigns: campaigns, notifications: notifications, seed: chance.next())
    self.durations = durations
  }

  /// Adds a machine whose client begins to connect, and says which number it has.
  package mutating func addHost(
    _ settings: ClientSettings, link: LinkConditions = LinkConditions(),
    clock: HostClock = HostClock(start: HostTime(microseconds: 0))
  ) -> Int {
    let host = network.addHost(link)
    hosts.append(SimulatedHost(settings, clock: clock, seed: chance.next()))
    give(.start, to: host)
    return host
  }

  /// What has been told since this was last asked.
  package mutating func takeHappenings() -> [Happening] {
    defer { happenings = [] }
    return happenings
  }

  /// The moment on a host's clock.
  package func time(on host: Int) -> HostTime { hosts[host].clock.time(at: now) }
}

// MARK: Time

extension SimulatedWorld {
  /// When something happens next by itself.
  package var nextEvent: Duration? {
    ([network.nextArrival, server.nextDeadline] + hosts.map(\.nextDeadline))
      .compactMap(\.self).min()
  }

  /// Goes to the next event that is due by a moment, and lets it happen.
  ///
  /// - Returns: whether there was one; if not, it is now that moment.
  package mutating func step(until moment: Duration) -> Bool {
    guard let next = nextEvent, next <= moment else {
      now = max(now, moment)
      return false
    }
    now = max(now, next)
    while let arrival = network.receive(at: now) { take(arrival) }
    if let due = server.nextDeadline, due <= now { carryOut(server.advance(to: now)) }
    for host in hosts.indices { wake(host) }
    return true
  }

  private mutating func wake(_ host: Int) {
    drain(host)
    let time = time(on: host)
    if let due = hosts[host].client.nextDeadline, due <= time { give(.clockAdvanced, to: host) }
    guard hosts[host].player != nil, hosts[host].nextPoll <= now else { return }
    hosts[host].nextPoll = now + SimulatedHost.pollInterval
    guard let reading = hosts[host].player?.reading(at: time), let item = hosts[host].item else {
      return
    }
    give(.player(reading, of: item), to: host)
  }

  private mutating func take(_ arrival: VirtualNetwork<ClientMessage, ServerMessage>.Arrival) {
    switch arrival {
    case .accepted(_, let connection): carryOut(server.accept(connection, at: now))
    case .atServer(_, let connection, let message):
      carryOut(server.receive(message, over: connection, at: now))
    case .closedAtServer(_, let connection): carryOut(server.lose(connection, at: now))
    case .opened(let host, let connection):
      if hosts[host].connection == connection { return give(.connectionOpened, to: host) }
      if let message = errands[connection] {
        network.send(up: message, over: connection, at: now)
      }
    case .atHost(let host, let connection, let message):
      if hosts[host].connection == connection { return give(.received(message), to: host) }
      hearOfErrand(connection, of: host, message)
    case .closedAtHost(let host, let connection):
      guard hosts[host].connection == connection else {
        return hearOfErrand(connection, of: host, nil)
      }
      hosts[host].connection = nil
      give(.connectionClosed("the connection broke"), to: host)
    }
  }

  private mutating func carryOut(_ effects: [SimulatedServer.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let message, let connection):
        network.send(down: message, over: connection, at: now)
      case .close(let connection): network.closeAtServer(connection, at: now)
      }
    }
  }
}

// MARK: Hosts

extension SimulatedWorld {
  /// Hands an input to a host's client, and carries out what it asks for.
  package mutating func give(_ input: Client.Input, to host: Int) {
    for output in hosts[host].client.handle(input, at: time(on: host)) {
      switch output {
      case .connect: hosts[host].connection = network.connect(host, at: now)
      case .disconnect:
        if let connection = hosts[host].connection {
          network.closeAtHost(connection, at: now)
        }
        hosts[host].connection = nil
      case .send(let message):
        if let connection = hosts[host].connection {
          network.send(up: message, over: connection, at: now)
        }
      case .player(let order): self.order(order, on: host)
      case .publish(let update): happenings.append(.update(host, update))
      }
    }
  }

  /// Makes another client on a host, of the same settings; the one before was closed.
  package mutating func startAnew(on host: Int) {
    hosts[host].client = Client(
      hosts[host].client.settings, seed: chance.next())
    give(.start, to: host)
  }

  /// Answers an invitation from a host over a connection that is not its client's.
  package mutating func answerInvitation(
    token: String, _ answer: InvitationAnswer, from host: Int
  ) {
    errands[network.connect(host, at: now)] = .answerInvitation(1, token: token, answer)
  }

  /// Such a connection brought something, or broke.
  private mutating func hearOfErrand(_ connection: Int, of host: Int, _ message: ServerMessage?) {
    guard errands[connection] != nil else { return }
    switch message {
    case .answer: finishErrand(connection, of: host, nil)
    case .error(_, let error), .closing(let error):
      finishErrand(connection, of: host, .refused(error))
    case nil: finishErrand(connection, of: host, .timedOut)
    default: break
    }
  }

  private mutating func finishErrand(
    _ connection: Int, of host: Int, _ failure: Client.Failure?
  ) {
    errands[connection] = nil
    network.closeAtHost(connection, at: now)
    happenings.append(.answeredByToken(host, failure))
  }

  /// Tells a host's player something.
  package mutating func order(_ order: Client.PlayerOrder, on host: Int) {
    let time = time(on: host)
    hosts[host].playerCommands += 1
    switch order {
    case .load(let media):
      var traits = PlayerTraits()
      traits.duration = durations[media.item] ?? traits.duration
      hosts[host].item = media.item
      hosts[host].player = SimulatedPlayer(traits, seed: chance.next(), at: time)
      hosts[host].nextPoll = now
    case .unload:
      hosts[host].item = nil
      hosts[host].player = nil
    case .carryOut(let command): hosts[host].player?.handle(command, at: time)
    }
    drain(host)
  }

  /// Presses a key on a host's player.
  package mutating func press(_ key: SimulatedPlayer.Key, on host: Int) {
    let time = time(on: host)
    hosts[host].player?.press(key, at: time)
    drain(host)
  }

  /// A host's player runs out of data for a while.
  package mutating func stallPlayer(for duration: Duration, on host: Int) {
    let time = time(on: host)
    hosts[host].player?.stall(for: duration, at: time)
    drain(host)
  }

  /// Passes on what a player has to tell.
  private mutating func drain(_ host: Int) {
    let time = time(on: host)
    guard let events = hosts[host].player?.advance(to: time),
      let item = hosts[host].item
    else { return }
    for event in events {
      if case .loaded = event { happenings.append(.loaded(host, item)) }
      give(.player(event, of: item), to: host)
    }
  }
}

// MARK: Faults

extension SimulatedWorld {
  /// A fault, as data: a plan of faults is a list of these with their moments.
  package enum Fault: Equatable, Sendable {
    /// The host's connections break, and none can be made.
    case cut(Int)
    case restore(Int)
    case delay(Int, Duration, jitter: Duration)
    /// Nothing of the host's passes for that long.
    case hold(Int, for: Duration)
    /// The server dies, and its connections with it; none can be opened until it is started.
    case serverKilled
    /// The server is started, and goes on from its journal.
    case serverStarted
  }

  /// Lets a fault happen now.
  package mutating func inject(_ fault: Fault) {
    switch fault {
    case .cut(let host): for arrival in network.cut(host) { take(arrival) }
    case .restore(let host): network.restore(host)
    case .delay(let host, let delay, let jitter):
      network.set(delay: delay, jitter: jitter, of: host)
    case .hold(let host, let duration): network.hold(host, until: now + duration)
    case .serverKilled:
      server.die()
      network.dropServer(at: now)
    case .serverStarted:
      network.bringServerBack()
      carryOut(server.start(at: now))
    }
  }
}

/// One machine of a simulation: a clock of its own, the real client, and a player.
package struct SimulatedHost: Sendable {
  package let clock: HostClock
  package internal(set) var client: Client
  package internal(set) var player: SimulatedPlayer?
  /// What the player has open.
  package internal(set) var item: ItemID?
  /// How often the player was told anything.
  package internal(set) var playerCommands = 0
  /// The connection it has or tries to have.
  var connection: Int?
  /// When it next asks its player where it is.
  var nextPoll = Duration.zero

  /// How often a shell asks its player where it is.
  static let pollInterval = Duration.milliseconds(100)

  init(_ settings: ClientSettings, clock: HostClock, seed: UInt64) {
    self.clock = clock
    client = Client(settings, seed: seed)
  }

  /// The first moment of true time at which something is due here.
  var nextDeadline: Duration? {
    let due = [client.nextDeadline, player?.nextDeadline].compactMap(\.self).min()
    return [due.map(clock.moment), player == nil ? nil : nextPoll].compactMap(\.self).min()
  }
}

/// The monotonic clock of one simulated machine: off by something, and a little fast or slow.
package struct HostClock: Equatable, Sendable {
  /// What it shows when the simulation begins.
  package let start: HostTime
  /// How fast it gains on true time, in parts per million; a crystal manages 50.
  package let skew: Double

  /// A clock.
  package init(start: HostTime, skew: Double = 0) {
    self.start = start
    self.skew = skew
  }

  /// What it shows at a moment of true time.
  package func time(at moment: Duration) -> HostTime {
    start + .microseconds(Int64((Double(moment.microseconds) * (1 + skew / 1_000_000)).rounded()))
  }

  /// The first moment of true time at which it shows that or later.
  package func moment(of time: HostTime) -> Duration {
    let gone = Double((time - start).microseconds) / (1 + skew / 1_000_000)
    var moment = Duration.microseconds(Int64(gone.rounded(.down)))
    // The two are rounded to microseconds on their own: look a tick further where that is short.
    while self.time(at: moment) < time { moment += .microseconds(1) }
    return moment
  }
}
