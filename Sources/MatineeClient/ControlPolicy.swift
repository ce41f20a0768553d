import GroupSessions

/// Who steers a session.
public enum ControlPolicy: Hashable, Sendable, CaseIterable {
  /// All are equal, as in GroupActivities.
  case everyone
  /// Guests watch; only hosts play, pause, seek and change what is on.
  case hostsOnly

  init(_ policy: GroupSessions.ControlPolicy) {
    switch policy {
    case .everyone: self = .everyone
    case .hostsOnly: self = .hostsOnly
    }
  }

  var value: GroupSessions.ControlPolicy {
    switch self {
    case .everyone: .everyone
    case .hostsOnly: .hostsOnly
    }
  }
}
