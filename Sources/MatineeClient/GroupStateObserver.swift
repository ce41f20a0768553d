import GroupSessions
public import Vocabulary

/// Whether this device can take part in a group session now.
public enum GroupEligibility: Hashable, Sendable {
  /// It can.
  case eligible
  /// It cannot; the reason's stable name says why, such as `notInGroup` or `alone`.
  case ineligible(String)

  init(_ eligibility: Eligibility) {
    switch eligibility {
    case .eligible: self = .eligible
    case .ineligible(let reason): self = .ineligible(reason.rawValue)
    }
  }
}

/// The people who are in touch: the stand-in for a call.
public struct GroupSummary: Hashable, Sendable {
  /// The group.
  public let id: GroupID
  /// The names of its members' devices, in alphabetical order.
  public let members: [String]

  init(_ group: GroupSessions.Group) {
    id = group.id
    members = group.members.values.map(\.name).sorted()
  }
}

/// Watches whether an activity can be shared: GroupActivities' `GroupStateObserver`.
public struct GroupStateObserver: Sendable {
  private let shared: SharedClientState

  init(_ shared: SharedClientState) { self.shared = shared }

  /// Whether a session can be started or joined now.
  public var isEligibleForGroupSession: Bool { shared.eligibility.current == .eligible }

  /// The same with its reason, and its changes.
  public var eligibility: Observed<GroupEligibility> { shared.eligibility }

  /// The group this device is in.
  public var group: Observed<GroupSummary?> { shared.group }

  /// Titles of activities that go on without this device being able to take part.
  public var activityNotices: AsyncStream<String> { shared.notices.elements }
}
