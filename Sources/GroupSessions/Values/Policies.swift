public import Playback

/// The policies of a session; they are the same for everyone.
public struct SessionPolicies: Hashable, Sendable {
  /// Who controls the session.
  public let control: ControlPolicy
  /// When the group waits for a participant.
  public let waiting: WaitingPolicy
  /// What happens when somebody dismisses the message that hosts the session.
  public let dismissal: DismissalPolicy
  /// Whether each person takes part with one device only; fixed when the session is activated.
  public let oneDevicePerPerson: Bool
  /// Whether those who find no named place watch as the session's audience; fixed when the session
  /// is activated.
  public let hasAudience: Bool

  /// The session's current policies.
  package init(_ session: GroupSession) {
    control = session.control
    waiting = session.playback.waitingPolicy
    dismissal = session.dismissalPolicy
    oneDevicePerPerson = session.oneDevicePerUser
    hasAudience = session.hasAudience
  }

  /// The default policies, until a session is known.
  package init() {
    control = .everyone
    waiting = .keepGoing
    dismissal = .endsWithInitiator
    oneDevicePerPerson = false
    hasAudience = false
  }
}

/// How many people watch a session without being listed as participants.
public struct AudienceSize: Hashable, Sendable {
  /// The number of connected devices.
  public let count: Int
  /// How many of them are half a second or more from the group's position, as they last said.
  public let slow: Int

  package init(count: Int = 0, slow: Int = 0) {
    self.count = count
    self.slow = slow
  }
}

/// Who controls a session.
public enum ControlPolicy: String, Hashable, Sendable, CaseIterable {
  /// Everyone, as in GroupActivities.
  case everyone
  /// Only hosts play, pause, seek and change the content; guests watch.
  case hostsOnly
}

/// A participant's role in a session.
public enum Role: String, Hashable, Sendable, CaseIterable {
  /// May do everything; the session's initiator is a host, and there is always at least one.
  case host
  /// May steer, invite, and remove guests and listeners, but neither manage roles and policies nor,
  /// where only hosts control the session, end it.
  case coHost
  /// May do what the ``ControlPolicy`` allows everyone.
  case guest
  /// May watch, but neither steer nor speak; a person stays one when they leave and join again.
  case listener
}

/// What happens when a person dismisses the message that hosts the session.
///
/// Covering, replacing or redrawing a message, or losing its connection for a while, does not
/// dismiss it. A session ends under every policy when the last participant leaves.
public enum DismissalPolicy: String, Hashable, Sendable, CaseIterable {
  /// The initiator's dismissal on any device ends the session for everyone; others only leave.
  case endsWithInitiator
  /// Anyone's dismissal ends the session for everyone.
  case endsForEveryone
  /// A dismissal only makes the person leave.
  case leavesOnly
}

/// What to do if the group already has a session with another activity.
public enum BusyPolicy: String, Hashable, Sendable, CaseIterable {
  /// Fail, and keep the existing session.
  case fail
  /// End the existing session and begin the new one.
  case replace
}

/// What not everybody may do.
public enum Permission: String, Hashable, Sendable, CaseIterable {
  // In a session.
  /// Play, pause, seek, set the rate and the waiting policy, and set others' readiness.
  case controlPlayback
  /// Replace the activity.
  case changeActivity
  /// Insert, move, remove, select, repeat, shuffle.
  case editQueue
  /// End the session for everyone.
  case endSession
  /// Set roles, set the control and dismissal policies, and remove hosts and co-hosts.
  case manageParticipants
  /// Remove guests and listeners.
  case removeParticipants
  /// Send messages to others.
  case sendMessages
  /// Invite people.
  case invite

  // In a group.
  /// Close the group.
  case closeGroup
  /// Change the group's key, and remove people for good.
  case manageMembers

  // On the server.
  /// See all groups, and manage groups and names from outside.
  case administer
}
