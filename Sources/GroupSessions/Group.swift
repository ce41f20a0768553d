package import Vocabulary

/// A device in a group.
package struct Member: Identifiable, Equatable, Sendable {
  package let identity: Identity
  /// Whether the person allows this device to share activities.
  package internal(set) var isSharing: Bool
  /// Whether the client supports group sessions; other clients get only notices of activities.
  package let understandsSessions: Bool

  package var id: DeviceID { identity.device }
  package var device: DeviceID { identity.device }
  package var user: UserID { identity.user }
  package var name: String { identity.name }
  /// Whether the member only keeps the group's session alive for others and watches nothing.
  package var isKeeper: Bool { identity.isKeeper }

  package init(identity: Identity, isSharing: Bool = true, understandsSessions: Bool = true) {
    self.identity = identity
    self.isSharing = isSharing
    self.understandsSessions = understandsSessions
  }

  /// Makes a member with an identity of its own; see ``Identity`` for sharing one.
  package init(
    device: DeviceID, user: UserID, name: String, isKeeper: Bool = false, isSharing: Bool = true,
    understandsSessions: Bool = true
  ) {
    self.init(
      identity: Identity(user: user, device: device, name: name, isKeeper: isKeeper),
      isSharing: isSharing, understandsSessions: understandsSessions)
  }
}

extension Member {
  /// How many bytes it takes as JSON at most, without its grace period.
  package var byteBound: Int { Self.fixedBytes + identity.byteBound }

  /// The names of all fields.
  private static let fixedBytes = 95
}

/// People who are in contact, as on a call, and can therefore watch together.
///
/// A pure value, like ``GroupSession``.
package struct Group: Equatable, Sendable {
  package let id: GroupID
  /// The number of the last event.
  package internal(set) var seq: Int
  /// The person who opened the group and may close it.
  package let founder: UserID
  package internal(set) var members: Roster<Member>
  /// Disconnected members, and until when each may resume.
  package internal(set) var lost: SortedMap<DeviceID, Instant>
  /// The device on which each person wants to take part, if they chose one.
  package internal(set) var preferredDevices: SortedMap<UserID, DeviceID>
  /// The group's one live session: staged, open or draining.
  package internal(set) var session: SessionID?
  package internal(set) var isClosed: Bool
  /// Who may enter; `nil` if the group has no key and has removed nobody.
  package internal(set) var entry: GroupEntry?
  /// What an app keeps in the group.
  package internal(set) var objects: GroupObjects

  /// A new group without members.
  package init(id: GroupID, founder: UserID) {
    self.init(
      id: id, seq: 1, founder: founder, members: Roster(), lost: [:], preferredDevices: [:],
      session: nil, isClosed: false)
  }

  /// Restores a group from a snapshot.
  package init(
    id: GroupID, seq: Int, founder: UserID, members: Roster<Member>,
    lost: SortedMap<DeviceID, Instant>, preferredDevices: SortedMap<UserID, DeviceID>,
    session: SessionID?, isClosed: Bool, entry: GroupEntry? = nil,
    objects: GroupObjects = GroupObjects()
  ) {
    self.id = id
    self.seq = seq
    self.founder = founder
    self.members = members
    self.lost = lost
    self.preferredDevices = preferredDevices
    self.session = session
    self.isClosed = isClosed
    self.entry = entry
    self.objects = objects
  }

  /// When `.clockAdvanced` is due.
  package var nextDeadline: Instant? { Instant.earlier(lost.values.min(), entry?.closes) }

  /// The members without keepers, which are not listed or counted as people.
  package var people: [Member] { members.values.filter { !$0.isKeeper } }

  /// The number of connected members.
  package var connectedCount: Int { members.count - lost.count }

  /// The member that gets the offers for a device: the person's preferred device if it can take
  /// part, else the device itself.
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

  /// Why a device cannot take part, apart from its connection and from being alone; `nil` if it
  /// can.
  package func obstacle(for device: DeviceID) -> Ineligibility? {
    guard !isClosed else { return .groupClosed }
    guard let member = members[device] else { return .notInGroup }
    guard member.understandsSessions else { return .clientTooOld }
    return member.isSharing ? nil : .sharingDisabled
  }
}

extension Group {
  /// The group without what only members read.
  package var withoutContributions: Group {
    var group = self
    group.objects = GroupObjects()
    return group
  }

  /// How many bytes it takes as JSON at most.
  package var byteBound: Int {
    var bytes = 150 + id.byteBound + founder.byteBound + (session?.byteBound ?? 0)
    bytes += objects.byteCount
    bytes += members.values.reduce(0) { $0 + $1.byteBound } + lost.count * 32
    for (user, device) in preferredDevices { bytes += 24 + user.byteBound + device.byteBound }
    guard let entry else { return bytes }
    let people = entry.admitted.union(entry.removed)
    return people.reduce(bytes + 120) { $0 + 1 + $1.byteBound }
  }
}
