package import GroupSessions
package import Vocabulary

/// Advice on an activity that the person wants to start.
///
/// It corresponds to GroupActivities' `prepareForActivation`, before the person is asked.
package enum ActivationAdvice: Equatable, Sendable {
  /// This activity is already under way in this session; nothing needs to be done.
  case alreadyIn(SessionID)
  /// A session of the same type is under way: replace its activity.
  case update(SessionID)
  /// Start it with the group.
  case preferred
  /// Start it without the group.
  case disabled(DisabledReason)
  /// Ask the person.
  case ask
}

/// The result of `prepareForActivation`; starting alone and cancelling are different results.
package enum ActivationDecision: Equatable, Sendable {
  case activationPreferred
  case activationDisabled(DisabledReason)
  /// Do not start the activity at all.
  case cancelled
}

extension Client {
  /// Advises on an activity that the person wants to start; the first rule that matches applies.
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
  /// The decision that the answer implies, and the preference to remember.
  package var consequence: (decision: ActivationDecision, preference: SharingPreference?) {
    switch self {
    case .share(let remembers): (.activationPreferred, remembers ? .always : nil)
    case .onlyMe(let remembers): (.activationDisabled(.onlyMe), remembers ? .never : nil)
    case .cancel: (.cancelled, nil)
    }
  }
}
