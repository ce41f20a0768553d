import GroupSessions
import Vocabulary

extension EndReason {
  /// Why the session ended, to people; `name` says what its participants are called.
  func text(_ name: (ParticipantID) -> String) -> String {
    switch self {
    case .endedBy(let id): "\(name(id)) ended it for all"
    case .dismissedBy(let id): "\(name(id)) dismissed it for all"
    case .initiatorLeft: "whoever started it left"
    case .replaced(let session): "session \(session) took its place"
    case .withdrawn: "it was taken back"
    case .neverJoined: "nobody joined in time"
    case .empty: "everyone has left"
    case .groupClosed: "the group closed"
    case .serverShutdown: "the server was stopped"
    }
  }
}
