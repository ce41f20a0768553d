import GroupSessions
import Participation
import Vocabulary
import Wire

extension Client.Failure {
  /// The failure's stable name: the server's code where the server said no.
  var name: String {
    switch self {
    case .refused(let error): error.code.rawValue
    case .refusedUnknown(let error): error.code
    case .timedOut: "timedOut"
    case .forgotten: "forgotten"
    case .tooManyRequests: "tooManyRequests"
    case .notJoined: "notJoined"
    case .invalidated: "invalidated"
    case .superseded: "superseded"
    case .closed: "closed"
    }
  }
}

extension Client.InvalidationReason {
  /// The reason's stable name; that of the session's end where it ended for everyone.
  var name: String {
    switch self {
    case .left: "left"
    case .dismissed: "dismissed"
    case .declined: "declined"
    case .ended(let reason): reason.name.rawValue
    case .removed: "removed"
    case .handedOff: "handedOff"
    case .notEligible: "notEligible"
    case .joinFailed(let failure): "joinFailed:\(failure.name)"
    case .connectionLost: "connectionLost"
    case .serverRestarted: "serverRestarted"
    case .closed: "closed"
    }
  }

  /// Who is behind it, if somebody is.
  var originator: ParticipantID? {
    switch self {
    case .ended(.endedBy(let id)), .ended(.dismissedBy(let id)), .removed(by: let id, _): id
    default: nil
    }
  }
}
