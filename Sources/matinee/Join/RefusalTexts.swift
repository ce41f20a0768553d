import GroupSessions
import MatineeClient
import Stages

// Why something was refused and what to do, for a person who types verbs. The codes, and the fields
// and requests that the library's advice names, are for programs.

extension NotNow {
  /// Why the verb is impossible now, and which one helps.
  var text: String {
    switch code {
    case "notJoined":
      "you watch nothing with the group; `activate FILE` starts something, `join` joins what is on"
    case "noOffer": "the group watches nothing; `activate FILE` starts something"
    case "nothingStaged": "nothing is prepared; `stage FILE` prepares something"
    case "noMedia": "name what to watch, such as `activate film.mp4`"
    case "unknownParticipant": "nobody who watches has that name; `who` lists them"
    case "unknownEntry": "nothing in the queue has that name; `queue` lists it"
    case "unknownSuspension": "you have not stepped out; `suspend REASON` does"
    case "noMessage": "there is no message on screen"
    case "noInvitation": "no invitation stands; `join` joins what your group watches"
    case "noNotification": "no notification stands"
    default: code
    }
  }
}

extension GroupWatchError {
  /// What was wrong and what to do about it.
  var text: String { "\(message); \(spokenAdvice)" }

  /// The same; without a token, a refusal is about the person's name and the group's link.
  func text(hasToken: Bool) -> String {
    switch code {
    case .credentialRefused where !hasToken:
      "the name is somebody else's here, or another device's of yours; choose another with --as, "
        + "or let this device in: matinee pair --help"
    case .credentialRequired where !hasToken:
      "the server wants to know who you are; join with the group's link, which any member has "
        + "(matinee invite), or with --token-file"
    default: text
    }
  }

  private var spokenAdvice: String {
    switch code {
    case .credentialRequired: "give it a token with --token-file"
    case .credentialRefused: "use another token" + cause
    case .keyRequired: "join with the group's link, which any member has (matinee invite)"
    case .notEligible: reason.flatMap(Ineligibility.init)?.advice ?? "wait until it can"
    case _ where retryAfter != nil: waitAdvice
    case .invalidField, .invalidActivity:
      field.map { "write the \($0) differently" } ?? "write it differently"
    default: sessionAdvice
    }
  }

  /// The advice for refusals that are about the session.
  private var sessionAdvice: String {
    switch code {
    case .activityInProgress:
      "`join` joins it, or `begin` if it is only prepared; `activate FILE --replace` replaces it"
    case .notActivated: "`begin` starts it"
    case .notJoined: "`join` joins what the group watches"
    case .sessionEnded: "start or join another one"
    case .invitationAnswered: "join or leave the session instead"
    case .invitationOver: "`join` joins what your group watches"
    case .forbidden: "ask a host"
    case .conflict: "see what is on now, and decide again"
    case .sessionFull: "try again when somebody has left"
    case .unknownParticipant: "`who` lists who watches"
    case .unknownEntry: "`queue` lists what is there"
    case .noSuchNeighbour: "`queue add FILE` adds something, `queue repeat all` begins again"
    case .suspendedLocalOnly: "`resume` brings you back to the others"
    case .unknownNotification, .notificationOver: "`notifications` lists those that stand"
    case .tooManyInvitations: "the others can join the group by its link"
    default: advice
    }
  }

  private var cause: String { reason.map { " (\($0))" } ?? "" }

  private var waitAdvice: String { retryAfter?.waitAdvice ?? "try again later" }
}

extension Duration {
  /// What to do if a request is refused for so long.
  var waitAdvice: String { "try again in \(max(1, components.seconds)) s" }
}

extension Ineligibility {
  fileprivate var advice: String {
    switch self {
    case .notConnected: "wait for the connection"
    case .notInGroup, .groupClosed: "`group join` joins the group again"
    case .alone: "wait for somebody else to join the group"
    case .sharingDisabled: "`sharing on` lets you share again"
    case .clientTooOld: "update the program"
    }
  }
}
