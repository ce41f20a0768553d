package import Playback
package import Vocabulary

/// What happened in a session: what peers are sent, what is kept, what is replayed.
///
/// Rare large cases are kept apart, so that a thousand retained events stay small.
package enum SessionEvent: Equatable, Sendable {
  indirect case began(SessionBeginning)
  /// A staged activity became a session; whoever activated it is its initiator from here on.
  case activated(by: Initiator, joinBy: Instant)
  case joined(Participant)
  case left(ParticipantID, LeaveReason)
  /// A participant's connection is gone; it has until that instant to resume.
  case lost(ParticipantID, until: Instant)
  case resumed(ParticipantID)
  /// The server was away: everyone has until that instant to resume, and playback goes on as if
  /// they were there.
  case interrupted(until: Instant)
  case declined(DeviceID)
  /// People were asked to come; `by` is `nil` where the session itself asked.
  indirect case invited([UserID], expires: Instant, by: ParticipantID?)
  /// A person answered, on that device if it is known; who joins has accepted.
  indirect case invitationAnswered(UserID, InvitationAnswer, on: DeviceID?)
  case invitationsRevoked([UserID], by: ParticipantID)
  /// These people did not answer in time.
  case invitationsExpired([UserID])
  indirect case activitySet(GroupActivity, revision: Int, by: ParticipantID)
  /// A role was given; `by` is `nil` where the longest-present stands in for a host who left or has
  /// not come yet, and where the initiator comes and takes over.
  indirect case roleSet(ParticipantID, Role, by: ParticipantID?)
  /// Somebody is ready to watch or is not, as they said themselves or somebody who steers did.
  indirect case readinessSet(ParticipantID, Bool, by: ParticipantID)
  case controlSet(ControlPolicy, by: ParticipantID)
  case dismissalPolicySet(DismissalPolicy, by: ParticipantID)
  indirect case messageSent(JSONText, to: Recipients, by: ParticipantID)
  indirect case queue(QueueEvent, by: ParticipantID?)
  case playback(PlaybackEvent)
  case ended(EndReason)
}

/// How a session begins: all that is needed to begin the same one again.
package struct SessionBeginning: Equatable, Sendable {
  package var group: GroupID
  package var activity: GroupActivity
  package var initiator: Initiator
  /// Whether it waits, staged, for a member to activate it.
  package var isStaged: Bool
  package var control: ControlPolicy
  package var waitingPolicy: WaitingPolicy
  package var dismissalPolicy: DismissalPolicy
  /// Where the activity's item stands at first, such as where the initiator stopped last night.
  package var initialTiming: ProposedTiming?
  /// Whether a person takes part with one device only: a second one takes the first one's place.
  package var oneDevicePerUser: Bool
  /// When it ends if nobody has joined by then.
  package var joinBy: Instant

  /// A beginning.
  package init(
    group: GroupID, activity: GroupActivity, initiator: Initiator, isStaged: Bool = false,
    control: ControlPolicy = .everyone, waitingPolicy: WaitingPolicy = .keepGoing,
    dismissalPolicy: DismissalPolicy = .endsWithInitiator,
    initialTiming: ProposedTiming? = nil, oneDevicePerUser: Bool = false, joinBy: Instant
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
    self.joinBy = joinBy
  }
}
