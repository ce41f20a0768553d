package import Vocabulary

/// A member's command to a group, or something that happened to a member.
package enum GroupCommand: Equatable, Sendable {
  case join(Member)
  case leave(DeviceID)
  case lose(DeviceID)
  case resume(DeviceID)
  /// The server was away, so all members lost their connections.
  case interrupt
  case setSharing(DeviceID, Bool)
  /// A person chooses which of their devices takes part; `nil` removes the choice.
  case setPreferredDevice(DeviceID?, by: DeviceID)
  /// Starts a session in place of the live one; another live session than this is not replaced.
  case startSession(SessionID, by: DeviceID, replacing: SessionID?)
  case endSession(SessionID)
  case close(by: DeviceID)
  /// Time passed: due at ``Group/nextDeadline``, harmless at any other time.
  case clockAdvanced
}

/// What happened in a group.
package enum GroupEvent: Equatable, Sendable {
  case opened(by: UserID)
  case memberJoined(Member)
  case memberLeft(DeviceID, MemberLeaveReason)
  case memberLost(DeviceID, until: Instant)
  case memberResumed(DeviceID)
  /// The server was away; all members may resume until this instant.
  case interrupted(until: Instant)
  case sharingSet(DeviceID, Bool)
  /// A person's offers go to this device from now on; `nil` sends them to all of the person's
  /// devices.
  case preferredDeviceSet(UserID, DeviceID?)
  /// A session became the live one and replaced the previous one, if any.
  case sessionStarted(SessionID, by: DeviceID)
  case sessionEnded(SessionID)
  case closed
}

/// Why a device is no longer in a group.
package enum MemberLeaveReason: String, Equatable, Sendable, CaseIterable {
  case left
  case connectionLost
}

/// Why a group refused a command; the state is unchanged.
package enum GroupRejection: Error, Equatable, Sendable {
  case closed
  case notMember
  case full(limit: Int)
  case notEligible(Ineligibility)
  /// The device is not a member, or belongs to another person.
  case notYourDevice
  /// Only the person who opened the group may close it.
  case notFounder
  /// Another session is live.
  case sessionLive(SessionID)
  /// Another session is live, and the person may not end it.
  case mayNotReplace(SessionID)
}
