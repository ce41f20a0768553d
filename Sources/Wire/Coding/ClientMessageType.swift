/// The types of lines that clients send, as `"type"` spells them.
package enum ClientMessageType: Hashable, Sendable {
  case line(ClientLine)
  case group(GroupVerb)
  case session(SessionVerb)
  case participant(ParticipantVerb)
  case playback(PlaybackVerb)
  case queue(QueueVerb)
  case messaging(MessagingVerb)
  case invitation(InvitationVerb)
  case notification(NotificationVerb)

  /// Every type by its spelling.
  package static let spelled: [String: ClientMessageType] = {
    var types: [String: ClientMessageType] = [:]
    for line in ClientLine.allCases { types[line.rawValue] = .line(line) }
    for verb in GroupVerb.allCases { types[verb.rawValue] = .group(verb) }
    for verb in SessionVerb.allCases { types[verb.rawValue] = .session(verb) }
    for verb in ParticipantVerb.allCases { types[verb.rawValue] = .participant(verb) }
    for verb in PlaybackVerb.allCases { types[verb.rawValue] = .playback(verb) }
    for verb in QueueVerb.allCases { types[verb.rawValue] = .queue(verb) }
    for verb in MessagingVerb.allCases { types[verb.rawValue] = .messaging(verb) }
    for verb in InvitationVerb.allCases { types[verb.rawValue] = .invitation(verb) }
    for verb in NotificationVerb.allCases { types[verb.rawValue] = .notification(verb) }
    return types
  }()
}

/// Lines that are no requests.
package enum ClientLine: String, Hashable, Sendable, CaseIterable {
  case hello
  case ping
  case report
  case message
}

/// Requests about the group, and about what goes on.
package enum GroupVerb: String, Hashable, Sendable, CaseIterable {
  case joinGroup
  case leaveGroup
  case closeGroup
  case setSharing
  case setPreferredDevice
  case status
}

/// Requests about a session's life, and about coming and going.
package enum SessionVerb: String, Hashable, Sendable, CaseIterable {
  case activate
  case stage
  case activateStaged
  case withdraw
  case join
  case decline
  case leave
  case dismiss
  case end
}

/// Requests of those who take part, about what is on and who may do what.
package enum ParticipantVerb: String, Hashable, Sendable, CaseIterable {
  case setActivity
  case send
  case setRole
  case setReadyToStart
  case setControl
  case setWaitingPolicy
  case setDismissalPolicy
  case remove
}

/// Requests about playback.
package enum PlaybackVerb: String, Hashable, Sendable, CaseIterable {
  case transition
  case play
  case pause
  case seek
  case setRate
  case suspend
  case endSuspension
  case ready
  case reportEnd
}

/// Requests about the queue.
package enum QueueVerb: String, Hashable, Sendable, CaseIterable {
  case insert
  case move
  case removeEntry
  case clearQueue
  case select
  case next
  case previous
  case setRepeat
  case shuffle
  case unshuffle
  case setAutoAdvance
}

/// Requests about a person's in-app messages.
package enum MessagingVerb: String, Hashable, Sendable, CaseIterable {
  case appState
  case logEvent
  case logPurchase
  case logPushOpened
  case reportMessage
  case setAttributes
  case setMembership
  case setCollection
  case pauseMessaging
  case wipeMessaging
  case revalidateMessages
  case explainMessages
  case testMessage
}

/// Requests about who is asked to come to a session.
package enum InvitationVerb: String, Hashable, Sendable, CaseIterable {
  case invite
  case revokeInvitations
  /// Also a line without a hello, if it has a token.
  case answerInvitation
}

/// Requests about a person's notifications.
package enum NotificationVerb: String, Hashable, Sendable, CaseIterable {
  case registerForNotifications
  case unregisterFromNotifications
  case subscribe
  case unsubscribe
  case publish
  case push
  case listNotifications
  case reportNotification
  case removeNotifications
  case wipeNotifications
  case objectState
}
