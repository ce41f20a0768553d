package import Vocabulary

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
