public import GroupSessions
import Participation
public import Vocabulary

/// Why a session is over for this device.
public enum InvalidationReason: Hashable, Sendable {
  /// This device left.
  case left
  /// This device's person dismissed the message that hosts the session.
  case dismissed
  /// This device declined the session.
  case declined
  /// It ended for everyone.
  case ended(EndReason)
  /// A host removed this device; a banned one cannot join this session again.
  case removed(by: ParticipantID, isBanned: Bool)
  /// The same person continues on another device.
  case handedOff(to: ParticipantID)
  /// The device is no longer eligible.
  case notEligible
  /// The join failed.
  case joinFailed(GroupWatchError)
  /// The connection was lost for longer than the server's grace period.
  case connectionLost
  /// The server lost the session in a restart, although the connection was back in time.
  case serverRestarted
  /// The client was closed.
  case closed

  init(_ reason: Client.InvalidationReason) {
    self =
      switch reason {
      case .left: .left
      case .dismissed: .dismissed
      case .declined: .declined
      case .ended(let end): .ended(end)
      case .removed(let who, let isBanned): .removed(by: who, isBanned: isBanned)
      case .handedOff(let who): .handedOff(to: who)
      case .notEligible: .notEligible
      case .joinFailed(let failure): .joinFailed(GroupWatchError(failure))
      case .connectionLost: .connectionLost
      case .serverRestarted: .serverRestarted
      case .closed: .closed
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
    case .ended(let end): end.name.rawValue
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
