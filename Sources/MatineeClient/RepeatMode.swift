import GroupSessions

/// What follows an entry of a queue.
public enum RepeatMode: Hashable, Sendable, CaseIterable {
  /// The next one, and nothing after the last.
  case off
  /// The same again.
  case one
  /// The next one, and the first after the last.
  case all

  init(_ mode: GroupSessions.RepeatMode) {
    switch mode {
    case .off: self = .off
    case .one: self = .one
    case .all: self = .all
    }
  }

  var value: GroupSessions.RepeatMode {
    switch self {
    case .off: .off
    case .one: .one
    case .all: .all
    }
  }
}
