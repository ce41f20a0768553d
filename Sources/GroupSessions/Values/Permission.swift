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
