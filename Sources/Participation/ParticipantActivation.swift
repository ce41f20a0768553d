package import GroupSessions
package import Vocabulary

/// What to do about an activity that someone wants to start: GroupActivities'
/// `prepareForActivation`, before anybody is asked.
package enum ActivationAdvice: Equatable, Sendable {
  /// This very thing goes on already, in this session; nothing is to be done.
  case alreadyIn(SessionID)
  /// A session of the same type goes on: its activity is to be replaced.
  case update(SessionID)
  /// Start it with the group.
  case preferred
  /// Do it alone.
  case disabled(DisabledReason)
  /// The person has to say.
  case ask
}

/// What `prepareForActivation` comes to; alone and not at all are different things.
package enum ActivationDecision: Equatable, Sendable {
  case activationPreferred
  case activationDisabled(DisabledReason)
  /// Do nothing at all: neither share it nor do it alone.
  case cancelled
}

extension Client {
  /// Says what to do about an activity that the person wants to start; the first that holds counts.
  package func adviseActivation(of activity: GroupSessions.GroupActivity) -> ActivationAdvice {
    if let session {
      if session.activity.isSame(as: activity) { return .alreadyIn(session.id) }
      if session.activity.type == activity.type { return .update(session.id) }
    }
    if case .ineligible(let reason) = eligibility { return .disabled(.notEligible(reason)) }
    return switch sharing[activity.type] {
    case .never: .disabled(.neverShares)
    case .always: .preferred
    case nil: .ask
    }
  }
}

extension ShareChoice {
  /// What the answer means, and what is to be remembered of it.
  package var consequence: (decision: ActivationDecision, preference: SharingPreference?) {
    switch self {
    case .share(let remembers): (.activationPreferred, remembers ? .always : nil)
    case .onlyMe(let remembers): (.activationDisabled(.onlyMe), remembers ? .never : nil)
    case .cancel: (.cancelled, nil)
    }
  }
}
