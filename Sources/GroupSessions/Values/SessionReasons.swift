public import Vocabulary

/// Why a session ended; every session ends exactly once.
public enum EndReason: Hashable, Sendable {
  /// A participant ended it for everyone.
  case endedBy(ParticipantID)
  /// A participant dismissed the hosting message, and the dismissal policy ended the session for
  /// everyone.
  case dismissedBy(ParticipantID)
  /// The initiator left, and the activity's lifetime ends the session then.
  case initiatorLeft
  /// Another session replaced it.
  case replaced(by: SessionID)
  /// The staged session was taken back.
  case withdrawn
  /// Nobody joined in time.
  case neverJoined
  /// The last participant left.
  case empty
  /// The group closed.
  case groupClosed
  /// The server was stopped.
  case serverShutdown
}

/// Why a participant left a session that continues.
package enum LeaveReason: Hashable, Sendable {
  /// It left.
  case left
  /// Its person dismissed the hosting message.
  case dismissed
  /// A host removed it; a banned device cannot join this session again.
  case removed(by: ParticipantID, isBanned: Bool)
  /// It did not reconnect in time.
  case connectionLost
  /// The same person continues on another device.
  case handedOff(to: ParticipantID)
}

extension EndReason {
  /// A reason's stable name, on the wire and in errors.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case endedBy
    case dismissedBy
    case initiatorLeft
    case replaced
    case withdrawn
    case neverJoined
    case empty
    case groupClosed
    case serverShutdown
  }

  /// The name of the reason without its details.
  package var name: Name {
    switch self {
    case .endedBy: .endedBy
    case .dismissedBy: .dismissedBy
    case .initiatorLeft: .initiatorLeft
    case .replaced: .replaced
    case .withdrawn: .withdrawn
    case .neverJoined: .neverJoined
    case .empty: .empty
    case .groupClosed: .groupClosed
    case .serverShutdown: .serverShutdown
    }
  }
}

extension LeaveReason {
  /// A reason's stable name, on the wire.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case left
    case dismissed
    case removed
    case connectionLost
    case handedOff
  }

  /// The name of the reason without its details.
  package var name: Name {
    switch self {
    case .left: .left
    case .dismissed: .dismissed
    case .removed: .removed
    case .connectionLost: .connectionLost
    case .handedOff: .handedOff
    }
  }
}
