package import Vocabulary

/// One device in a group.
package struct Member: Identifiable, Equatable, Sendable {
  package let identity: Identity
  /// Whether the person lets this device share activities.
  package internal(set) var isSharing: Bool
  /// Whether the client understands group sessions; one that does not is told of activities.
  package let understandsSessions: Bool

  package var id: DeviceID { identity.device }
  package var device: DeviceID { identity.device }
  package var user: UserID { identity.user }
  package var name: String { identity.name }
  /// Whether it keeps the group's session for others and watches nothing.
  package var isKeeper: Bool { identity.isKeeper }

  /// A member.
  package init(identity: Identity, isSharing: Bool = true, understandsSessions: Bool = true) {
    self.identity = identity
    self.isSharing = isSharing
    self.understandsSessions = understandsSessions
  }

  /// A member whom nobody else knows of, such as one in a message.
  package init(
    device: DeviceID, user: UserID, name: String, isKeeper: Bool = false, isSharing: Bool = true,
    understandsSessions: Bool = true
  ) {
    self.init(
      identity: Identity(user: user, device: device, name: name, isKeeper: isKeeper),
      isSharing: isSharing, understandsSessions: understandsSessions)
  }
}

/// People who are in touch, as on a call: whoever is in it can watch together.
///
/// Pure, like ``GroupSession``.
package struct Group: Equatable, Sendable {
  package let id: GroupID
  /// The number of the last event.
  package internal(set) var seq: Int
  /// Who opened it, and may close it.
  package let founder: UserID
  package internal(set) var members: Roster<Member>
  /// Members without a connection, and until when they may resume.
  package internal(set) var lost: SortedMap<DeviceID, Instant>
  /// The device that each person wants to play with, of those who named one.
  package internal(set) var preferredDevices: SortedMap<UserID, DeviceID>
  /// The one session that is staged, open or draining.
  package internal(set) var session: SessionID?
  package internal(set) var isClosed: Bool

  /// A new group that nobody is in yet.
  package init(id: GroupID, founder: UserID) {
    self.init(
      id: id, seq: 1, founder: founder, members: Roster(), lost: [:], preferredDevices: [:],
      session: nil, isClosed: false)
  }

  /// Puts a group together from a snapshot.
  package init(
    id: GroupID, seq: Int, founder: UserID, members: Roster<Member>,
    lost: SortedMap<DeviceID, Instant>, preferredDevices: SortedMap<UserID, DeviceID>,
    session: SessionID?, isClosed: Bool
  ) {
    self.id = id
    self.seq = seq
    self.founder = founder
    self.members = members
    self.lost = lost
    self.preferredDevices = preferredDevices
    self.session = session
    self.isClosed = isClosed
  }

  /// When `.clockAdvanced` is due.
  package var nextDeadline: Instant? { lost.values.min() }

  /// Its members but for keepers, who are nobody to be listed or counted.
  package var people: [Member] { members.values.filter { !$0.isKeeper } }

  /// How many members have a connection.
  package var connectedCount: Int { members.count - lost.count }

  /// Where the offers for a device go: to the one its person prefers, while that can take part.
  package func destination(of device: DeviceID, limits: Limits) -> Member? {
    guard let member = members[device] else { return nil }
    guard let id = preferredDevices[member.user], let preferred = members[id] else {
      return member
    }
    return switch eligibility(of: id, limits: limits) {
    case .eligible, .ineligible(.alone): preferred
    case .ineligible: member
    }
  }

  /// Whether a device can take part in a session of this group.
  package func eligibility(of device: DeviceID, limits: Limits) -> Eligibility {
    if !isClosed, members[device] != nil, lost[device] != nil { return .ineligible(.notConnected) }
    if let obstacle = obstacle(for: device) { return .ineligible(obstacle) }
    guard connectedCount >= limits.eligibleMembers else { return .ineligible(.alone) }
    return .eligible
  }

  /// Why a device can take part in no group session though it is connected and not alone; `nil` if
  /// it can.
  package func obstacle(for device: DeviceID) -> Ineligibility? {
    guard !isClosed else { return .groupClosed }
    guard let member = members[device] else { return .notInGroup }
    guard member.understandsSessions else { return .clientTooOld }
    return member.isSharing ? nil : .sharingDisabled
  }
}
