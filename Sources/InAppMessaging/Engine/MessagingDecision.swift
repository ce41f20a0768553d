package import Vocabulary

/// The engine's answer to a command.
package struct MessagingDecision: Equatable, Sendable {
  /// What happened, to be kept and made so, in order.
  package internal(set) var events: [MessagingEvent] = []
  /// What is to be done once the events are kept.
  package internal(set) var effects: [MessagingEffect] = []
  /// Why campaigns were chosen or not; for ``EvaluationTrace``, not to be kept.
  package internal(set) var evaluations: [Evaluation] = []
  /// Whether the event was taken before: to be acknowledged, and nothing else.
  package internal(set) var isRepeat = false
  /// Whether an event was looked at that no live campaign waits for.
  package internal(set) var matchesNothing = false

  init() {}
}

/// What a shell does for the engine.
package enum MessagingEffect: Equatable, Sendable {
  /// Sends a message to a device. Until that instant it may come on the screen, unless it waits on
  /// the stack; sent again with the same id, it is the same delivery.
  ///
  /// - `wasSeen`: it counts as seen already, and is not to count again.
  indirect case deliver(InAppMessage, to: DeviceID, expires: Instant, wasSeen: Bool = false)
  /// Takes a message back from a device, from the screen only where forced.
  case withdraw(MessageID, from: DeviceID, because: InAppMessage.Refusal, isForced: Bool)
  /// Something that its author should hear of.
  case warn(MessagingWarning)
}

/// What went wrong without an error.
package enum MessagingWarning: Equatable, Sendable {
  /// A message was shown and went away without having been reported as seen: it will come again.
  case impressionMissing(MessageID, CampaignID)
}

/// What happened to a person's messages: what is kept, and what is replayed.
package enum MessagingEvent: Equatable, Sendable {
  /// An event was taken; should it come again, it is a repeat.
  case logged(EventIdentity)
  /// The person was in the app until now.
  case seen
  /// The person began to use the app.
  case sessionStarted
  /// An attribute was set, or taken away.
  case attributeSet(String, PropertyValue?)
  case membershipSet(list: String, Bool)
  case collectionSet(Bool)
  case pausedSet(Bool)
  /// A device's client runs anew.
  case connected(DeviceID, epoch: UInt64)
  /// A device that has deliveries is gone; they lapse at that instant.
  case lost(DeviceID, until: Instant)
  /// It came back in time.
  case resumed(DeviceID)
  /// The server was away: every device that has deliveries may come back until that instant.
  case interrupted(until: Instant)
  /// A message is on its way, and its campaign reserved.
  indirect case reserved(Delivery)
  /// Its delay is over, and nobody is there to see it.
  case fellDue(MessageID)
  case offered(MessageID, to: DeviceID)
  case waiting(MessageID)
  case started(MessageID)
  /// It counts as seen.
  case impression(MessageID)
  case clicked(MessageID, button: String?)
  /// It is over. Refused by choice it counts as used up, refused for its content or its images its
  /// campaign rests until the next session or other campaigns.
  case ended(MessageID, InAppMessage.Outcome)
  /// Its client did not say in time what became of it; a late report still counts.
  case lapsed(MessageID, InAppMessage.Refusal)
  /// Campaigns that failed may come again.
  case failuresForgotten
  /// What the person saw of a campaign counts no more.
  case forgotten(CampaignID)
  case wiped
}

/// Why the engine refused a command; the state is as before.
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
  /// The person wants no messages, or nothing collected: there is nothing to try.
  case collectionOff
}
