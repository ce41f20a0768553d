package import Vocabulary

/// One device's stay in one session; a person on two devices is two participants.
package struct Participant: Identifiable, Equatable, Sendable {
  package let id: ParticipantID
  package let identity: Identity
  package let joinedAt: Instant
  package internal(set) var role: Role
  /// What the person said of being ready to watch, or an operator for them; `nil`: nothing yet.
  ///
  /// A person's word: what the player says of itself is ``CoordinatedParticipant/readySeq``.
  package internal(set) var isReadyToStart: Bool?

  package var user: UserID { identity.user }
  package var device: DeviceID { identity.device }
  package var name: String { identity.name }
  /// Whether it keeps the session for others and watches nothing.
  package var isKeeper: Bool { identity.isKeeper }

  /// A participant.
  package init(
    id: ParticipantID, identity: Identity, role: Role, joinedAt: Instant,
    isReadyToStart: Bool? = nil
  ) {
    self.id = id
    self.identity = identity
    self.role = role
    self.joinedAt = joinedAt
    self.isReadyToStart = isReadyToStart
  }

  /// A participant whom nobody else knows of, such as one in a message.
  package init(
    id: ParticipantID, user: UserID, device: DeviceID, name: String, isKeeper: Bool = false,
    role: Role, joinedAt: Instant, isReadyToStart: Bool? = nil
  ) {
    self.init(
      id: id, identity: Identity(user: user, device: device, name: name, isKeeper: isKeeper),
      role: role, joinedAt: joinedAt, isReadyToStart: isReadyToStart)
  }
}

/// The kinds of verb that a role may or may not have.
package enum Permission: String, Equatable, Sendable, CaseIterable {
  /// Play, pause, seek, speed, waiting policy, and saying for others that they are ready.
  case controlPlayback
  /// Replace the activity.
  case changeActivity
  /// Insert, move, remove, select, repeat, shuffle.
  case editQueue
  /// End the session for all.
  case endSession
  /// Remove people, give roles, change who steers and what a dismissal does.
  case manageParticipants
  /// Send messages to others.
  case sendMessages
  /// Ask people to come.
  case invite
}

/// A participant at the moment of joining.
package struct Joiner: Equatable, Sendable {
  package let id: ParticipantID
  package let identity: Identity
  /// The participant on another device of the same person whose place this one takes.
  package let handoffFrom: ParticipantID?

  /// Someone about to join, under an identifier minted for this stay.
  package init(id: ParticipantID, identity: Identity, handoffFrom: ParticipantID? = nil) {
    self.id = id
    self.identity = identity
    self.handoffFrom = handoffFrom
  }

  /// Someone about to join, of whom nobody knows yet.
  package init(
    id: ParticipantID, user: UserID, device: DeviceID, name: String,
    handoffFrom: ParticipantID? = nil
  ) {
    self.init(
      id: id, identity: Identity(user: user, device: device, name: name), handoffFrom: handoffFrom)
  }

  package var user: UserID { identity.user }
  package var device: DeviceID { identity.device }
}
