package import GroupSessions
package import Playback
package import Vocabulary

/// What a client asks for.
///
/// Where a session may be left out, the one the device takes part in is meant.
package enum Request: Equatable, Sendable {
  // The group.
  /// Joins a group, which opens with its first member.
  case joinGroup(GroupID)
  case leaveGroup
  case closeGroup
  case setSharing(Bool)
  /// Names the one of the person's devices that plays; none: whichever joins.
  case setPreferredDevice(DeviceID?)

  // The session's life.
  case activate(Activation)
  /// Attaches an activity to the group, for any member to activate.
  case stage(Activation)
  case activateStaged(SessionID)
  case withdraw(SessionID)
  case join(SessionID, handoffFrom: ParticipantID?)
  case decline(SessionID)
  case leave(SessionID?)
  /// The person dismissed the message that hosts the watching.
  case dismiss(SessionID?)
  case end(SessionID?)
  case setActivity(SessionID?, GroupActivity, ifRevision: Int?)

  // Invitations.
  /// Invites people, for so long or as long as the server has it.
  case invite(SessionID?, [UserID], lifetime: Duration?)
  case revokeInvitations(SessionID?, [UserID])
  /// Answers the person's invitation; `seq` is the event that invited, if that is known.
  case answerInvitation(SessionID, InvitationAnswer, seq: Int?)

  // In the session.
  case playback(SessionID?, PlaybackCommand)
  /// A shuffle's seed is the server's to choose; on the wire there is none.
  case queue(SessionID?, QueueCommand)
  case send(SessionID?, JSONText, to: Recipients)
  case setRole(SessionID?, ParticipantID, Role)
  /// Says that somebody is ready to watch, or is not: oneself where nobody is named.
  case setReadyToStart(SessionID?, Bool, of: ParticipantID? = nil)
  case setControl(SessionID?, ControlPolicy)
  case setWaitingPolicy(SessionID?, WaitingPolicy)
  case setDismissalPolicy(SessionID?, DismissalPolicy)
  case remove(SessionID?, ParticipantID, isBanned: Bool)

  /// The person's in-app messages.
  case messaging(MessagingRequest)

  /// The person's notifications.
  case notifications(TrayRequest)

  /// Groups, sessions, participants and positions: of the device's group, or, outside any, of all
  /// groups, as many as fit a report, in the order of their names from behind the one named.
  case status(after: GroupID? = nil)
}

/// A wish to start an activity with the group.
package struct Activation: Equatable, Sendable {
  package var activity: GroupActivity
  package var ifBusy: BusyPolicy
  package var control: ControlPolicy
  package var waitingPolicy: WaitingPolicy
  /// What a dismissal does; `nil` leaves it to the server.
  package var dismissalPolicy: DismissalPolicy?
  package var initialTiming: ProposedTiming?
  /// Whether a person takes part with one device only.
  package var oneDevicePerUser: Bool

  /// An activation.
  package init(
    _ activity: GroupActivity, ifBusy: BusyPolicy = .fail, control: ControlPolicy = .everyone,
    waitingPolicy: WaitingPolicy = .keepGoing, dismissalPolicy: DismissalPolicy? = nil,
    initialTiming: ProposedTiming? = nil, oneDevicePerUser: Bool = false
  ) {
    self.activity = activity
    self.ifBusy = ifBusy
    self.control = control
    self.waitingPolicy = waitingPolicy
    self.dismissalPolicy = dismissalPolicy
    self.initialTiming = initialTiming
    self.oneDevicePerUser = oneDevicePerUser
  }
}

/// A message nobody waits for, such as a pointer's position.
package struct DroppableMessage: Equatable, Sendable {
  package var session: SessionID?
  package var payload: JSONText
  package var recipients: Recipients

  /// A message.
  package init(session: SessionID? = nil, payload: JSONText, recipients: Recipients = .all) {
    self.session = session
    self.payload = payload
    self.recipients = recipients
  }
}
