package import Vocabulary

/// A device that takes part in a session; a person on two devices is two participants.
package struct Participant: Identifiable, Equatable, Sendable {
  package let id: ParticipantID
  package let identity: Identity
  package let joinedAt: Instant
  package internal(set) var role: Role
  /// Whether the person is ready to watch, as they or someone who controls playback said; `nil` if
  /// nobody said.
  ///
  /// The player's own readiness is ``CoordinatedParticipant/readySeq``.
  package internal(set) var isReadyToStart: Bool?

  package var user: UserID { identity.user }
  package var device: DeviceID { identity.device }
  package var name: String { identity.name }
  /// Whether the participant only keeps the session alive for others and watches nothing.
  package var isKeeper: Bool { identity.isKeeper }

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

  /// Makes a participant with an identity of its own; see ``Identity`` for sharing one.
  package init(
    id: ParticipantID, user: UserID, device: DeviceID, name: String, isKeeper: Bool = false,
    role: Role, joinedAt: Instant, isReadyToStart: Bool? = nil
  ) {
    self.init(
      id: id, identity: Identity(user: user, device: device, name: name, isKeeper: isKeeper),
      role: role, joinedAt: joinedAt, isReadyToStart: isReadyToStart)
  }
}

extension Participant {
  /// The participant on the device to which this one hands off, which keeps what others know.
  func handedOff(to joiner: Joiner, at now: Instant) -> Participant {
    Participant(
      id: joiner.id, user: user, device: joiner.device, name: name,
      isKeeper: joiner.identity.isKeeper, role: role, joinedAt: now, isReadyToStart: isReadyToStart)
  }
}

/// A participant that is about to join.
package struct Joiner: Equatable, Sendable {
  package let id: ParticipantID
  package let identity: Identity
  /// The same person's participant on another device, which this one replaces.
  package let handoffFrom: ParticipantID?

  /// Makes a joiner; `id` is new for each stay.
  package init(id: ParticipantID, identity: Identity, handoffFrom: ParticipantID? = nil) {
    self.id = id
    self.identity = identity
    self.handoffFrom = handoffFrom
  }

  package var user: UserID { identity.user }
  package var device: DeviceID { identity.device }
}

/// Who was removed from a session for good: people, with all their devices.
package struct Bans: Equatable, Sendable {
  /// The devices that people were removed with, because in a group that anybody may enter a person
  /// can come back under another name.
  package private(set) var devices: Set<DeviceID>
  package private(set) var users: Set<UserID>

  package init(devices: Set<DeviceID> = [], users: Set<UserID> = []) {
    self.devices = devices
    self.users = users
  }

  package var isEmpty: Bool { devices.isEmpty && users.isEmpty }
  package var count: Int { max(devices.count, users.count) }

  package mutating func insert(_ identity: Identity) {
    devices.insert(identity.device)
    users.insert(identity.user)
  }

  package func contains(_ identity: Identity) -> Bool {
    contains(identity.user, on: identity.device)
  }

  package func contains(_ user: UserID, on device: DeviceID?) -> Bool {
    users.contains(user) || device.map { devices.contains($0) } == true
  }
}
