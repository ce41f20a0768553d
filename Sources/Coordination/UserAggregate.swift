import DequeModule
import InAppMessaging
import Vocabulary
import Wire

/// One person's messages in the coordinator: their value, what waits for its journal, and which of
/// the person's devices are here.
struct UserAggregate: Sendable {
  var messaging: UserMessaging
  /// What is being kept; commands behind it wait.
  var inFlight = Rare<UserWork>.absent
  var waiting: Deque<UserWork> = []
  /// The connected devices that said how their app is; only these are sent messages.
  var devices: [DevicePresence] = []
  /// Which run of its client each of them is.
  var epochs: SortedMap<DeviceID, UInt64> = [:]
  /// Why campaigns were chosen or not since one of the devices came, for whoever asks.
  var trace = EvaluationTrace()
  /// What the person chose before all else was forgotten, until it is kept anew.
  var choices = MessagingChoices()
  /// Whether writing failed, and is tried again when the person is woken.
  var isResting = false

  init(_ messaging: UserMessaging) {
    self.messaging = messaging
  }

  /// Takes the first command that waits; the room for those that did goes with the last of them.
  mutating func takeWaiting() -> UserWork? {
    defer { if waiting.isEmpty { waiting = [] } }
    return waiting.popFirst()
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
    messaging.seq == 0 && devices.isEmpty && !isAtWork && !isResting && choices.isEmpty
  }

  /// Since when the person is away, if nothing is under way; `nil` also of those who want nothing
  /// collected or no messages, which has to stand when they come back.
  var awaySince: Instant? {
    guard devices.isEmpty, !isAtWork, !isResting, choices.isEmpty, messaging.deliveries.isEmpty,
      messaging.collects, !messaging.isPaused
    else { return nil }
    return messaging.lastActive ?? Instant(microseconds: .min)
  }

  /// Whether anything is being kept, or waits for that.
  var isAtWork: Bool { inFlight.isPresent || !waiting.isEmpty }
}

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

/// A command for a person's messages, and who waits for what becomes of it.
struct UserWork: Sendable {
  let command: MessagingCommand
  var reply: Reply?
  /// What is to be done once its events are kept.
  var effects: [MessagingEffect] = []
}
