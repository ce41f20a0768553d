package import Coordination
import GroupSessions
package import InAppMessaging
import Signatures
import UserNotifications
package import Vocabulary
package import Wire

/// The real coordinator in virtual time, with a journal that keeps everything at once and outlives
/// it.
package struct SimulatedServer: Sendable {
  /// What the server does to a connection.
  package enum Effect: Equatable, Sendable {
    case send(ServerMessage, to: Int)
    case close(Int)
  }

  /// The group's time when the simulation begins.
  package static let epoch = Instant(microseconds: 1_800_000_000_000_000)

  private let limits: Limits
  private let campaigns: CampaignSet?
  private let notifications: NotificationSettings
  /// `nil` while the server is dead.
  private var coordinator: Coordinator?
  private var journal = SimulatedJournal()
  private var chance: SplitMix64

  private static let name = "matinee/simulated"

  /// A server that nobody is connected to.
  ///
  /// It signs tokens with a key of its own, unless the settings have one.
  package init(
    limits: Limits = Limits(), campaigns: CampaignSet? = nil,
    notifications: NotificationSettings = NotificationSettings(), seed: UInt64
  ) {
    self.limits = limits
    self.campaigns = campaigns
    var notifications = notifications
    notifications.signer = notifications.signer ?? Self.signer
    self.notifications = notifications
    coordinator = Coordinator(
      limits: limits, server: Self.name, notifications: notifications)
    chance = SplitMix64(seed: seed)
    if let campaigns { _ = take(.campaigns(campaigns), at: .zero) }
  }

  /// The same every time: nobody is there to keep it from.
  private static let signer = InvitationKey(
    bytes: Array(repeating: 7, count: InvitationKey.size)
  ).map(InvitationSigner.init)

  /// When ``advance(to:)`` has something to do.
  package var nextDeadline: Duration? { coordinator?.nextDeadline.map { $0 - Self.epoch } }

  /// Whether there is anybody to connect to.
  package var isRunning: Bool { coordinator != nil }

  /// Dies: all that it knew is gone, but for what its journal kept.
  package mutating func die() { coordinator = nil }

  /// Starts anew, and goes on from the journal; a server that runs goes on as it is.
  package mutating func start(at now: Duration) -> [Effect] {
    guard coordinator == nil else { return [] }
    coordinator = Coordinator(
      limits: limits, server: Self.name, notifications: notifications)
    do throws(BrokenStream) {
      let effects = take(.recovered(try journal.recovery()), at: now)
      return effects + (campaigns.map { take(.campaigns($0), at: now) } ?? [])
    } catch {
      preconditionFailure("the coordinator had a stream kept without its beginning: \(error)")
    }
  }

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
      let wanted = coordinator?.wantedEntropy ?? 0
      if wanted > 0 { coordinator?.refill(with: (0..<wanted).map { _ in chance.next() }) }
      let input = inputs.removeFirst()
      let outputs = coordinator?.handle(input, at: Self.epoch + now)
      for output in outputs ?? [] {
        switch output {
        case .send(let message, let peers):
          effects += peers.map { .send(message, to: Int($0.slot)) }
        case .close(let peer, let error):
          effects.append(.send(.closing(error), to: Int(peer.slot)))
          effects.append(.close(Int(peer.slot)))
        case .append(let append):
          journal.keep(append)
          inputs.append(.appended(append, .kept))
        case .snapshot(let state): journal.keep(state)
        case .forget(let aggregate): journal.forget(aggregate)
        // For people who look at a server's log.
        case .warn: break
        // A simulated server has no push services.
        case .push(_, let attempt): inputs.append(.pushEnded(attempt, .refused))
        }
      }
    }
    return effects
  }
}

/// A journal in memory that outlives its server, in virtual time: it keeps everything at once.
struct SimulatedJournal: Sendable {
  private var streams: [AggregateID: RecordedStream] = [:]
  private var endings: [SessionEnding] = []

  /// Keeps an append, behind what is there.
  mutating func keep(_ append: Append) {
    for step in append.steps { keep(step, of: append.aggregate) }
  }

  private mutating func keep(_ step: Append.Step, of aggregate: AggregateID) {
    if !step.events.isEmpty {
      streams[aggregate, default: RecordedStream(aggregate)].append(step.events)
    }
    if let answer = step.answer {
      // A device that is gone asks nothing again.
      streams[.device(answer.device)]?.answers.keep(answer, limit: Limits().rememberedAnswers)
    }
    for case .session(.ended(let reason)) in step.events.map(\.event) {
      guard case .session(let id) = aggregate else { continue }
      endings.append(SessionEnding(id, reason))
    }
  }

  /// Keeps an aggregate as it is, in place of what made it so.
  mutating func keep(_ state: AggregateState) {
    streams[state.aggregate]?.shorten(to: state)
  }

  /// The aggregate is over.
  mutating func forget(_ aggregate: AggregateID) { streams[aggregate] = nil }

  /// What the next server goes on from.
  func recovery() throws(BrokenStream) -> Recovery {
    var recovery = Recovery()
    for stream in streams.values { try recovery.take(stream) }
    recovery.take(endings)
    return recovery
  }
}
