package import Coordination
import GroupSessions
package import InAppMessaging
import Signatures
import UserNotifications
package import Vocabulary
package import Wire

/// The real coordinator in virtual time, with a journal that stores at once and survives a crash.
package struct SimulatedServer: Sendable {
  /// What the server does with a connection.
  package enum Effect: Equatable, Sendable {
    case send(ServerMessage, to: Int)
    case close(Int)
  }

  /// The group's time when the simulation begins.
  package static let epoch = Instant(microseconds: 1_800_000_000_000_000)

  private let limits: Limits
  private let access: Access
  private let campaigns: CampaignSet?
  private let notifications: NotificationSettings
  /// `nil` while the server is dead.
  private var coordinator: Coordinator?
  private var journal = SimulatedJournal()
  private var generator: SplitMix64

  private static let name = "matinee/simulated"

  /// A server without connections.
  ///
  /// It signs tokens with a fixed key, unless the settings have one. Where access is by keys,
  /// everybody has the group's link: a joining without a key gets the one that is right.
  package init(
    limits: Limits = Limits(), access: Access = .open, campaigns: CampaignSet? = nil,
    notifications: NotificationSettings = NotificationSettings(), seed: UInt64
  ) {
    self.limits = limits
    self.access = access
    self.campaigns = campaigns
    var notifications = notifications
    notifications.signer = notifications.signer ?? Self.signer
    self.notifications = notifications
    coordinator = Coordinator(
      limits: limits, server: Self.name, access: access, notifications: notifications)
    generator = SplitMix64(seed: seed)
    if let campaigns { _ = take(.campaigns(campaigns), at: .zero) }
  }

  /// Makes somebody known who has been here before: the name is theirs who show the credential.
  ///
  /// Call it before the first connection.
  mutating func know(_ user: UserID, by credential: CredentialHash) {
    let claim = RecordedEvent(at: Self.epoch, event: .name(.claimed(credential)))
    journal.keep(Append(to: .name(user), after: 0, [claim]))
    die()
    _ = start(at: .zero)
  }

  /// A fixed key, because a simulation has no secrets.
  private static let signer = InvitationKey(
    bytes: Array(repeating: 7, count: InvitationKey.size)
  ).map(InvitationSigner.init)

  /// When ``advance(to:)`` is due.
  package var nextDeadline: Duration? { coordinator?.nextDeadline.map { $0 - Self.epoch } }

  /// Crashes: only the journal is left.
  package mutating func die() { coordinator = nil }

  /// Starts the server from its journal, unless it is running.
  package mutating func start(at now: Duration) -> [Effect] {
    guard coordinator == nil else { return [] }
    coordinator = Coordinator(
      limits: limits, server: Self.name, access: access, notifications: notifications)
    do throws(BrokenStream) {
      let effects = take(.recovered(try journal.recovery()), at: now)
      return effects + (campaigns.map { take(.campaigns($0), at: now) } ?? [])
    } catch {
      preconditionFailure("the coordinator stored a stream without its beginning: \(error)")
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
    take(.received(Self.peer(connection), addingKey(to: message)), at: now)
  }

  /// Adds the group's key to a joining, or the founding key for a group that is not there.
  private func addingKey(to message: ClientMessage) -> ClientMessage {
    guard case .keys(let keys) = access, case .request(let id, .joinGroup(let group, nil)) = message
    else { return message }
    let key = keys.key(of: group, generation: 1).text
    let isThere = coordinator?.key(of: group)?.matches(key) == true
    return .request(id, .joinGroup(group, key: isThere ? key : keys.founding.text))
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

  /// Handles an input, and the journal's answers to its outputs.
  private mutating func take(_ input: Input, at now: Duration) -> [Effect] {
    var inputs = [input]
    var effects: [Effect] = []
    while !inputs.isEmpty {
      let wanted = coordinator?.wantedEntropy ?? 0
      if wanted > 0 { coordinator?.refill(with: (0..<wanted).map { _ in generator.next() }) }
      let input = inputs.removeFirst()
      let outputs = coordinator?.handle(input, at: Self.epoch + now)
      for output in outputs ?? [] {
        switch output {
        case .send(let message, let peers):
          effects += peers.map { .send(message, to: Int($0.slot)) }
        case .shut: break
        case .close(let peer, let error):
          effects.append(.send(.closing(error), to: Int(peer.slot)))
          effects.append(.close(Int(peer.slot)))
        case .append(let append):
          journal.keep(append)
          inputs.append(.appended(append, .kept))
        case .snapshot(let state): journal.keep(state)
        case .forget(let aggregate): journal.forget(aggregate)
        // Warnings are for the log only.
        case .warn: break
        // It is the only server.
        case .drain, .publish, .audience: break
        // There are no simulated push services.
        case .push(_, let attempt): inputs.append(.pushEnded(attempt, .refused))
        }
      }
    }
    return effects
  }
}

/// A journal in memory that stores at once and survives its server.
struct SimulatedJournal: Sendable {
  private var streams: [AggregateID: RecordedStream] = [:]
  private var endings: [SessionEnding] = []

  /// Stores an append.
  mutating func keep(_ append: Append) {
    for step in append.steps { keep(step, of: append.aggregate) }
  }

  private mutating func keep(_ step: Append.Step, of aggregate: AggregateID) {
    if !step.events.isEmpty {
      streams[aggregate, default: RecordedStream(aggregate)].append(step.events)
    }
    if let answer = step.answer {
      // A device that is gone repeats no request.
      streams[.device(answer.device)]?.answers.keep(answer, limit: Limits().rememberedAnswers)
    }
    for case .session(.ended(let reason)) in step.events.map(\.event) {
      guard case .session(let id) = aggregate else { continue }
      endings.append(SessionEnding(id, reason))
    }
  }

  /// Stores a snapshot in place of the earlier events.
  mutating func keep(_ state: AggregateState) {
    streams[state.aggregate]?.shorten(to: state)
  }

  /// Removes the stream of an aggregate that is over.
  mutating func forget(_ aggregate: AggregateID) { streams[aggregate] = nil }

  /// The contents for the next server.
  func recovery() throws(BrokenStream) -> Recovery {
    var recovery = Recovery()
    // In the same order in each run.
    for stream in streams.values.sorted(by: { "\($0.aggregate)" < "\($1.aggregate)" }) {
      try recovery.take(stream)
    }
    recovery.take(endings)
    return recovery
  }
}
