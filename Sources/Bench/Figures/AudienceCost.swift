import Coordination
import GroupSessions
import Vocabulary
import Wire

/// What a large audience costs: a delivery at two servers beside one at one, and a late joining
/// beside an early one.
struct AudienceCost {
  let stage: Stage
  let effort: Effort
  /// The address of a database with a journal's tables.
  let database: String

  private static let deliveryTarget = Figure.Target.atMost(1.1)
  private static let growthTarget = Figure.Target.atMost(1.1)
  /// The number of joinings around each of the two that are compared; the median is used.
  private static let neighbours = 50
  private static let earlyJoining = 100
  /// How many people two and three servers share.
  private static let spreadPeople = 3_000

  func measure(into section: inout Section) throws(BenchError) {
    // Whoever comes first decides.
    var servers: [ServerProcess] = []
    defer { for server in servers { server.stop() } }
    for _ in 0..<3 { servers.append(try ServerProcess(.cluster(address: database), on: stage)) }
    section.figures.append(try delivery(by: servers))
    section.figures += try scaling(of: servers)
    section.figures.append(joining())
  }

  // MARK: Deliveries

  private func delivery(by servers: [ServerProcess]) throws(BenchError) -> Figure {
    let size = effort.audiences.last ?? 1000
    let one = try cost(with: size, atEachOf: servers.prefix(1), audience: 0).reduce(0, +)
    let two = try cost(with: size, atEachOf: servers.prefix(2), audience: 1).reduce(0, +)
    return Figure(
      name: "a delivery of \(2 * size) at two servers, beside one of \(size) at one",
      value: two / one, unit: "×", target: Self.deliveryTarget,
      detail: "\(rounded(two / 1000)) µs, \(rounded(one / 1000)) µs")
  }

  /// What further servers add to a session whose people they share.
  ///
  /// The busiest server bounds how many deliveries there are in a second if each has a core.
  private func scaling(of servers: [ServerProcess]) throws(BenchError) -> [Figure] {
    let people = Self.spreadPeople
    let alone = try cost(with: people, atEachOf: servers.prefix(1), audience: 2)[0]
    return try [2, 3].map { (count) throws(BenchError) in
      let costs = try cost(
        with: people / count, atEachOf: servers.prefix(count), audience: 2 + count)
      let busiest = costs.max() ?? alone
      return Figure(
        name: "deliveries of \(people) by \(count) servers with a core each, beside one",
        value: alone / busiest, unit: "×",
        detail: costs.map { "\(rounded($0 / 1000)) µs" }.joined(separator: ", ")
          + "; \(rounded(alone / 1000)) µs alone")
    }
  }

  /// What each server pays for a delivery, in nanoseconds; medians.
  ///
  /// - Parameter number: the audience's, so that its people are others than those before.
  private func cost(
    with people: Int, atEachOf servers: ArraySlice<ServerProcess>, audience number: Int
  ) throws(BenchError) -> [Double] {
    let audience = try SpreadAudience(
      of: people, atEachOf: Array(servers), firstNumber: number * 100_000, on: stage)
    defer { audience.close() }
    let rounds = max(effort.deliveries / (people * servers.count), 4)
    _ = try audience.costs(ofSeeks: rounds)
    let costs = try (0..<effort.repetitions).map { (_) throws(BenchError) in
      try audience.costs(ofSeeks: rounds)
    }
    return servers.indices.map { server in costs.map { $0[server] }.median }
  }

  // MARK: Joinings

  /// Compares the last spectator's joining of group and session with an early one, in this process.
  private func joining() -> Figure {
    let last = 2 * (effort.audiences.last ?? 1000)
    var (early, late): ([Double], [Double]) = ([], [])
    for _ in 0..<effort.joinRounds {
      var premiere = Premiere()
      for place in 0..<last {
        let time = premiere.joiningTime(of: place)
        if abs(place - Self.earlyJoining) < Self.neighbours / 2 { early.append(time) }
        if last - place <= Self.neighbours { late.append(time) }
      }
    }
    return Figure(
      name: "the \(last)th spectator's joining, beside the \(Self.earlyJoining)th",
      value: late.median / early.median, unit: "×", target: Self.growthTarget,
      detail: "\(rounded(late.median / 1000)) µs, \(rounded(early.median / 1000)) µs")
  }
}

/// A session whose named places are taken, in this process.
private struct Premiere {
  private var coordinator = LoadedCoordinator(at: Instant(microseconds: 1_700_000_000_000_000))
  private var requests = Requests()
  private var session = SessionID("none")
  private var encoder = ServerLineEncoder()
  private let places = Limits().namedPlaces

  init() {
    for place in 0..<places { enter(place) }
    let started = hear(
      requests.next(.activate(Activation(Requests.activity, hasAudience: true))), from: 0)
    for case .send(.answer(_, .activated(let session, _, _)), _) in started {
      self.session = session
    }
    for place in 0..<places { join(place) }
  }

  private mutating func enter(_ place: Int) {
    _ = coordinator.take(.connected(LoadedCoordinator.peer(place)))
    _ = hear(Requests.hello(place), from: place)
    _ = hear(requests.next(.joinGroup(GroupID("group"))), from: place)
  }

  private mutating func join(_ place: Int) {
    let outputs = hear(requests.next(.join(session, handoffFrom: nil)), from: place)
    precondition(!outputs.isEmpty, "a join was not answered")
  }

  /// Makes one more spectator say hello, and join the group and the session.
  ///
  /// - Returns: the time until what it is told is encoded, in nanoseconds.
  mutating func joiningTime(of spectator: Int) -> Double {
    let start = ContinuousClock.now
    enter(places + spectator)
    join(places + spectator)
    return (ContinuousClock.now - start).nanoseconds
  }

  private mutating func hear(_ message: ClientMessage, from place: Int) -> [Output] {
    let outputs = coordinator.take(.received(LoadedCoordinator.peer(place), message))
    for case .send(let message, _) in outputs { encoder.encode(message) }
    return outputs
  }
}
