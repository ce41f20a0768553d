import GroupSessions
import Participation
public import Vocabulary

/// Why a session is over for this device.
public enum InvalidationReason: Hashable, Sendable {
  /// This device left.
  case left
  /// This device's person dismissed the message that hosts the watching.
  case dismissed
  /// This device did not want the offer.
  case declined
  /// A participant ended it for everyone.
  case endedBy(ParticipantID)
  /// A participant dismissed the message that hosts the watching, and the ``DismissalPolicy`` ended
  /// it for everyone.
  case dismissedBy(ParticipantID)
  /// Whoever started it left, and it lived as long as they stayed.
  case initiatorLeft
  /// Another session took its place.
  case replaced(by: SessionID)
  /// A staged activity was taken back.
  case withdrawn
  /// Nobody joined in time.
  case neverJoined
  /// The last participant left.
  case empty
  /// The group closed.
  case groupClosed
  /// The server was stopped.
  case serverShutdown
  /// A host removed this device; a banned one cannot join this session again.
  case removed(by: ParticipantID, isBanned: Bool)
  /// The same person goes on with another device.
  case handedOff(to: ParticipantID)
  /// The device may not take part any more.
  case notEligible
  /// The join did not succeed.
  case joinFailed(GroupWatchError)
  /// The connection was away for longer than the server keeps a place.
  case connectionLost
  /// The server forgot the session although the connection was not away for long.
  case serverRestarted
  /// The client was closed.
  case closed

  init(_ reason: Client.InvalidationReason) {
    self =
      switch reason {
      case .left: .left
      case .dismissed: .dismissed
      case .declined: .declined
      case .ended(let end): InvalidationReason(end)
      case .removed(let who, let isBanned): .removed(by: who, isBanned: isBanned)
      case .handedOff(let who): .handedOff(to: who)
      case .notEligible: .notEligible
      case .joinFailed(let failure): .joinFailed(GroupWatchError(failure))
      case .connectionLost: .connectionLost
      case .serverRestarted: .serverRestarted
      case .closed: .closed
      }
  }

  private init(_ end: EndReason) {
    self =
      switch end {
      case .endedBy(let who): .endedBy(who)
      case .dismissedBy(let who): .dismissedBy(who)
      case .initiatorLeft: .initiatorLeft
      case .replaced(let id): .replaced(by: id)
      case .withdrawn: .withdrawn
      case .neverJoined: .neverJoined
      case .empty: .empty
      case .groupClosed: .groupClosed
      case .serverShutdown: .serverShutdown
      }
  }
}

extension InvalidationReason: CustomStringConvertible {
  /// The reason's stable name, as in logs and on the wire.
  public var description: String {
    switch self {
    case .left: "left"
    case .dismissed: "dismissed"
    case .declined: "declined"
    case .endedBy: "endedBy"
    case .dismissedBy: "dismissedBy"
    case .initiatorLeft: "initiatorLeft"
    case .replaced: "replaced"
    case .withdrawn: "withdrawn"
    case .neverJoined: "neverJoined"
    case .empty: "empty"
    case .groupClosed: "groupClosed"
    case .serverShutdown: "serverShutdown"
    case .removed: "removed"
    case .handedOff: "handedOff"
    case .notEligible: "notEligible"
    case .joinFailed: "joinFailed"
    case .connectionLost: "connectionLost"
    case .serverRestarted: "serverRestarted"
    case .closed: "closed"
    }
  }
}
