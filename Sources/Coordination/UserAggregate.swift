import InAppMessaging
import Vocabulary
import Wire

/// A person's messages as their lane has them.
struct UserAggregate: Aggregate {
  struct Conditions {
    var messaging: MessagingConditions
    /// Which run of its client each connected device is.
    var epochs: SortedMap<DeviceID, UInt64>
  }

  private(set) var messaging: UserMessaging
  /// What the person chose before all else was forgotten, until it is kept anew.
  private(set) var choices = MessagingChoices()

  init(_ messaging: UserMessaging) {
    self.messaging = messaging
  }

  /// Nothing of a person is kept any more, not even that there was anything.
  ///
  /// - Parameter isOurs: whether it was this server that erased the stream, so that it keeps the
  ///   person's choices anew.
  init(erasing old: UserAggregate, isOurs: Bool) {
    messaging = UserMessaging(old.messaging.id)
    if isOurs {
      choices = MessagingChoices(
        isCollectionOff: !old.messaging.collects, isPaused: old.messaging.isPaused)
    }
  }

  var seq: Int { messaging.seq }
  var isForgettable: Bool { messaging.seq > 0 && messaging.isBlank }

  /// What a command comes to, and what has to stand before it where it begins a stream.
  ///
  /// That is what the person chose before they were forgotten, and which run of its client each of
  /// their devices is: said before, it went with the rest. A device alone begins no stream: who
  /// wiped what was known is not known again for having the app open.
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
    // There is nothing to wipe.
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
    /// Why campaigns were chosen or not, for whoever asks.
    case trace([Evaluation])
  }

  mutating func evolve(_ event: MessagingEvent, at now: Instant) {
    messaging.evolve(event, at: now)
    choices = MessagingChoices()
  }

  /// A new stream begins behind a wipe.
  static func endsBatch(_ command: MessagingCommand) -> Bool { command == .wipe }

  static func recorded(_ event: MessagingEvent) -> AggregateEvent { .user(event) }

  static func event(in recorded: AggregateEvent) -> MessagingEvent? {
    if case .user(let event) = recorded { event } else { nil }
  }

  /// A delivery has a whole message in it.
  static func weight(of event: MessagingEvent) -> Int {
    if case .reserved = event { 4_096 } else { 256 }
  }
}

typealias UserWork = Work<MessagingCommand>

/// Whether a person wants nothing collected, or no messages: the only thing that outlives a wipe.
struct MessagingChoices: Equatable, Sendable {
  var isCollectionOff = false
  var isPaused = false

  var isEmpty: Bool { self == MessagingChoices() }

  /// What makes them so of a person nothing is known of.
  var events: [MessagingEvent] {
    (isCollectionOff ? [.collectionSet(false)] : []) + (isPaused ? [.pausedSet(true)] : [])
  }
}

// MARK: Room

/// One person's messages in the coordinator: their lane, and which of the person's devices are here.
struct UserRoom: Sendable {
  var lane: Lane<UserAggregate>
  /// The connected devices that said how their app is; only these are sent messages.
  var devices: [DevicePresence] = []
  /// Which run of its client each of them is.
  var epochs: SortedMap<DeviceID, UInt64> = [:]
  /// Why campaigns were chosen or not since one of the devices came, for whoever asks.
  var trace = EvaluationTrace()

  init(_ messaging: UserMessaging) {
    lane = Lane(UserAggregate(messaging))
  }

  var messaging: UserMessaging {
    _read { yield lane.state.messaging }
  }

  /// Notes how a device is, in place of how it was.
  mutating func note(_ presence: DevicePresence, epoch: UInt64) {
    if let index = devices.firstIndex(where: { $0.device == presence.device }) {
      devices[index] = presence
    } else {
      devices.makeRoom()
      devices.append(presence)
    }
    epochs[presence.device] = epoch
  }

  /// - Returns: whether the device was here.
  mutating func removePresence(of device: DeviceID) -> Bool {
    guard let index = devices.firstIndex(where: { $0.device == device }) else { return false }
    devices.remove(at: index)
    epochs[device] = nil
    if devices.isEmpty { leave() }
    return true
  }

  /// The person is not here any more: what is known only of people who are takes no room; it would be
  /// another third.
  private mutating func leave() {
    devices = []
    epochs = [:]
    trace = EvaluationTrace()
  }

  /// Whether there is nothing to remember the person by.
  var isForgettable: Bool {
    messaging.seq == 0 && devices.isEmpty && isIdle && lane.state.choices.isEmpty
  }

  /// Since when the person is away, if nothing is under way; `nil` also of those who want nothing
  /// collected or no messages, which has to stand when they come back.
  var awaySince: Instant? {
    guard devices.isEmpty, isIdle, lane.state.choices.isEmpty, messaging.deliveries.isEmpty,
      messaging.collects, !messaging.isPaused
    else { return nil }
    return messaging.lastActive ?? Instant(microseconds: .min)
  }

  private var isIdle: Bool { !lane.isAtWork && !lane.isPaused }
}
