package import Vocabulary

/// What someone wants of a person's messages, or what happened to the person.
package enum MessagingCommand: Equatable, Sendable {
  /// Something happened in an app, or in a session that the person takes part in.
  case log(Occurrence)
  /// A client tells what became of a delivery.
  case report(MessageReport, of: MessageID, identity: EventIdentity? = nil)
  /// Sets attributes; `nil` takes one away.
  case setAttributes([String: PropertyValue?])
  /// Puts the person on a list, or takes them off.
  case setMembership(list: String, Bool)
  /// Whether anything is collected of the person; off, what was collected stays until wiped.
  case setCollection(Bool)
  /// Whether the person's messages rest; what is under way is withdrawn.
  case setPaused(Bool)
  /// A device is here. The epoch is a number that its client drew when it started: another one means
  /// that its stack is gone, and that its events are numbered from the beginning.
  case connected(DeviceID, epoch: UInt64)
  /// A device is gone, and may come back.
  case disconnected(DeviceID)
  /// A device is another person's now.
  case released(DeviceID)
  /// The person does not see the app on a device any more: the session's time-out counts from here.
  case hidden(DeviceID)
  /// A device came, or came in sight: what waits for one goes there. Only worth sending while
  /// ``UserMessaging/awaitsDevice``.
  case presenceChanged
  /// The server was away, and every device with it.
  case interrupted
  /// The campaigns are others. Worth sending while ``UserMessaging/concernsCampaigns``.
  case campaignsChanged
  /// A group's session is over, or left by that device; `nil` is all of the person's.
  case sessionOver(SessionID, on: DeviceID?)
  /// Shows a campaign to try it, on one device, whatever the limits; once.
  case test(CampaignID, variant: String?, on: DeviceID, AppEvent?)
  /// The person has not seen the campaign, whatever they have seen.
  case forget(CampaignID)
  /// Everything known of the person goes.
  case wipe
  case clockAdvanced
}

/// Something that happened, and where.
package struct Occurrence: Equatable, Sendable {
  package var what: AppEvent
  /// Which one it is; without it no repeat is recognised.
  package var identity: EventIdentity?
  /// The device it happened on; `nil` where it happened on the server.
  package var device: DeviceID?
  /// The session it happened in.
  package var session: SessionID?

  /// An occurrence.
  package init(
    _ what: AppEvent, identity: EventIdentity? = nil, on device: DeviceID? = nil,
    in session: SessionID? = nil
  ) {
    self.what = what
    self.identity = identity
    self.device = device
    self.session = session
  }
}
