import Coordination
import EventLoops
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

  func measure(into section: inout Section) throws(BenchError) {
    section.figures.append(try delivery())
    section.figures.append(joining())
  }

  // MARK: Deliveries

  private func delivery() throws(BenchError) -> Figure {
    // Whoever comes first decides.
    let decider = try ServerProcess(.cluster(address: database), on: stage)
    defer { decider.stop() }
    let front = try ServerProcess(.cluster(address: database), on: stage)
    defer { front.stop() }
    let near = SessionCrowd(at: decider, on: stage, sessionSize: .max, hasAudience: true)
    let size = effort.audiences.last ?? 1000
    try near.grow(to: size)
    let far = SessionCrowd(at: front, on: stage, inAudienceOf: near, firstNumber: size)
    defer {
      near.crowd.close()
      far.crowd.close()
    }
    let rounds = max(effort.deliveries / size, 4)
    _ = try cost(of: rounds, [near], [decider])
    let one = try (0..<effort.repetitions).map { (_) throws(BenchError) in
      try cost(of: rounds, [near], [decider])
    }
    try far.grow(to: size)
    _ = try cost(of: rounds, [near, far], [decider, front])
    let two = try (0..<effort.repetitions).map { (_) throws(BenchError) in
      try cost(of: rounds, [near, far], [decider, front])
    }
    return Figure(
      name: "a delivery of \(2 * size) at two servers, beside one of \(size) at one",
      value: two.median / one.median, unit: "×", target: Self.deliveryTarget,
      detail: "\(rounded(two.median / 1000)) µs, \(rounded(one.median / 1000)) µs")
  }

  /// Seeks that everybody is told; each round begins once all have received the one before.
  ///
  /// - Returns: the processor time of the servers per delivery, in nanoseconds.
  private func cost(
    of rounds: Int, _ crowds: [SessionCrowd], _ servers: [ServerProcess]
  ) throws(BenchError) -> Double {
    let people = crowds.reduce(0) { $0 + $1.crowd.peers.count }
    let before = try processorTime(of: servers)
    for _ in 0..<rounds {
      let goals = crowds.map { $0.crowd.lineCount + $0.crowd.peers.count }
      crowds[0].crowd.peers[0].write(crowds[0].requests.seeks(1))
      for (place, crowd) in crowds.enumerated() {
        // The peer that seeks gets an answer, too.
        try crowd.crowd.wait(forLines: goals[place] + (place == 0 ? 1 : 0))
      }
    }
    try stage.rest()
    return Double(try processorTime(of: servers) - before) / Double(rounds * people)
  }

  private func processorTime(of servers: [ServerProcess]) throws(BenchError) -> Int {
    var sum = 0
    for server in servers { sum += try server.processorTime() }
    return sum
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
