import InAppMessaging
import Vocabulary
import Wire

/// A person's messages as an aggregate.
struct UserAggregate: Aggregate {
  struct Conditions {
    var messaging: MessagingConditions
    /// The epoch of each connected device: the current run of its client.
    var epochs: SortedMap<DeviceID, UInt64>
  }

  private(set) var messaging: UserMessaging
  /// The choices of an erased person, until they are stored again.
  private(set) var choices = MessagingChoices()

  init(_ messaging: UserMessaging) {
    self.messaging = messaging
  }

  /// The state after a person's data was erased.
  ///
  /// - Parameter isOurs: whether this server erased the stream, so that it has to store the
  ///   person's choices again.
  init(erasing old: UserAggregate, isOurs: Bool) {
    messaging = UserMessaging(old.messaging.id)
    if isOurs {
      choices = MessagingChoices(
        isCollectionOff: !old.messaging.collects, isPaused: old.messaging.isPaused)
    }
  }

  var seq: Int { messaging.seq }
  var isForgettable: Bool { messaging.seq > 0 && messaging.isBlank }

  /// Decides a command; a new stream begins with the person's choices and the epochs of their
  /// devices.
  ///
  /// Both may have been lost when the stream was erased. The epochs alone do not begin a stream, so
  /// that a person who wiped their data is not stored again just because the app is open.
  func decide(
    _ work: UserWork, at now: Instant, under conditions: Conditions
  ) throws(ProtocolError) -> Decision<MessagingEvent, Effect> {
    guard messaging.seq == 0 else {
      return Self.decision(try judge(messaging, work.command, at: now, conditions.messaging))
    }
    var messaging = messaging
    let chosen = choices.events
    let connected = conditions.epochs.map { MessagingEvent.connected($0, epoch: $1) }
    for event in chosen + connected { messaging.evolve(event, at: now) }
    // An empty stream has nothing to wipe.
    let command = work.command == .wipe ? .presenceChanged : work.command
    let judged = try judge(messaging, command, at: now, conditions.messaging)
    var decision = Self.decision(judged)
    decision.events = judged.events.isEmpty ? chosen : chosen + connected + judged.events
    return decision
  }

  private func judge(
    _ messaging: UserMessaging, _ command: MessagingCommand, at now: Instant,
    _ conditions: MessagingConditions
  ) throws(ProtocolError) -> MessagingDecision {
    do throws(MessagingRejection) {
      return try messaging.decide(command, at: now, under: conditions)
    } catch { throw ProtocolError(error) }
  }

  private static func decision(_ judged: MessagingDecision) -> Decision<MessagingEvent, Effect> {
    var effects = judged.effects.map(Effect.carryOut)
    if !judged.evaluations.isEmpty { effects.append(.trace(judged.evaluations)) }
    return Decision(
      events: judged.events, effects: effects,
      answer: judged.matchesNothing ? .noMatchingTrigger : .done(seq: nil))
  }

  enum Effect: Sendable {
    case carryOut(MessagingEffect)
    /// The evaluations of campaigns, for explanations.
    case trace([Evaluation])
  }

  mutating func evolve(_ event: MessagingEvent, at now: Instant) {
    messaging.evolve(event, at: now)
    choices = MessagingChoices()
  }

  /// A wipe ends the stream, so the next command begins a new one.
  static func endsBatch(_ command: MessagingCommand) -> Bool { command == .wipe }

  /// The owner knows everything about the person, but not that it has to be erased.
  static func isFoundAnew(_ command: MessagingCommand) -> Bool { command != .wipe }

  static func recorded(_ event: MessagingEvent) -> AggregateEvent { .user(event) }

  static func event(in recorded: AggregateEvent) -> MessagingEvent? {
    if case .user(let event) = recorded { event } else { nil }
  }

  static func weight(of event: MessagingEvent) -> Int { 256 + event.bytes }
}

typealias UserWork = Work<MessagingCommand>

/// The choices that survive a wipe: no data collection, and no messages.
struct MessagingChoices: Equatable, Sendable {
  var isCollectionOff = false
  var isPaused = false

  var isEmpty: Bool { self == MessagingChoices() }

  /// The events that restore the choices of an unknown person.
  var events: [MessagingEvent] {
    (isCollectionOff ? [.collectionSet(false)] : []) + (isPaused ? [.pausedSet(true)] : [])
  }
}
