package import GroupSessions
package import Vocabulary

/// What a person wants done with activities of one type, without being asked again.
package enum SharingPreference: String, Equatable, Sendable, CaseIterable {
  case always
  case never
}

/// What a person answered when asked whether to share.
package enum SharingChoice: Equatable, Sendable {
  case share(remembers: Bool)
  case onlyMe(remembers: Bool)
  /// Dismissed, timed out or pre-empted.
  case cancel
}

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
  case disabled(SharingObstacle)
  /// The person has to say.
  case ask
}

/// Why an activity is not shared.
package enum SharingObstacle: Equatable, Sendable {
  case notEligible(Ineligibility)
  /// The person never shares activities of this type.
  case preference
  /// The person chose so just now.
  case choice
}

/// What `prepareForActivation` comes to; alone and not at all are different things.
package enum ActivationDecision: Equatable, Sendable {
  case activationPreferred
  case activationDisabled(SharingObstacle)
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
    case .never: .disabled(.preference)
    case .always: .preferred
    case nil: .ask
    }
  }
}

extension SharingChoice {
  /// What the answer means, and what is to be remembered of it.
  package var consequence: (decision: ActivationDecision, preference: SharingPreference?) {
    switch self {
    case .share(let remembers): (.activationPreferred, remembers ? .always : nil)
    case .onlyMe(let remembers): (.activationDisabled(.choice), remembers ? .never : nil)
    case .cancel: (.cancelled, nil)
    }
  }
}
