package import Vocabulary

/// One device's stay in one session; a person on two devices is two participants.
package struct Participant: Equatable, Sendable {
  package let id: ParticipantID
  package let user: UserID
  package let device: DeviceID
  package let name: String
  package internal(set) var role: Role
  package let joinedAt: Instant

  /// A participant.
  package init(
    id: ParticipantID, user: UserID, device: DeviceID, name: String, role: Role, joinedAt: Instant
  ) {
    self.id = id
    self.user = user
    self.device = device
    self.name = name
    self.role = role
    self.joinedAt = joinedAt
  }
}

/// What a participant is in a session; what each may do is judged in one place, ``GroupSession/permits``.
package enum Role: String, Equatable, Sendable, CaseIterable {
  /// May do everything; the initiator is one, and there is always one.
  case host
  /// May do what the control policy leaves to everyone.
  case guest
}

/// Who steers a session.
package enum ControlPolicy: String, Equatable, Sendable, CaseIterable {
  /// All are equal, as in GroupActivities.
  case everyone
  /// Guests watch; only hosts play, pause, seek and change what is on.
  case hostsOnly
}

/// The kinds of verb that a role may or may not have.
package enum Permission: String, Equatable, Sendable, CaseIterable {
  /// Play, pause, seek, speed, waiting policy.
  case controlPlayback
  /// Replace the activity.
  case changeActivity
  /// Insert, move, remove, select, repeat, shuffle.
  case editQueue
  /// End the session for all.
  case endSession
  /// Remove people, give roles, change the control policy.
  case manageParticipants
  /// Send messages to others.
  case sendMessages
}

/// Who started a session.
package struct Initiator: Equatable, Sendable {
  package let user: UserID
  package let device: DeviceID
  package let name: String

  /// An initiator.
  package init(user: UserID, device: DeviceID, name: String) {
    self.user = user
    self.device = device
    self.name = name
  }
}

/// A participant at the moment of joining.
package struct Joiner: Equatable, Sendable {
  package let id: ParticipantID
  package let user: UserID
  package let device: DeviceID
  package let name: String
  /// The participant on another device of the same person whose place this one takes.
  package let handoffFrom: ParticipantID?

  /// Someone about to join, under an identifier minted for this stay.
  package init(
    id: ParticipantID, user: UserID, device: DeviceID, name: String,
    handoffFrom: ParticipantID? = nil
  ) {
    self.id = id
    self.user = user
    self.device = device
    self.name = name
    self.handoffFrom = handoffFrom
  }
}
