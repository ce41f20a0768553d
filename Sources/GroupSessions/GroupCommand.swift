package import Vocabulary

/// What someone wants of a group, or what happened to someone in it.
package enum GroupCommand: Equatable, Sendable {
  case join(Member)
  case leave(DeviceID)
  case lose(DeviceID)
  case resume(DeviceID)
  /// The server itself was away, and everyone with it.
  case interrupt
  case setSharing(DeviceID, Bool)
  /// A person names the one of their devices that plays; `nil`: whichever joins.
  case setPreferredDevice(DeviceID?, by: DeviceID)
  /// A session begins; one that is live goes only where it is to be replaced.
  case startSession(SessionID, by: DeviceID, replacing: Bool)
  case endSession(SessionID)
  case close(by: DeviceID)
  /// Time passed; harmless at any moment, due at ``Group/nextDeadline``.
  case clockAdvanced
}

/// What happened in a group.
package enum GroupEvent: Equatable, Sendable {
  case opened(by: UserID)
  case memberJoined(Member)
  case memberLeft(DeviceID, MemberLeaveReason)
  case memberLost(DeviceID, until: Instant)
  case memberResumed(DeviceID)
  /// The server was away: all members have until that instant to resume.
  case interrupted(until: Instant)
  case sharingSet(DeviceID, Bool)
  /// A person's offers go to this device from here on; `nil`: to all of them.
  case preferredDeviceSet(UserID, DeviceID?)
  /// A session is the live one now; the one before, if any, is replaced.
  case sessionStarted(SessionID, by: DeviceID)
  case sessionEnded(SessionID)
  case closed
}

/// Why a device is no longer in a group.
package enum MemberLeaveReason: String, Equatable, Sendable, CaseIterable {
  case left
  case connectionLost
}

/// Why a group refused a command; the state is as before.
package enum GroupRejection: Error, Equatable, Sendable {
  case closed
  case notMember
  case full(limit: Int)
  case notEligible(Ineligibility)
  /// The device is another person's, or no member.
  case notYourDevice
  /// Only whoever opened the group may close it.
  case notFounder
  /// Another session is live.
  case sessionLive(SessionID)
}
