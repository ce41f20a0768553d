/// The kinds of session events, as `"event"` spells them.
package enum SessionEventName: Hashable, Sendable {
  case session(SessionChange)
  case queue(QueueChange)
  case playback(PlaybackChange)

  /// Every kind by its spelling.
  package static let spelled: [String: SessionEventName] = {
    var names: [String: SessionEventName] = [:]
    for change in SessionChange.allCases { names[change.rawValue] = .session(change) }
    for change in QueueChange.allCases { names[change.rawValue] = .queue(change) }
    for change in PlaybackChange.allCases { names[change.rawValue] = .playback(change) }
    return names
  }()
}

/// Events of a session's life and of its participants.
package enum SessionChange: String, Hashable, Sendable, CaseIterable {
  case began
  case activated
  case joined
  case left
  case lost
  case resumed
  case interrupted
  case declined
  case invited
  case invitationAnswered
  case invitationsRevoked
  case invitationsExpired
  case activitySet
  case roleSet
  case readinessSet
  case controlSet
  case dismissalPolicySet
  case messageSent
  case ended
}

/// Events of the queue.
package enum QueueChange: String, Hashable, Sendable, CaseIterable {
  case inserted
  case moved
  case entryRemoved
  case queueCleared
  case selected
  case repeatSet
  case shuffled
  case unshuffled
  case autoAdvanceSet
}

/// Events of coordinated playback.
package enum PlaybackChange: String, Hashable, Sendable, CaseIterable {
  case itemSelected
  case timelineSet
  case itemAdvanced
  case durationLearned
  case durationDoubted
  case interstitialsDeclared
  case seekWindowSet
  case readied
  case finished
  case suspensionBegan
  case suspensionEnded
  case waitingPolicySet
  case timelineUnattended
  case timelineDropped
}
