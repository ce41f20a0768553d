import Coordination
import GroupSessions
package import Vocabulary
package import Wire

/// The real coordinator in virtual time, with a journal that keeps everything at once.
package struct SimulatedServer: Sendable {
  /// What the server does to a connection.
  package enum Effect: Equatable, Sendable {
    case send(ServerMessage, to: Int)
    case close(Int)
  }

  /// The group's time when the simulation begins.
  package static let epoch = Instant(microseconds: 1_800_000_000_000_000)

  private var coordinator: Coordinator
  private var chance: SplitMix64

  /// A server that nobody is connected to.
  package init(limits: Limits = Limits(), seed: UInt64) {
    coordinator = Coordinator(limits: limits, server: "matinee/simulated")
    chance = SplitMix64(seed: seed)
  }

  /// When ``advance(to:)`` has something to do.
  package var nextDeadline: Duration? { coordinator.nextDeadline.map { $0 - Self.epoch } }

  /// A connection was accepted.
  package mutating func accept(_ connection: Int, at now: Duration) -> [Effect] {
    take(.connected(Self.peer(connection)), at: now)
  }

  /// A line came in.
  package mutating func receive(
    _ message: ClientMessage, over connection: Int, at now: Duration
  ) -> [Effect] {
    take(.received(Self.peer(connection), message), at: now)
  }

  /// A connection is gone.
  package mutating func lose(_ connection: Int, at now: Duration) -> [Effect] {
    take(.disconnected(Self.peer(connection)), at: now)
  }

  /// Lets time pass.
  package mutating func advance(to now: Duration) -> [Effect] {
    take(.clockAdvanced, at: now)
  }

  private static func peer(_ connection: Int) -> PeerID {
    PeerID(slot: UInt32(connection), generation: 0)
  }

  /// Carries an input through, with what the journal answers to it.
  private mutating func take(_ input: Input, at now: Duration) -> [Effect] {
    var inputs = [input]
    var effects: [Effect] = []
    while !inputs.isEmpty {
      let wanted = coordinator.wantedEntropy
      if wanted > 0 { coordinator.refill(with: (0..<wanted).map { _ in chance.next() }) }
      for output in coordinator.handle(inputs.removeFirst(), at: Self.epoch + now) {
        switch output {
        case .send(let message, .one(let peer)):
          effects.append(.send(message, to: Int(peer.slot)))
        case .send(let message, .many(let peers)):
          effects += peers.map { .send(message, to: Int($0.slot)) }
        case .close(let peer, let error):
          effects.append(.send(.closing(error), to: Int(peer.slot)))
          effects.append(.close(Int(peer.slot)))
        case .append(let append): inputs.append(.appended(append, .kept))
        case .snapshot, .forget: break
        }
      }
    }
    return effects
  }
}
