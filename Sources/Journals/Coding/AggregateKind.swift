package import Coordination
import Vocabulary

/// The kind of a stream's aggregate, as spelled in the journal.
package enum AggregateKind: String, Hashable, Sendable, CaseIterable {
  case group
  case session
  case attachment
  case device
  case user
  case tray
  case name

  /// The kinds whose events and answers contain secrets.
  package static let haveSecrets: [AggregateKind] = [.device, .tray]
}

extension AggregateID {
  package var kind: AggregateKind {
    switch self {
    case .group: .group
    case .session: .session
    case .attachment: .attachment
    case .device: .device
    case .user: .user
    case .tray: .tray
    case .name: .name
    }
  }

  /// Its identifier, unique among live aggregates of its kind.
  package var name: String {
    switch self {
    case .group(let id): id.text
    case .session(let id): id.text
    case .attachment(let id): id.text
    case .device(let id): id.text
    case .user(let id), .tray(let id), .name(let id): id.text
    }
  }

  package init(_ kind: AggregateKind, _ name: String) {
    switch kind {
    case .group: self = .group(GroupID(name))
    case .session: self = .session(SessionID(name))
    case .attachment: self = .attachment(AttachmentID(name))
    case .device: self = .device(DeviceID(name))
    case .user: self = .user(UserID(name))
    case .tray: self = .tray(UserID(name))
    case .name: self = .name(UserID(name))
    }
  }
}
