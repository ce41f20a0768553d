package import GroupSessions
package import Playback
package import Vocabulary

/// A client's request.
///
/// Without a session, the one that the device takes part in is meant.
package enum Request: Equatable, Sendable {
  // The group.
  /// Joins a group; the first member opens it.
  ///
  /// Where groups have keys, a newcomer shows the group's, and who opens it the founding key.
  case joinGroup(GroupID, key: String? = nil)
  case leaveGroup
  /// Closes the device's group; an administrator names a group, here and below.
  case closeGroup(GroupID? = nil)
  /// Gives the group another key; those who were admitted need none.
  case changeKey(GroupID? = nil)
  /// Removes a person from the group for good, and changes its key.
  case removeUser(UserID, from: GroupID? = nil)
  /// Asks for a code that lets another device of this person in; an administrator names a person.
  case pair(UserID? = nil)
  /// Takes a name from its person, with everything that belongs to it; only an administrator may.
  case freeName(UserID)
  /// Sends everybody who came in at a server to the others, and stops it; only an administrator may.
  case drain(ServerID)
  /// Lets the device in that showed the code, or does not.
  case confirmPairing(Bool)
  /// Replaces the connection's credential by a newer one of the same person.
  case renew(credential: String)
  /// Asks for the address of the list of the server's media.
  case listMedia
  /// Asks for the address from which a participant's player fetches a media of the server's.
  case openMedia(url: String)
  case setSharing(Bool)
  /// Sets which of the person's devices takes part; `nil` removes the choice.
  case setPreferredDevice(DeviceID?)
  /// Changes fields of one of the group's objects, or creates it; `null` takes a field out.
  case updateObject(ObjectID, set: [String: PayloadValue])
  case removeObject(ObjectID)

  // The session's life.
  case activate(Activation)
  /// Stages an activity, so that any member may activate it.
  case stage(Activation)
  case activateStaged(SessionID)
  case withdraw(SessionID)
  case join(SessionID, handoffFrom: ParticipantID?)
  case decline(SessionID)
  case leave(SessionID?)
  /// The person dismissed the message that hosts the session.
  case dismiss(SessionID?)
  case end(SessionID?)
  case setActivity(SessionID?, GroupActivity, ifRevision: Int?)

  // Invitations.
  /// Invites people, for `lifetime` or the server's default.
  case invite(SessionID?, [UserID], lifetime: Duration?)
  case revokeInvitations(SessionID?, [UserID])
  /// Answers the person's invitation; `seq` is the number of the event that invited, if known.
  case answerInvitation(SessionID, InvitationAnswer, seq: Int?)

  // In the session.
  case playback(SessionID?, PlaybackCommand)
  /// Changes the queue; the server chooses a shuffle's seed, which is not sent.
  case queue(SessionID?, QueueCommand)
  /// Gives data to the session, takes it back, or loads it.
  case attachment(SessionID?, AttachmentRequest)
  case send(SessionID?, JSONText, to: Recipients)
  case setRole(SessionID?, ParticipantID, Role)
  /// Sets whether a participant is ready to watch; without one, the sender.
  case setReadyToStart(SessionID?, Bool, of: ParticipantID? = nil)
  case setControl(SessionID?, ControlPolicy)
  case setWaitingPolicy(SessionID?, WaitingPolicy)
  case setDismissalPolicy(SessionID?, DismissalPolicy)
  case remove(SessionID?, ParticipantID, isBanned: Bool)

  /// A request about the person's in-app messages.
  case messaging(MessagingRequest)

  /// A request about the person's notifications.
  case notifications(TrayRequest)

  /// Asks for the groups, sessions, participants and positions.
  ///
  /// A device in a group gets its own group. Others get all groups sorted by name, after the named
  /// one, as many as fit one report.
  case status(after: GroupID? = nil)
}

/// A request to start an activity with the group.
package struct Activation: Equatable, Sendable {
  package var activity: GroupActivity
  package var ifBusy: BusyPolicy
  package var control: ControlPolicy
  package var waitingPolicy: WaitingPolicy
  /// The dismissal policy; `nil` for the server's default.
  package var dismissalPolicy: DismissalPolicy?
  package var initialTiming: ProposedTiming?
  /// Whether each person takes part with one device only.
  package var oneDevicePerUser: Bool
  /// Whether those who find no named place watch as the session's audience.
  package var hasAudience: Bool

  package init(
    _ activity: GroupActivity, ifBusy: BusyPolicy = .fail, control: ControlPolicy = .everyone,
    waitingPolicy: WaitingPolicy = .keepGoing, dismissalPolicy: DismissalPolicy? = nil,
    initialTiming: ProposedTiming? = nil, oneDevicePerUser: Bool = false, hasAudience: Bool = false
  ) {
    self.activity = activity
    self.ifBusy = ifBusy
    self.control = control
    self.waitingPolicy = waitingPolicy
    self.dismissalPolicy = dismissalPolicy
    self.initialTiming = initialTiming
    self.oneDevicePerUser = oneDevicePerUser
    self.hasAudience = hasAudience
  }
}

/// A request about a session's attachments.
package enum AttachmentRequest: Equatable, Sendable {
  /// Begins an attachment with so many bytes; the answer has its identifier.
  case begin(bytes: Int, metadata: JSONText)
  /// Adds the part with this number, from 0, in order; with the last one the session lists it.
  case add(AttachmentID, part: Int, AttachmentPart)
  case remove(AttachmentID)
  /// Asks for the part with this number of an attachment that the session lists.
  case load(AttachmentID, part: Int)
}

/// A message that may be dropped, such as a pointer's position.
package struct DroppableMessage: Equatable, Sendable {
  package var session: SessionID?
  package var payload: JSONText
  package var recipients: Recipients

  package init(session: SessionID? = nil, payload: JSONText, recipients: Recipients = .all) {
    self.session = session
    self.payload = payload
    self.recipients = recipients
  }
}
