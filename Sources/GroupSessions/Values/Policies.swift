public import Playback

/// The rules of a session, the same for everyone in it.
public struct SessionPolicies: Hashable, Sendable {
  /// Who steers.
  public let control: ControlPolicy
  /// When the group waits for someone.
  public let waiting: WaitingPolicy
  /// What happens when somebody dismisses the message that hosts the watching.
  public let dismissal: DismissalPolicy
  /// Whether each person takes part with one device only; set when the session is activated.
  public let oneDevicePerPerson: Bool

  /// The rules of a session as it is.
  package init(_ session: GroupSession) {
    control = session.control
    waiting = session.playback.waitingPolicy
    dismissal = session.dismissalPolicy
    oneDevicePerPerson = session.oneDevicePerUser
  }

  /// The rules of a session of which nothing is known yet.
  package init() {
    control = .everyone
    waiting = .keepGoing
    dismissal = .endsWithInitiator
    oneDevicePerPerson = false
  }
}

/// Who steers a session.
public enum ControlPolicy: String, Hashable, Sendable, CaseIterable {
  /// All are equal, as in GroupActivities.
  case everyone
  /// Guests watch; only hosts play, pause, seek and change what is on.
  case hostsOnly
}

/// What a participant is in a session.
public enum Role: String, Hashable, Sendable, CaseIterable {
  /// May do everything; whoever started the session is one, and there is always one.
  case host
  /// May do what the ``ControlPolicy`` leaves to everyone.
  case guest
}

/// What a session does when a person dismisses the message that hosts the watching.
///
/// A message that is covered, replaced by another one or drawn anew, or whose connection is gone for
/// a while, is not dismissed. The last one out ends a session under every policy.
public enum DismissalPolicy: String, Hashable, Sendable, CaseIterable {
  /// The initiator's dismissal, on any of their devices, ends it for all; anybody else only leaves.
  case endsWithInitiator
  /// Anybody's dismissal ends it for all.
  case endsForEveryone
  /// Whoever dismisses only leaves.
  case leavesOnly
}

/// What to do if the group is in a session of something else.
public enum BusyPolicy: String, Hashable, Sendable, CaseIterable {
  /// Fail: the activity in progress stays.
  case fail
  /// End that session, and begin this one.
  case replace
}
