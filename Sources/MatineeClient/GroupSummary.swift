public import GroupSessions
public import Vocabulary

/// The people who are connected with each other; it takes the role of a call.
public struct GroupSummary: Hashable, Identifiable, Sendable {
  /// The group's identifier.
  public let id: GroupID
  /// The person who opened it, and who may close it.
  public let founder: UserID
  /// Its devices, sorted by name; keepers are included.
  public let members: [GroupMember]
  /// The group's session, staged or active; `nil` for none.
  public let session: SessionID?

  init(_ group: GroupSessions.Group) {
    id = group.id
    founder = group.founder
    members = group.members.values.map {
      GroupMember($0, in: group)
    }
    .sorted { ($0.name, $0.device) < ($1.name, $1.device) }
    session = group.session
  }
}

/// One device in a group.
public struct GroupMember: Hashable, Identifiable, Sendable {
  /// The device's identifier.
  public let device: DeviceID
  /// The person's identifier.
  public let user: UserID
  /// The name that others see.
  public let name: String
  /// Whether it keeps a session for others and does not watch; see ``Participant/isKeeper``.
  public let isKeeper: Bool
  /// Whether the person lets this device share activities.
  public let isSharing: Bool
  /// Whether the person takes part with this one of their devices;
  /// see ``GroupWatchClient/setPreferredDevice(_:)``.
  public let isPreferred: Bool
  /// Whether it is connected; a member without a connection may come back.
  public let isConnected: Bool

  /// The device's identifier, because a person can be in the group with several devices.
  public var id: DeviceID { device }

  init(_ member: Member, in group: GroupSessions.Group) {
    device = member.device
    user = member.user
    name = member.name
    isKeeper = member.isKeeper
    isSharing = member.isSharing
    isPreferred = group.preferredDevices[member.user] == member.device
    isConnected = group.lost[member.device] == nil
  }
}

/// Observes whether an activity can be shared; see GroupActivities' `GroupStateObserver`.
public struct GroupStateObserver: Sendable {
  let shared: SharedClientState

  init(_ shared: SharedClientState) { self.shared = shared }

  /// Whether a session can be started or joined now.
  public var isEligibleForGroupSession: Bool { shared.eligibility.current == .eligible }

  /// Whether a session can be started or joined, with the reason, and its changes.
  public var eligibility: Observed<Eligibility> { shared.eligibility }

  /// The group that this device is in; `nil` for none.
  public var group: Observed<GroupSummary?> { shared.group }

  /// What apps keep in the group, by name; empty without a group.
  ///
  /// It is complete as soon as the device has joined, and follows each change. See
  /// ``GroupWatchClient/updateObject(_:set:)``.
  public var objects: Observed<[ObjectID: GroupObject]> { shared.objects }

  /// Why this device could not return to its group after it lost the server; `nil` while it is in a
  /// group.
  ///
  /// The code says what to do: ``GroupWatchError/Code/removed`` is for good,
  /// ``GroupWatchError/Code/keyRequired`` means that a link is needed, and the group is over or was
  /// opened anew. A group that closed on a server without keys opens again, and is no error.
  public var rejoinError: Observed<GroupWatchError?> { shared.rejoinError }

  /// An activity of the group in which this device cannot take part; `nil` for none.
  public var activityNotice: Observed<ActivityNotice?> { shared.activityNotice }
}
