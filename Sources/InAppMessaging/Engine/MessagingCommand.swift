package import Vocabulary

/// A command to a person's messages, or something that happened to the person.
package enum MessagingCommand: Equatable, Sendable {
  /// An event in an app, or in a session that the person takes part in.
  case log(Occurrence)
  /// A client reports on a delivery.
  case report(MessageReport, of: MessageID, identity: EventIdentity? = nil)
  /// Sets attributes; `nil` takes one away.
  case setAttributes([String: PropertyValue?])
  /// Puts the person on a list, or takes them off.
  case setMembership(list: String, Bool)
  /// Whether data is collected about the person; data collected before stays until a wipe.
  case setCollection(Bool)
  /// Whether the person's messages are paused; deliveries under way are withdrawn.
  case setPaused(Bool)
  /// A device connected. Its client drew the epoch at random when it started: a new epoch means
  /// that the client's stack is gone and that its events are numbered from the beginning.
  case connected(DeviceID, epoch: UInt64)
  /// A device disconnected, and may come back.
  case disconnected(DeviceID)
  /// A device now belongs to another person.
  case released(DeviceID)
  /// The app on a device left the foreground; the session's time-out starts.
  case hidden(DeviceID)
  /// A device whose app was in sight has lost its connection; it cannot say that it goes.
  case vanished(DeviceID)
  /// A device connected or came to the foreground, and gets the messages that wait for one. It has
  /// an effect only while ``UserMessaging/awaitsDevice``.
  case presenceChanged
  /// The server was down, and every device disconnected.
  case interrupted
  /// The campaigns changed. It has an effect only while ``UserMessaging/concernsCampaigns``.
  case campaignsChanged
  /// A group's session ended, or that device left it; `nil` means all of the person's devices.
  case sessionOver(SessionID, on: DeviceID?)
  /// Shows a campaign once on one device as a trial, without regard to its limits.
  case test(CampaignID, variant: String?, on: DeviceID, AppEvent?)
  /// Forgets the person's impressions of the campaign.
  case forget(CampaignID)
  /// Deletes everything known about the person.
  case wipe
  case clockAdvanced
}

/// Something that happened, and where.
package struct Occurrence: Equatable, Sendable {
  package var what: AppEvent
  /// Its identity, by which a repeat is recognised.
  package var identity: EventIdentity?
  /// The device it happened on; `nil` for the server.
  package var device: DeviceID?
  /// The session it happened in.
  package var session: SessionID?

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

/// The identity of an event, by which one that is sent again after a reconnect is recognised.
package struct EventIdentity: Equatable, Sendable {
  package var source: EventSource
  /// It rises for each source; an event that is not above the last one is a repeat.
  package var sequence: Int

  package init(_ source: EventSource, _ sequence: Int) {
    self.source = source
    self.sequence = sequence
  }
}

/// Who numbers events.
package enum EventSource: Hashable, Comparable, Sendable {
  /// A client, its own events and reports.
  case client(DeviceID)
  /// A participation in a group's session, which numbers the activity's revisions; a rejoin is
  /// another one.
  case participant(ParticipantID)
}

/// The last event of a source.
package struct EventMark: Equatable, Sendable {
  /// The client's epoch; its numbers begin again with each.
  package var epoch: UInt64
  package var sequence: Int
  /// When it was last advanced.
  package var at: Instant

  package init(epoch: UInt64 = 0, sequence: Int, at: Instant) {
    self.epoch = epoch
    self.sequence = sequence
    self.at = at
  }
}

/// The circumstances of a command: the server's campaigns and settings, and the connected devices.
package struct MessagingConditions: Sendable {
  package var campaigns: CampaignSet
  package var policy: MessagingPolicy
  package var limits: Limits
  /// The person's connected devices.
  package var devices: [DevicePresence]
  /// A number that changes each time a person is forgotten, so that ids of deliveries stay unique
  /// even at one instant.
  package var salt: UInt64

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
  /// The intervals between messages; all of them apply.
  package var intervals: [IntervalRule] = [.braze]
  /// The default time to live of a message after its delay: a person who locked the phone in a lift
  /// is back by then.
  package var timeToLive = Duration.seconds(300)
  /// How long a client may take to report on an offered message, even beyond the time to live: its
  /// own watchdog takes 15 s, its images 10 s.
  package var answerDeadline = Duration.seconds(30)
  /// How long a client's messages, waiting or on screen, outlive its connection.
  package var clientGrace = Duration.seconds(300)
  /// How long a person must be away for their return to begin a new session: Braze's time-out.
  package var sessionTimeOut = Duration.seconds(10)

  /// The policy a server starts with.
  package init() {}
}
