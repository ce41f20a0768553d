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

/// Which event it is, so that the same one sent again after a cut is not taken for another.
package struct EventIdentity: Equatable, Sendable {
  package var source: EventSource
  /// Rising by source: what is not above the last one is a repeat.
  package var sequence: Int

  /// An identity.
  package init(_ source: EventSource, _ sequence: Int) {
    self.source = source
    self.sequence = sequence
  }
}

/// Who numbers events.
package enum EventSource: Hashable, Comparable, Sendable {
  /// A client, its own events and reports.
  case client(DeviceID)
  /// A stay in a group's session, the revisions of what is watched; a rejoin is another stay.
  case participant(ParticipantID)
}

/// The last event of a source.
package struct EventMark: Equatable, Sendable {
  /// The client's run; its numbers begin again with each.
  package var epoch: UInt64
  package var sequence: Int
  /// When it was last advanced.
  package var at: Instant

  /// A mark.
  package init(epoch: UInt64 = 0, sequence: Int, at: Instant) {
    self.epoch = epoch
    self.sequence = sequence
    self.at = at
  }
}

/// What the moment adds to a command: what belongs to the server, and who is there.
package struct MessagingConditions: Sendable {
  package var campaigns: CampaignSet
  package var policy: MessagingPolicy
  package var limits: Limits
  /// The person's connected devices.
  package var devices: [DevicePresence]
  /// Another number after each time that anybody was forgotten: ids of deliveries differ by it even
  /// at one instant.
  package var salt: UInt64

  /// Conditions.
  package init(
    campaigns: CampaignSet, policy: MessagingPolicy = MessagingPolicy(),
    limits: Limits = Limits(), devices: [DevicePresence] = [], salt: UInt64 = 0
  ) {
    self.campaigns = campaigns
    self.policy = policy
    self.limits = limits
    self.devices = devices
    self.salt = salt
  }
}

/// How messages behave on a server; their bounds are in `Limits`.
package struct MessagingPolicy: Equatable, Sendable {
  /// How far apart messages come; all of them hold.
  package var intervals: [IntervalRule] = [.braze]
  /// How long after its delay a message is still worth showing, where its campaign says nothing: a
  /// person who locked the phone in the lift is back by then.
  package var timeToLive = Duration.seconds(300)
  /// How long a client that was offered a message may take to say what became of it, even when the
  /// time to live is over: its own watchdog takes 15 s, its images 10 s.
  package var answerDeadline = Duration.seconds(30)
  /// How long what waits on a client, or stands on it, outlives that client's connection.
  package var clientGrace = Duration.seconds(300)
  /// How long somebody has to be away for their return to begin a new session: Braze's time-out.
  package var sessionTimeOut = Duration.seconds(10)

  /// The policy a server starts with.
  package init() {}
}
