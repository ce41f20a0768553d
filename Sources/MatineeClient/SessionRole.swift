import GroupSessions

/// What a participant is in a session.
public enum SessionRole: Hashable, Sendable, CaseIterable {
  /// May do everything; whoever started the session is one, and there is always one.
  case host
  /// May do what the ``ControlPolicy`` leaves to everyone.
  case guest

  init(_ role: GroupSessions.Role) {
    switch role {
    case .host: self = .host
    case .guest: self = .guest
    }
  }

  var value: GroupSessions.Role {
    switch self {
    case .host: .host
    case .guest: .guest
    }
  }
}
