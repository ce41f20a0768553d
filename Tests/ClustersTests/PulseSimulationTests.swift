import Testing
import Vocabulary
import WireTesting

@testable import Clusters

/// Servers and their database as values in virtual time: who has the journal, whatever happens and
/// whenever.
@Suite struct PulseSimulationTests {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `one server has the journal, a living one keeps it, and a dead one loses it in time`(
    seed: UInt64
  ) {
    var world = PulseWorld(seed: seed)
    for _ in 0..<2_500 {
      world.step()
      if !world.flaws.isEmpty { break }
    }
    #expect(world.flaws.isEmpty, "seed \(seed): \(world.flaws)")
    // A world in which nothing happens proves nothing.
    #expect(world.deaths > 5 && world.freezes > 5 && world.pauses > 5, "seed \(seed)")
  }
}

/// Three servers that take turns, each of which serves, stands by, is frozen or starts anew.
private struct PulseWorld {
  private struct Server {
    enum Condition { case up, frozen, down }

    var condition = Condition.up
    var identity: Int64
    /// When it next beats, or looks.
    var next: Duration
    var lookedAt: Duration = .zero
    /// Since when it has been up.
    var upSince: Duration = .zero
    var watch: PulseWatch
    /// When it wakes or starts again.
    var returns: Duration = .zero
    /// Whether it takes itself for the one that has the journal.
    var isServing = false
  }

  private var random: RandomValues
  private var now = Duration.zero
  private var servers: [Server]
  private var lastIdentity: Int64 = 3
  // What the database holds.
  private var owner: Int64 = 0
  private var beat: Int64 = 0
  /// Until when the database answers nothing.
  private var silentUntil = Duration.zero
  /// Since when the owner is frozen or dead, while the database answers.
  private var deserted: (since: Duration, isFrozen: Bool)?
  private(set) var flaws: [String] = []
  private(set) var (deaths, freezes, pauses) = (0, 0, 0)

  /// The place of the server that would let people in otherwise than the others.
  private static let odd = 2

  private static func watch(at place: Int) -> PulseWatch {
    PulseWatch(access: place == odd ? "open" : "keys")
  }

  /// How late an idle machine lets a beat or a look be.
  private static let jitter = 0...60 as ClosedRange<Int>

  init(seed: UInt64) {
    random = RandomValues(seed: seed)
    servers = (1...3).map {
      Server(identity: $0, next: .milliseconds($0 * 10), watch: Self.watch(at: Int($0) - 1))
    }
  }

  /// Lets the next thing happen.
  mutating func step() {
    if random.number(0...40) == 0 { breakSomething() }
    let place = servers.indices.min { due(servers[$0]) < due(servers[$1]) } ?? 0
    now = max(now, due(servers[place]))
    switch servers[place].condition {
    case .up: turn(of: place)
    case .frozen:
      servers[place].condition = .up
      (servers[place].next, servers[place].upSince) = (now, now)
    case .down:
      lastIdentity += 1
      servers[place] = Server(
        identity: lastIdentity, next: now, lookedAt: now, upSince: now,
        watch: Self.watch(at: place))
    }
    checkDesertion()
  }

  private func due(_ server: Server) -> Duration {
    server.condition == .up ? server.next : server.returns
  }

  private mutating func breakSomething() {
    let place = random.number(0...2)
    switch random.number(0...2) {
    case 0 where servers[place].condition == .up:
      servers[place].condition = .down
      deaths += 1
      leave(place, isFrozen: false)
    case 1 where servers[place].condition == .up:
      servers[place].condition = .frozen
      freezes += 1
      leave(place, isFrozen: true)
    case 2:
      silentUntil = now + .milliseconds(random.number(100...8_000))
      pauses += 1
      deserted = nil
    default: break
    }
  }

  private mutating func leave(_ place: Int, isFrozen: Bool) {
    servers[place].returns = now + .milliseconds(random.number(5_000...9_000))
    if servers[place].identity == owner { deserted = (now, isFrozen) }
  }

  private mutating func turn(of place: Int) {
    servers[place].next =
      max(now, silentUntil) + PulseWatch.pause + .milliseconds(random.number(Self.jitter))
    // A call that the database does not answer ends when it does.
    now = max(now, silentUntil)
    if servers[place].isServing { show(place) } else { look(place) }
  }

  /// A server shows that it lives, and learns whether it was replaced.
  private mutating func show(_ place: Int) {
    guard servers[place].identity == owner else {
      lastIdentity += 1
      servers[place] = Server(
        identity: lastIdentity, next: now + .seconds(1), lookedAt: now, upSince: now,
        watch: Self.watch(at: place))
      return
    }
    beat += 1
    if deserted?.isFrozen == true { deserted = nil }
  }

  private mutating func look(_ place: Int) {
    let holder = servers.first { $0.identity == owner }
    let look = PulseWatch.Look(
      owner: owner, beat: beat, isHeld: holder.map { $0.condition != .down } ?? false,
      access: "keys")
    let elapsed = now - servers[place].lookedAt
    servers[place].lookedAt = now
    switch servers[place].watch.take(look, after: elapsed) {
    case .alive: return
    case .barred where place == Self.odd: return
    case .barred: flaws.append("\(now): a server does not take the journal")
    case .free: break
    case .dead:
      if holder?.condition == .up { flaws.append("\(now): a living server was replaced") }
    }
    if place == Self.odd { flaws.append("\(now): a server with another access has the journal") }
    (owner, beat) = (servers[place].identity, beat + 1)
    servers[place].isServing = true
    deserted = nil
  }

  /// A server that stands by must have taken over in time.
  private mutating func checkDesertion() {
    guard let (since, isFrozen) = deserted, silentUntil <= since else { return }
    let isOneThere = servers.indices.contains { place in
      let server = servers[place]
      return place != Self.odd && server.condition == .up && !server.isServing
        && server.upSince <= since
    }
    let limit = isFrozen ? Duration.seconds(5) : .seconds(4)
    if isOneThere, now - since > limit { flaws.append("\(now): nobody has taken over") }
  }
}
