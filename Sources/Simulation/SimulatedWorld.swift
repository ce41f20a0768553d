package import GroupSessions
package import Participation
package import Vocabulary
import Wire

/// Real clients, and what serves them over a virtual network, in virtual time.
///
/// It is deterministic: the same seed and the same inputs at the same moments give the same run.
/// Time advances only on request, from event to event; what the hosts report is collected as
/// ``Happening``.
package struct SimulatedWorld<Service: SimulatedService>: Sendable {
  /// What a host reports to its app.
  package enum Happening: Equatable, Sendable {
    case update(Int, Client.Update)
    /// A host's player has loaded an item.
    case loaded(Int, ItemID)
    /// The outcome of a host's answer with a token; `nil` means that it was accepted.
    case answeredByToken(Int, Client.Failure?)
  }

  /// The true time since the simulation began.
  package private(set) var now = Duration.zero
  package private(set) var hosts: [SimulatedHost] = []
  /// What serves the hosts; what happens to it happens between two steps.
  package var service: Service
  private var happenings: [Happening] = []
  /// The answers with a token that are being sent on connections of their own, by connection.
  private var tokenAnswers: [Int: ClientMessage] = [:]
  private var generator: SplitMix64
  /// The durations of the items; other items last an hour.
  private let durations: [ItemID: Duration]

  /// A world without hosts.
  package init(
    seed: UInt64, durations: [ItemID: Duration] = [:], _ service: (inout SplitMix64) -> Service
  ) {
    generator = SplitMix64(seed: seed)
    self.service = service(&generator)
    self.durations = durations
  }

  /// Adds a machine whose client begins to connect, and returns its number.
  package mutating func addHost(
    _ settings: ClientSettings, link: LinkConditions = LinkConditions(),
    clock: HostClock = HostClock(start: HostTime(microseconds: 0))
  ) -> Int {
    let host = service.addHost(link)
    hosts.append(SimulatedHost(settings, clock: clock, seed: generator.next()))
    give(.start, to: host)
    return host
  }

  /// Removes and returns the happenings since the last call.
  package mutating func takeHappenings() -> [Happening] {
    defer { happenings = [] }
    return happenings
  }

  /// The current time on a host's clock.
  package func time(on host: Int) -> HostTime { hosts[host].clock.time(at: now) }
}

// MARK: Time

extension SimulatedWorld {
  /// When the next event is due.
  package var nextEvent: Duration? {
    var next = service.nextEvent
    // By index, because a copied host is a copied client.
    for host in hosts.indices {
      guard let due = hosts[host].nextDeadline else { continue }
      next = min(due, next ?? due)
    }
    return next
  }

  /// Advances to the next event that is due by a moment, and handles it.
  ///
  /// - Returns: whether there was an event; otherwise the time is now that moment.
  package mutating func step(until moment: Duration) -> Bool {
    guard let next = nextEvent, next <= moment else {
      now = max(now, moment)
      return false
    }
    now = max(now, next)
    for arrival in service.advance(to: now) { take(arrival) }
    for host in hosts.indices { wake(host) }
    return true
  }

  private mutating func wake(_ host: Int) {
    drain(host)
    let time = time(on: host)
    if let due = hosts[host].wakesAt, due <= time { give(.clockAdvanced, to: host) }
    guard hosts[host].player != nil, hosts[host].nextPoll <= now else { return }
    hosts[host].nextPoll = now + SimulatedHost.pollInterval
    guard let reading = hosts[host].player?.reading(at: time), let item = hosts[host].item else {
      return
    }
    give(.player(reading, of: item), to: host)
  }

  private mutating func take(_ arrival: HostArrival) {
    switch arrival {
    case .opened(let host, let connection):
      if hosts[host].connection == connection { return give(.connectionOpened, to: host) }
      if let message = tokenAnswers[connection] {
        service.send(message, over: connection, at: now)
      }
    case .message(let host, let connection, let message):
      if hosts[host].connection == connection { return give(.received(message), to: host) }
      receiveTokenAnswer(connection, of: host, message)
    case .closed(let host, let connection):
      guard hosts[host].connection == connection else {
        return receiveTokenAnswer(connection, of: host, nil)
      }
      hosts[host].connection = nil
      give(.connectionClosed("the connection broke"), to: host)
    }
  }
}

// MARK: Hosts

extension SimulatedWorld {
  /// Passes an input to a host's client, and carries out the client's outputs.
  package mutating func give(_ input: Client.Input, to host: Int) {
    for output in hosts[host].client.handle(input, at: time(on: host)) {
      switch output {
      case .connect: hosts[host].connection = service.connect(host, at: now)
      case .disconnect:
        if let connection = hosts[host].connection {
          service.close(connection, at: now)
        }
        hosts[host].connection = nil
      case .send(let message):
        if let connection = hosts[host].connection {
          service.send(message, over: connection, at: now)
        }
      case .player(let order): self.order(order, on: host)
      case .publish(let update): happenings.append(.update(host, update))
      }
    }
  }

  /// Replaces a host's closed client with a new one with the same settings.
  package mutating func restartClient(on host: Int) {
    hosts[host].client = Client(
      hosts[host].client.settings, seed: generator.next())
    give(.start, to: host)
  }

  /// Answers an invitation from a host with a token, over a connection of its own.
  package mutating func answerInvitation(
    token: String, _ answer: InvitationAnswer, from host: Int
  ) {
    tokenAnswers[service.connect(host, at: now)] = .answerInvitation(1, token: token, answer)
  }

  /// Handles a message on such a connection, or its end (`nil`).
  private mutating func receiveTokenAnswer(
    _ connection: Int, of host: Int, _ message: ServerMessage?
  ) {
    guard tokenAnswers[connection] != nil else { return }
    switch message {
    case .answer: finishTokenAnswer(connection, of: host, nil)
    case .error(_, let error), .closing(let error):
      finishTokenAnswer(connection, of: host, .refused(error))
    case nil: finishTokenAnswer(connection, of: host, .timedOut)
    default: break
    }
  }

  private mutating func finishTokenAnswer(
    _ connection: Int, of host: Int, _ failure: Client.Failure?
  ) {
    tokenAnswers[connection] = nil
    service.close(connection, at: now)
    happenings.append(.answeredByToken(host, failure))
  }

  /// Passes an order to a host's player.
  package mutating func order(_ order: Client.PlayerOrder, on host: Int) {
    let time = time(on: host)
    hosts[host].playerCommands += 1
    switch order {
    case .load(let media, _):
      var traits = PlayerTraits()
      traits.duration = durations[media.item] ?? traits.duration
      hosts[host].item = media.item
      hosts[host].player = SimulatedPlayer(traits, seed: generator.next(), at: time)
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

  /// Lets a host's player run out of data for a while.
  package mutating func stallPlayer(for duration: Duration, on host: Int) {
    let time = time(on: host)
    hosts[host].player?.stall(for: duration, at: time)
    drain(host)
  }

  /// Passes the player's events to the client.
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
  /// Applies a fault now.
  package mutating func inject(_ fault: NetworkFault) {
    for arrival in service.inject(fault, at: now) { take(arrival) }
  }
}

/// A simulated machine with its own clock, the real client and a player.
package struct SimulatedHost: Sendable {
  package let clock: HostClock
  package internal(set) var client: Client {
    didSet { wakesAt = client.nextDeadline }
  }
  /// When the client wakes, which is asked at each step of each host: asking the client costs more
  /// than the steps.
  ///
  /// Known once it has been given something; a client begins with `start`.
  private(set) var wakesAt: HostTime?
  package internal(set) var player: SimulatedPlayer?
  /// The item that the player has loaded.
  package internal(set) var item: ItemID?
  /// How many orders the player got.
  package internal(set) var playerCommands = 0
  /// The client's connection, open or being opened.
  var connection: Int?
  /// When the player is next asked for its position.
  var nextPoll = Duration.zero

  /// How often a client asks its player for the position.
  static let pollInterval = Duration.milliseconds(100)

  init(_ settings: ClientSettings, clock: HostClock, seed: UInt64) {
    self.clock = clock
    client = Client(settings, seed: seed)
  }

  /// The true time at which something is next due on the host.
  var nextDeadline: Duration? {
    let woken = wakesAt.map(clock.moment)
    guard let player else { return woken }
    let due = min(player.nextDeadline.map(clock.moment) ?? nextPoll, nextPoll)
    return min(woken ?? due, due)
  }
}

/// The monotonic clock of a simulated machine, with an offset and a skew.
package struct HostClock: Equatable, Sendable {
  /// The clock's time when the simulation begins.
  package let start: HostTime
  /// How fast it gains on true time, in parts per million; a crystal stays within 50.
  package let skew: Double

  package init(start: HostTime, skew: Double = 0) {
    self.start = start
    self.skew = skew
  }

  /// The clock's time at a moment of true time.
  package func time(at moment: Duration) -> HostTime {
    start + .microseconds(Int64((Double(moment.microseconds) * (1 + skew / 1_000_000)).rounded()))
  }

  /// The first moment of true time at which the clock shows this time or a later one.
  package func moment(of time: HostTime) -> Duration {
    let gone = Double((time - start).microseconds) / (1 + skew / 1_000_000)
    var moment = Duration.microseconds(Int64(gone.rounded(.down)))
    // Both conversions round to microseconds, so the result may be a tick too early.
    while self.time(at: moment) < time { moment += .microseconds(1) }
    return moment
  }
}
