package import Vocabulary

/// A member's command to a group, or something that happened to a member.
package enum GroupCommand: Equatable, Sendable {
  case join(Member, with: Pass = .free)
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
  /// Closes the group; without a device, for an administrator, as with the next two.
  case close(by: DeviceID?)
  /// Gives the group another key; those inside stay.
  case changeKey(by: DeviceID?)
  /// Removes a person for good, and changes the key if there is one.
  case removeUser(UserID, by: DeviceID?)
  /// Changes fields of an object, which is created if it is not there; `null` takes a field out.
  case updateObject(ObjectID, set: [String: PayloadValue], by: DeviceID)
  case removeObject(ObjectID, by: DeviceID)
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
  /// The group has another key from now on; with its first one, it lasts, and its founder needs
  /// none.
  case keyChanged(generation: Int)
  /// A person entered with the key, and needs none from now on.
  case userAdmitted(UserID)
  /// A person was removed for good.
  case userRemoved(UserID)
  /// Fields of an object changed, or it was created; `null` took a field out.
  case objectUpdated(ObjectID, set: [String: PayloadValue], by: UserID)
  case objectRemoved(ObjectID, by: UserID)
  /// The last member left; the group closes at this instant unless somebody comes.
  case emptied(until: Instant)
  case closed
}

/// Why a device is no longer in a group.
package enum MemberLeaveReason: String, Equatable, Sendable, CaseIterable {
  case left
  case connectionLost
  /// The founder or an administrator removed the person for good.
  case removed
}

/// Why a group refused a command; the state is unchanged.
package enum GroupRejection: Error, Equatable, Sendable {
  case closed
  case notMember
  case full(limit: Int)
  case notEligible(Ineligibility)
  /// The device is not a member, or belongs to another person.
  case notYourDevice
  /// Only the person who opened the group may do this, and not to themselves.
  case notFounder
  /// The group asks newcomers for its key.
  case keyRequired
  /// The key is not the group's, or no longer.
  case keyRefused
  /// The group is older than the server's keys, so it has none that would open it.
  case held
  /// The person was removed for good.
  case removed
  /// The group has no key.
  case noKey
  /// The group has no room for another object.
  case tooManyObjects(limit: Int)
  /// The group's objects would be too large together.
  case objectsTooLarge(limit: Int)
  /// Another session is live.
  case sessionLive(SessionID)
  /// Another session is live, and the person may not end it.
  case mayNotReplace(SessionID)
}
