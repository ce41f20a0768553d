package import Vocabulary

/// Why a session ended; every session ends exactly once, with one of these.
package enum EndReason: Hashable, Sendable {
  /// A participant ended it for all.
  case endedBy(ParticipantID)
  /// A participant dismissed the message that hosts the watching, and the policy ended it for all.
  case dismissedBy(ParticipantID)
  /// The initiator left a session that lives as long as the initiator stays.
  case initiatorLeft
  /// Another session took its place.
  case replaced(by: SessionID)
  /// A staged activity was taken back.
  case withdrawn
  /// Nobody joined in time.
  case neverJoined
  /// The last participant left.
  case empty
  /// The group closed: the call is over.
  case groupClosed
  /// The server was stopped.
  case serverShutdown
}

/// Why a participant is no longer in a session that goes on.
package enum LeaveReason: Hashable, Sendable {
  /// It left.
  case left
  /// Its person dismissed the message that hosts the watching.
  case dismissed
  /// A host removed it; a banned device cannot join this session again.
  case removed(by: ParticipantID, isBanned: Bool)
  /// Its connection was lost and it did not come back in time.
  case connectionLost
  /// The same person goes on with another device.
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

  /// How it is called, whoever is behind it.
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

  /// How it is called, whoever is behind it.
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
