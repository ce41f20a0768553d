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
  /// The reason's stable name, on the wire and in errors.
  package var name: String {
    switch self {
    case .endedBy: "endedBy"
    case .dismissedBy: "dismissedBy"
    case .initiatorLeft: "initiatorLeft"
    case .replaced: "replaced"
    case .withdrawn: "withdrawn"
    case .neverJoined: "neverJoined"
    case .empty: "empty"
    case .groupClosed: "groupClosed"
    case .serverShutdown: "serverShutdown"
    }
  }
}
