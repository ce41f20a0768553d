public import GroupSessions
import Vocabulary

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
