public import GroupSessions
public import Vocabulary

/// The people who are in touch: the stand-in for a call.
public struct GroupSummary: Hashable, Identifiable, Sendable {
  /// The group.
  public let id: GroupID
  /// Who opened it, and may close it.
  public let founder: UserID
  /// Its devices, in alphabetical order of their names, keepers among them.
  public let members: [GroupMember]
  /// The session that is staged or goes on.
  public let session: SessionID?

  init(_ group: GroupSessions.Group) {
    id = group.id
    founder = group.founder
    members = group.members.values.map {
      GroupMember($0, isConnected: group.lost[$0.device] == nil)
    }
    .sorted { ($0.name, $0.device) < ($1.name, $1.device) }
    session = group.session
  }
}

/// One device in a group.
public struct GroupMember: Hashable, Identifiable, Sendable {
  /// The device.
  public let device: DeviceID
  /// The person.
  public let user: UserID
  /// What others see.
  public let name: String
  /// Whether it keeps a session for others and watches nothing; see ``Participant/isKeeper``.
  public let isKeeper: Bool
  /// Whether the person lets this device share activities.
  public let isSharing: Bool
  /// Whether its connection stands; one that does not may come back.
  public let isConnected: Bool

  /// The device: a person may be in the group with several.
  public var id: DeviceID { device }

  init(_ member: Member, isConnected: Bool) {
    device = member.device
    user = member.user
    name = member.name
    isKeeper = member.isKeeper
    isSharing = member.isSharing
    self.isConnected = isConnected
  }
}

/// Watches whether an activity can be shared: GroupActivities' `GroupStateObserver`.
public struct GroupStateObserver: Sendable {
  private let shared: SharedClientState

  init(_ shared: SharedClientState) { self.shared = shared }

  /// Whether a session can be started or joined now.
  public var isEligibleForGroupSession: Bool { shared.eligibility.current == .eligible }

  /// The same with its reason, and its changes.
  public var eligibility: Observed<Eligibility> { shared.eligibility }

  /// The group this device is in.
  public var group: Observed<GroupSummary?> { shared.group }

  /// The activity that goes on without this device being able to take part; `nil` for none.
  public var activityNotice: Observed<ActivityNotice?> { shared.activityNotice }
}
