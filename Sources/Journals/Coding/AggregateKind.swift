package import Coordination
import Vocabulary

/// What a stream is of, as the journal spells it.
package enum AggregateKind: String, Hashable, Sendable, CaseIterable {
  case group
  case session
  case device
  case user
  case tray
}

extension AggregateID {
  /// What it is.
  package var kind: AggregateKind {
    switch self {
    case .group: .group
    case .session: .session
    case .device: .device
    case .user: .user
    case .tray: .tray
    }
  }

  /// Its name among those of its kind.
  package var name: String {
    switch self {
    case .group(let id): id.text
    case .session(let id): id.text
    case .device(let id): id.text
    case .user(let id), .tray(let id): id.text
    }
  }

  /// An aggregate by its kind and name.
  package init(_ kind: AggregateKind, _ name: String) {
    switch kind {
    case .group: self = .group(GroupID(name))
    case .session: self = .session(SessionID(name))
    case .device: self = .device(DeviceID(name))
    case .user: self = .user(UserID(name))
    case .tray: self = .tray(UserID(name))
    }
  }
}
