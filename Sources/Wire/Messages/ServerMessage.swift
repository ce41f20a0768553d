package import GroupSessions
package import InAppMessaging
package import Playback
package import UserNotifications
package import Vocabulary

/// One line from the server to a client.
package enum ServerMessage: Equatable, Sendable {
  indirect case welcome(Welcome)
  case pong(Pong)
  /// The one answer to a request that was carried out.
  case answer(RequestID, Answer)
  /// The one answer to a request that was not; without an id, a word on a line that was none.
  indirect case error(RequestID?, ProtocolError)
  /// The same, or the last word, with a code that only a newer server knows.
  case unknownError(RequestID?, UnknownError)
  /// Whether this device can take part in sessions now; pushed on every change.
  case eligibility(Eligibility)
  /// The group as it is, on joining it and on resuming.
  indirect case group(Group)
  indirect case groupEvent(GroupID, seq: Int, at: Instant, GroupEvent)
  /// A session this device may join.
  indirect case offer(Offer)
  case offerWithdrawn(SessionID, OfferWithdrawal)
  /// An activity goes on in the group that this device cannot take part in.
  case activityNotice(ActivityNotice)
  /// The session as it is, on joining it and on resuming beyond what is retained.
  indirect case snapshot(SessionSnapshot)
  indirect case event(SessionID, seq: Int, at: Instant, SessionEvent)
  /// This device has another item current than those who watch what the session is about.
  indirect case itemMismatch(SessionID, item: ItemID, others: ItemID)
  /// An event meant for others; it only keeps the count without a gap.
  case withheld(SessionID, seq: Int)
  /// The session is over, said to one who resumes too late to hear it as an event.
  case sessionOver(SessionID, EndReason)
  /// The session goes on without this device, said to one who resumes too late to hear it.
  case sessionLeft(SessionID, LeaveReason)
  case message(SessionID, from: ParticipantID, JSONText)
  /// A message for this device to show.
  indirect case inAppMessage(MessageDelivery)
  /// One that cannot be read; only a client makes it, of what it heard.
  indirect case unreadableMessage(UnreadableMessage)
  case messageRevoked(MessageRevocation)
  case explanation(RequestID, [Explanation])
  /// A notification for this device.
  indirect case notification(RemoteNotification)
  /// All that stands for this device: what it shows beside that is out of date.
  case notifications([ListedNotification])
  /// Notifications that stand no more.
  case notificationsRevoked([NotificationID])
  /// A part of a session as it was after the event that `version` numbers.
  indirect case objectState(
    RequestID, SessionObject, version: Int64, [String: PayloadValue])
  /// The server's last word before it closes the connection.
  indirect case closing(ProtocolError)
  indirect case status(RequestID, StatusReport)
}

/// The answer to a hello.
package struct Welcome: Equatable, Sendable {
  package var version: Int
  /// The server's name and version, for people.
  package var server: String
  package var device: DeviceID
  /// The secret to resume with; the same over all resumptions, so that a welcome lost on the way
  /// costs nothing.
  package var token: String
  /// Whether the device is what it was before its connection broke.
  package var isResumed: Bool
  /// The server's time when it answered.
  package var at: Instant
  package var features: Set<Feature>
  package var limits: WireLimits

  /// A welcome.
  package init(
    version: Int, server: String, device: DeviceID, token: String, isResumed: Bool, at: Instant,
    features: Set<Feature>, limits: WireLimits
  ) {
    self.version = version
    self.server = server
    self.device = device
    self.token = token
    self.isResumed = isResumed
    self.at = at
    self.features = features
    self.limits = limits
  }
}

/// The bounds a client has to know.
package struct WireLimits: Equatable, Sendable {
  package var lineBytes: Int
  package var messagesPerSecond: Int
  package var messageBytes: Int
  package var activityBytes: Int
  package var heartbeatDeadline: Duration
  package var resumeGrace: Duration

  /// The bounds of a server.
  package init(_ limits: Limits) {
    lineBytes = limits.lineBytes
    messagesPerSecond = limits.messagesPerSecond
    messageBytes = limits.messageBytes
    activityBytes = limits.activityBytes
    heartbeatDeadline = limits.heartbeatDeadline
    resumeGrace = limits.resumeGrace
  }

  /// The bounds as a welcome tells them.
  package init(
    lineBytes: Int, messagesPerSecond: Int, messageBytes: Int, activityBytes: Int,
    heartbeatDeadline: Duration, resumeGrace: Duration
  ) {
    self.lineBytes = lineBytes
    self.messagesPerSecond = messagesPerSecond
    self.messageBytes = messageBytes
    self.activityBytes = activityBytes
    self.heartbeatDeadline = heartbeatDeadline
    self.resumeGrace = resumeGrace
  }
}

/// The answer to a ping: RFC 5905's first three timestamps.
package struct Pong: Equatable, Sendable {
  /// t1, as the ping brought it.
  package var sent: HostTime
  /// t2, when the server heard it.
  package var heard: Instant
  /// t3, when the server answered.
  package var answered: Instant

  /// A pong.
  package init(sent: HostTime, heard: Instant, answered: Instant) {
    self.sent = sent
    self.heard = heard
    self.answered = answered
  }
}

/// What a request came to.
package enum Answer: Equatable, Sendable {
  /// It is done; `seq` numbers the last event it made, if it made one.
  case done(seq: Int?)
  /// The activity goes on in this session; the offer comes to this device, or to another one.
  case activated(SessionID, isNew: Bool, willDeliver: Bool)
  /// The device takes part as this participant; the snapshot follows.
  case joined(SessionID, ParticipantID)
  /// The suspension has this number.
  case suspended(SuspensionID)
  /// The suspension is over, but others are open: the proposed place was dropped.
  case proposalDropped
  /// The event was taken, and no live campaign waits for it.
  case noMatchingTrigger
  /// The invitation has this answer already, from another device or another time.
  case alreadyAnswered
}

/// A session that waits for this device.
package struct Offer: Equatable, Sendable {
  package var session: SessionID
  package var group: GroupID
  package var activity: GroupActivity
  package var revision: Int
  package var initiator: Initiator
  /// Whether it is only staged: joining needs somebody to activate it first.
  package var isStaged: Bool
  /// Whether its person accepted an invitation where nothing could join, so that this device is to.
  package var isAwaited: Bool

  /// An offer.
  package init(_ session: GroupSession, isAwaited: Bool = false) {
    self.init(
      session: session.id, group: session.group, activity: session.activity,
      revision: session.revision, initiator: session.initiator,
      isStaged: session.state == .staged, isAwaited: isAwaited)
  }

  /// An offer as it stands on the wire.
  package init(
    session: SessionID, group: GroupID, activity: GroupActivity, revision: Int,
    initiator: Initiator, isStaged: Bool, isAwaited: Bool = false
  ) {
    self.session = session
    self.group = group
    self.activity = activity
    self.revision = revision
    self.initiator = initiator
    self.isStaged = isStaged
    self.isAwaited = isAwaited
  }
}

/// Why an offer is gone.
package enum OfferWithdrawal: Equatable, Sendable {
  /// The session ended.
  case ended(EndReason)
  /// Its device declined, or its person did on any device.
  case declined
  /// The device is no longer eligible.
  case notEligible
}

/// A session for one who joins or resumes.
package struct SessionSnapshot: Equatable, Sendable {
  package var session: GroupSession
  /// Which participant the receiver is.
  package var participant: ParticipantID
  /// The server's time.
  package var at: Instant

  /// A snapshot.
  package init(session: GroupSession, participant: ParticipantID, at: Instant) {
    self.session = session
    self.participant = participant
    self.at = at
  }
}

/// What goes on at a server.
package struct StatusReport: Equatable, Sendable {
  /// One participant's place, as its last report told it.
  package struct Place: Equatable, Sendable {
    package var participant: ParticipantID
    /// How far its player was from where the group was then; positive is ahead.
    package var offset: Duration
    package var roundTrip: Duration?

    /// A place.
    package init(participant: ParticipantID, offset: Duration, roundTrip: Duration?) {
      self.participant = participant
      self.offset = offset
      self.roundTrip = roundTrip
    }
  }

  package var at: Instant
  package var peers: Int
  package var groups: [Group]
  package var sessions: [GroupSession]
  package var places: [Place]
  /// Whether there are more groups, which a status `after` the last one here tells of.
  package var hasMore: Bool

  /// A report.
  package init(
    at: Instant, peers: Int, groups: [Group], sessions: [GroupSession], places: [Place],
    hasMore: Bool = false
  ) {
    self.at = at
    self.peers = peers
    self.groups = groups
    self.sessions = sessions
    self.places = places
    self.hasMore = hasMore
  }

  /// Takes the groups of another report in behind its own, with all that belongs to them.
  package mutating func append(_ next: StatusReport) {
    groups += next.groups
    sessions += next.sessions
    places += next.places
    hasMore = next.hasMore
  }
}

extension ServerMessage {
  /// Whether a peer that reads slowly can do without it.
  package var isDroppable: Bool {
    if case .message = self { true } else { false }
  }
}
