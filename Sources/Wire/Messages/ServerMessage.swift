package import GroupSessions
package import InAppMessaging
package import Playback
package import UserNotifications
package import Vocabulary

/// One line from the server to a client.
package enum ServerMessage: Equatable, Sendable {
  indirect case welcome(Welcome)
  case pong(Pong)
  /// The answer to a request that was carried out.
  case answer(RequestID, Answer)
  /// The answer to a request that was refused; without an id, an answer to a line that is not a
  /// request.
  indirect case error(RequestID?, ProtocolError)
  /// An error, or the last message of a connection, with a code that only a newer server knows.
  case unknownError(RequestID?, UnknownError)
  /// Whether this device can take part in sessions; sent on every change.
  case eligibility(Eligibility)
  /// The group's state, after joining or resuming.
  indirect case group(Group)
  indirect case groupEvent(GroupID, seq: Int, at: Instant, GroupEvent)
  /// The group's key, for its members, who may pass it on; sent after joining and on every change.
  case groupKey(GroupID, key: String)
  /// Another device asks to come in with the code that this person made.
  case pairingAsked(name: String)
  /// A session that this device may join.
  indirect case offer(Offer)
  case offerWithdrawn(SessionID, OfferWithdrawal)
  /// A session in the group that this device cannot take part in.
  case activityNotice(ActivityNotice)
  /// The session's state, after joining, or after resuming when events are missing.
  indirect case snapshot(SessionSnapshot)
  indirect case event(SessionID, seq: Int, at: Instant, SessionEvent)
  /// This device has another item current than those who watch the activity's item.
  indirect case itemMismatch(SessionID, item: ItemID, others: ItemID)
  /// An event for others, of which only the number is sent, so that the numbers have no gap.
  case withheld(SessionID, seq: Int)
  /// How many spectators watch a session; not numbered, and at most once a second.
  case audience(SessionID, AudienceSize)
  /// The session ended; sent on resuming, when the event is no longer available.
  case sessionOver(SessionID, EndReason)
  /// This device left the session; sent on resuming, when the event is no longer available.
  case sessionLeft(SessionID, LeaveReason)
  case message(SessionID, from: ParticipantID, JSONText)
  /// An in-app message for this device.
  indirect case inAppMessage(MessageDelivery)
  /// A message that cannot be read; only a client's decoder makes it.
  indirect case unreadableMessage(UnreadableMessage)
  case messageRevoked(MessageRevocation)
  case explanation(RequestID, [Explanation])
  /// A notification for this device.
  indirect case notification(RemoteNotification)
  /// All standing notifications of this device, which replace those it shows.
  case notifications([ListedNotification])
  /// Notifications that were withdrawn.
  case notificationsRevoked([NotificationID])
  /// The state of an object after the event numbered `version`.
  indirect case objectState(
    RequestID, ServerObject, version: Int64, [String: PayloadValue])
  /// The credential of this connection is valid until this instant; the client may renew it.
  case credentialExpires(at: Instant)
  /// The last message before the server closes the connection.
  indirect case closing(ProtocolError)
  indirect case status(RequestID, StatusReport)
}

/// The answer to a hello.
package struct Welcome: Equatable, Sendable {
  package var version: Int
  /// The server's name and version, for people.
  package var server: String
  package var device: DeviceID
  /// The secret to resume with; it stays the same, so that a lost welcome does no harm.
  package var token: String
  /// Whether the device resumed.
  package var isResumed: Bool
  /// The server's time when it answered.
  package var at: Instant
  package var access: AccessMode
  /// Whether the name belongs to the person; before that, the device may only join a group with a
  /// key.
  package var isProved: Bool
  package var features: Set<Feature>
  package var limits: WireLimits

  package init(
    version: Int, server: String, device: DeviceID, token: String, isResumed: Bool, at: Instant,
    access: AccessMode = .open, isProved: Bool = true, features: Set<Feature>, limits: WireLimits
  ) {
    self.version = version
    self.server = server
    self.device = device
    self.token = token
    self.isResumed = isResumed
    self.at = at
    self.access = access
    self.isProved = isProved
    self.features = features
    self.limits = limits
  }
}

/// The limits that a client needs to know.
package struct WireLimits: Equatable, Sendable {
  package var lineBytes: Int
  package var messagesPerSecond: Int
  package var messageBytes: Int
  package var activityBytes: Int
  package var heartbeatDeadline: Duration
  package var resumeGrace: Duration

  /// The limits of a server.
  package init(_ limits: Limits) {
    lineBytes = limits.lineBytes
    messagesPerSecond = limits.messagesPerSecond
    messageBytes = limits.messageBytes
    activityBytes = limits.activityBytes
    heartbeatDeadline = limits.heartbeatDeadline
    resumeGrace = limits.resumeGrace
  }

  /// The limits from a welcome.
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
  /// t1, copied from the ping.
  package var sent: HostTime
  /// t2, when the server received the ping.
  package var heard: Instant
  /// t3, when the server answered.
  package var answered: Instant

  package init(sent: HostTime, heard: Instant, answered: Instant) {
    self.sent = sent
    self.heard = heard
    self.answered = answered
  }
}

/// The outcome of a request that was carried out.
package enum Answer: Equatable, Sendable {
  /// Done; `seq` is the number of the last event it caused, if any.
  case done(seq: Int?)
  /// The activity has this session; the offer goes to this device, or to another one.
  case activated(SessionID, isNew: Bool, willDeliver: Bool)
  /// The device takes part as this participant; the snapshot follows.
  case joined(SessionID, ParticipantID)
  case suspended(SuspensionID)
  /// The suspension ended, but others are open, so the proposed position was ignored.
  case proposalDropped
  /// The event was logged, but no active campaign waits for it.
  case noMatchingTrigger
  /// The code that lets another device in, and until when.
  case pairing(code: String, until: Instant)
  /// Where the server's media, or the list of them, is fetched by HTTP; the door is for players that
  /// are no page of the server.
  case media(address: String, at: MediaDoor?)
  /// The attachment has this identifier; its parts follow.
  case attachmentBegun(AttachmentID)
  /// The part of an attachment's data that was asked for.
  case attachmentPart(AttachmentPart)
  /// The invitation already has this answer, from another device or an earlier request.
  case alreadyAnswered
}

/// A session that this device may join.
package struct Offer: Equatable, Sendable {
  package var session: SessionID
  package var group: GroupID
  package var activity: GroupActivity
  package var revision: Int
  package var initiator: Initiator
  /// Whether it is staged, so that somebody has to activate it before anybody can join.
  package var isStaged: Bool
  /// Whether its person accepted an invitation elsewhere, so that this device should join.
  package var isAwaited: Bool

  /// The offer of a session.
  package init(_ session: GroupSession, isAwaited: Bool = false) {
    self.init(
      session: session.id, group: session.group, activity: session.activity,
      revision: session.revision, initiator: session.initiator,
      isStaged: session.state == .staged, isAwaited: isAwaited)
  }

  /// An offer from its fields.
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

/// Why an offer was withdrawn.
package enum OfferWithdrawal: Equatable, Sendable {
  /// The session ended.
  case ended(EndReason)
  /// The device declined it, or its person declined on some device.
  case declined
  /// The device is no longer eligible.
  case notEligible
}

/// A session's state for a device that joins or resumes.
package struct SessionSnapshot: Equatable, Sendable {
  package var session: GroupSession
  /// The receiver's participant; a spectator's is not among the session's.
  package var participant: ParticipantID
  /// The server's time.
  package var at: Instant

  package init(session: GroupSession, participant: ParticipantID, at: Instant) {
    self.session = session
    self.participant = participant
    self.at = at
  }
}

/// The state of a server.
package struct StatusReport: Equatable, Sendable {
  /// A participant's reported position.
  package struct Place: Equatable, Sendable {
    package var participant: ParticipantID
    /// How far its player was from the group's position; positive if it was ahead.
    package var offset: Duration
    package var roundTrip: Duration?

    package init(participant: ParticipantID, offset: Duration, roundTrip: Duration?) {
      self.participant = participant
      self.offset = offset
      self.roundTrip = roundTrip
    }

    /// Whether the server doubts the participant's clock, and takes no frame of a pause from it.
    ///
    /// `roundTrip` is the 95th percentile of its round-trip times.
    package func isClockPoor(_ limits: Limits = Limits()) -> Bool {
      roundTrip.map { $0 > limits.clockTolerance * 2 } ?? false
    }
  }

  package var at: Instant
  package var peers: Int
  /// Why people cannot do what they want, in a sentence for people; `nil` if they can.
  package var obstacle: String?
  package var groups: [Group]
  package var sessions: [GroupSession]
  package var places: [Place]
  /// How many spectators watch the sessions that have an audience.
  package var audiences: [Audience]
  /// How much of its limits the server uses; for administrators only.
  package var usage: [Usage]
  /// The servers at which people come in, if they have links; for administrators only.
  package var servers: [Server]
  /// The names that the server knows, sorted, in the report that has the last group; for
  /// administrators only.
  package var names: [Name]
  /// Whether the server knows more names than fit in a report.
  package var hasMoreNames: Bool
  /// Whether there are more groups; ask again with `after` set to the last one.
  package var hasMore: Bool

  /// The spectators of one session.
  package struct Audience: Equatable, Sendable {
    package var session: SessionID
    package var size: AudienceSize

    package init(_ session: SessionID, _ size: AudienceSize) {
      self.session = session
      self.size = size
    }
  }

  /// A server of the cluster.
  package struct Server: Equatable, Sendable {
    package var id: ServerID
    package var version: String
    /// How many connections people have there.
    package var peers: Int
    /// Whether it is the one that decides; the others take people in for it.
    package var decides: Bool
    /// Whether it sends its people to the others, and stops then.
    package var isDraining: Bool

    package init(
      _ id: ServerID, version: String, peers: Int, decides: Bool = false, isDraining: Bool = false
    ) {
      self.id = id
      self.version = version
      self.peers = peers
      self.decides = decides
      self.isDraining = isDraining
    }
  }

  /// What is used of one of the server's limits.
  package struct Usage: Equatable, Sendable {
    /// The limit's name, as in the table of limits.
    package var limit: String
    package var used: Int
    package var most: Int

    package init(_ limit: String, used: Int, most: Int) {
      self.limit = limit
      self.used = used
      self.most = most
    }
  }

  /// A person whose name somebody has claimed, or for whom the server keeps something.
  package struct Name: Equatable, Sendable {
    package var user: UserID
    /// Whether a device of the person is connected.
    package var isConnected: Bool
    /// Whether the name waits for its person, because it is from before the server asked for keys.
    package var isHeld: Bool

    package init(_ user: UserID, isConnected: Bool, isHeld: Bool) {
      self.user = user
      self.isConnected = isConnected
      self.isHeld = isHeld
    }
  }

  package init(
    at: Instant, peers: Int, obstacle: String? = nil, groups: [Group], sessions: [GroupSession],
    places: [Place], audiences: [Audience] = [], usage: [Usage] = [], servers: [Server] = [],
    names: [Name] = [], hasMoreNames: Bool = false, hasMore: Bool = false
  ) {
    self.at = at
    self.peers = peers
    self.obstacle = obstacle
    self.groups = groups
    self.sessions = sessions
    self.places = places
    self.audiences = audiences
    self.usage = usage
    self.servers = servers
    self.names = names
    self.hasMoreNames = hasMoreNames
    self.hasMore = hasMore
  }

  /// Appends the groups of the next report, with all that belongs to them.
  package mutating func append(_ next: StatusReport) {
    groups += next.groups
    sessions += next.sessions
    places += next.places
    audiences += next.audiences
    names += next.names
    hasMoreNames = hasMoreNames || next.hasMoreNames
    hasMore = next.hasMore
  }
}

extension ServerMessage {
  /// Whether the message may be dropped for a peer that reads slowly.
  package var isDroppable: Bool {
    if case .message = self { true } else { false }
  }
}
