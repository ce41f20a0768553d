package import Vocabulary

/// The engine's answer to a command.
package struct MessagingDecision: Equatable, Sendable {
  /// What happened, to be kept and made so, in order.
  package internal(set) var events: [MessagingEvent] = []
  /// What is to be done once the events are kept.
  package internal(set) var effects: [MessagingEffect] = []
  /// Why campaigns were chosen or not, for ``EvaluationTrace``; they are not kept.
  package internal(set) var evaluations: [Evaluation] = []
  /// Whether no live campaign waits for the event.
  package internal(set) var matchesNothing = false

  init() {}
}

/// What a shell does for the engine.
package enum MessagingEffect: Equatable, Sendable {
  /// Sends a message to a device. It may be shown until `expires`, or later if it waits on the
  /// stack. A message that is sent again with the same id is the same delivery.
  ///
  /// - `wasSeen`: it counted as seen before, so it does not count again.
  indirect case deliver(InAppMessage, to: DeviceID, expires: Instant, wasSeen: Bool = false)
  /// Revokes a message on a device; from the screen only if forced.
  case withdraw(MessageID, from: DeviceID, because: InAppMessage.Refusal, isForced: Bool)
  /// Warns the campaign's author.
  case warn(MessagingWarning)
}

/// A problem that is no error.
package enum MessagingWarning: Equatable, Sendable {
  /// A message was shown and dismissed without being reported as seen, so it will come again.
  case impressionMissing(MessageID, CampaignID)
}

/// What happened to a person's messages, as it is kept and replayed.
package enum MessagingEvent: Equatable, Sendable {
  /// An event or a report was taken; the same identity again is a repeat. A late one may have
  /// waited in the client, and does not say that the person was in the app.
  case logged(EventIdentity, isLate: Bool = false)
  /// The person was in the app until now.
  case seen
  /// The person began to use the app.
  case sessionStarted
  /// An attribute was set, or taken away.
  case attributeSet(String, PropertyValue?)
  case membershipSet(list: String, Bool)
  case collectionSet(Bool)
  case pausedSet(Bool)
  /// A device's client started anew.
  case connected(DeviceID, epoch: UInt64)
  /// A device with deliveries disconnected; they lapse at that instant.
  case lost(DeviceID, until: Instant)
  /// It came back in time.
  case resumed(DeviceID)
  /// The server was down: every device with deliveries may come back until that instant.
  case interrupted(until: Instant)
  /// A message is on its way, and its campaign reserved.
  indirect case reserved(Delivery)
  /// Its delay is over, and no device is in the foreground.
  case fellDue(MessageID)
  case offered(MessageID, to: DeviceID)
  case waiting(MessageID)
  case started(MessageID)
  /// It counts as seen.
  case impression(MessageID)
  case clicked(MessageID, button: String?)
  /// It ended. Refused by choice, it counts as an impression. Refused for its content or its
  /// images, its campaign rests until the next session or until the campaigns change.
  case ended(MessageID, InAppMessage.Outcome)
  /// Its client did not report in time; a late report still counts.
  case lapsed(MessageID, InAppMessage.Refusal)
  /// Campaigns that failed may come again.
  case failuresForgotten
  /// The person's impressions of a campaign were forgotten.
  case forgotten(CampaignID)
  case wiped
}

extension MessagingEvent {
  /// The approximate size of what people and apps wrote into it, in bytes.
  package var bytes: Int {
    switch self {
    case .attributeSet(let name, let value): name.utf8.count + (value?.bytes ?? 0)
    case .reserved(let delivery): delivery.cause.event?.bytes ?? 0
    default: 0
    }
  }
}

/// Why the engine refused a command; the state is unchanged.
package enum MessagingRejection: Error, Equatable, Sendable {
  case tooManyAttributes(limit: Int)
  case tooManyLists(limit: Int)
  case tooManyProperties(limit: Int)
  /// The name of an event, a property, an attribute or a list is too long, or empty.
  case badName(String, limit: Int)
  /// An attribute's value is too long.
  case valueTooLong(key: String, limit: Int)
  /// An event's texts are too long together.
  case eventTooLong(limit: Int)
  /// There is no campaign of that name to try.
  case unknownCampaign(CampaignID)
  case unknownVariant(String)
  /// The person has messages or data collection turned off, so a trial is not possible.
  case collectionOff
}
