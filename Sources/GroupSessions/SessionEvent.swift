package import Playback
package import Vocabulary

/// What happened in a session: sent to peers, stored in the journal, and replayed.
///
/// Rare large cases are indirect, so that a thousand retained events stay small.
package enum SessionEvent: Equatable, Sendable {
  indirect case began(SessionBeginning)
  /// A staged session opened; the person who activated it is its initiator from now on.
  case activated(by: Initiator, joinBy: Instant)
  case joined(Participant)
  case left(ParticipantID, LeaveReason)
  /// A participant's connection was lost; it may resume until this instant.
  case lost(ParticipantID, until: Instant)
  case resumed(ParticipantID)
  /// The server was away; everyone may resume until this instant, and playback continues as if they
  /// were connected.
  case interrupted(until: Instant)
  case declined(DeviceID)
  /// People were invited; `by` is `nil` if the session itself invited them.
  indirect case invited([UserID], expires: Instant, by: ParticipantID?)
  /// A person answered, on this device if it is known; joining counts as accepting.
  indirect case invitationAnswered(UserID, InvitationAnswer, on: DeviceID?)
  case invitationsRevoked([UserID], by: ParticipantID)
  /// These invitations got no answer in time.
  case invitationsExpired([UserID])
  indirect case activitySet(GroupActivity, revision: Int, by: ParticipantID)
  /// A role changed; `by` is `nil` if the session changed it.
  ///
  /// The session makes the longest-present participant a host if there is none, and takes the role
  /// back when the initiator arrives.
  indirect case roleSet(ParticipantID, Role, by: ParticipantID?)
  /// A participant's readiness to watch was set, by itself or by someone who controls playback.
  indirect case readinessSet(ParticipantID, Bool, by: ParticipantID)
  case controlSet(ControlPolicy, by: ParticipantID)
  case dismissalPolicySet(DismissalPolicy, by: ParticipantID)
  indirect case messageSent(JSONText, to: Recipients, by: ParticipantID)
  indirect case attachmentAdded(SessionAttachment)
  case attachmentRemoved(AttachmentID, by: ParticipantID)
  indirect case queue(QueueEvent, by: ParticipantID?)
  case playback(PlaybackEvent)
  case ended(EndReason)
}

/// The beginning of a session, with everything that is needed to create the same session again.
package struct SessionBeginning: Equatable, Sendable {
  package var group: GroupID
  package var activity: GroupActivity
  package var initiator: Initiator
  /// Whether it is staged, so that a member has to activate it.
  package var isStaged: Bool
  package var control: ControlPolicy
  package var waitingPolicy: WaitingPolicy
  package var dismissalPolicy: DismissalPolicy
  /// The proposed timing of the first item, for example where the initiator stopped last time.
  package var initialTiming: ProposedTiming?
  /// Whether each person takes part with one device only: a second device replaces the first.
  package var oneDevicePerUser: Bool
  /// Whether those who find no named place watch as its audience.
  package var hasAudience: Bool
  /// When the session ends unless somebody has joined.
  package var joinBy: Instant

  package init(
    group: GroupID, activity: GroupActivity, initiator: Initiator, isStaged: Bool = false,
    control: ControlPolicy = .everyone, waitingPolicy: WaitingPolicy = .keepGoing,
    dismissalPolicy: DismissalPolicy = .endsWithInitiator,
    initialTiming: ProposedTiming? = nil, oneDevicePerUser: Bool = false,
    hasAudience: Bool = false, joinBy: Instant
  ) {
    self.group = group
    self.activity = activity
    self.initiator = initiator
    self.isStaged = isStaged
    self.control = control
    self.waitingPolicy = waitingPolicy
    self.dismissalPolicy = dismissalPolicy
    self.initialTiming = initialTiming
    self.oneDevicePerUser = oneDevicePerUser
    self.hasAudience = hasAudience
    self.joinBy = joinBy
  }
}
