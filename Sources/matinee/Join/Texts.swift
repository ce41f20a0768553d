import GroupSessions
import Participation
import Vocabulary
import Wire

// What the client's reasons say to people.

extension Client.Failure {
  /// The failure, and what to do about it where somebody can.
  var text: String {
    switch self {
    case .refused(let error): "\(error.message); \(error.code.advice)"
    case .refusedUnknown(let error): "\(error.message) (\(error.code))"
    case .timedOut: "no answer in time"
    case .forgotten: "the server does not know you any more"
    case .tooManyRequests(let limit): "\(limit) requests wait already"
    case .notJoined: "you do not take part in the session"
    case .invalidated(let reason): reason.text { _ in "somebody" }
    case .superseded: "you asked for something newer"
    case .closed: "closed"
    }
  }
}

extension Client.InvalidationReason {
  /// The reason; `name` says what the session's participants are called.
  func text(_ name: (ParticipantID) -> String) -> String {
    switch self {
    case .left: "you left"
    case .dismissed: "you dismissed it"
    case .declined: "you declined"
    case .ended(let reason): "\(reason.text(name))"
    case .removed: "a host removed you"
    case .handedOff: "you go on with another device"
    case .notEligible: "you cannot take part any more"
    case .joinFailed(let failure): "joining failed: \(failure.text)"
    case .connectionLost: "the connection was away for too long"
    case .serverRestarted: "the server was started anew"
    case .closed: "closed"
    }
  }
}

extension Follower.Correction {
  /// What was done about a player that is off.
  var text: String {
    switch self {
    case .rate(let factor): "speed \(factor)"
    case .groupRate: "back at the group's speed"
    case .seek: "went there"
    case .startedLate: "started late"
    case .gaveUp: "this player cannot keep up"
    }
  }
}
