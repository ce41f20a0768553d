package import GroupSessions
package import Playback
package import Vocabulary

extension Client {
  /// What a participant did, such as "Ann paused", as text for people.
  package struct SessionNotice: Equatable, Sendable, CustomStringConvertible {
    package enum Action: Equatable, Sendable {
      case joined
      case left(LeaveReason)
      case lostConnection
      case cameBack
      case played
      case paused
      case sought(to: MediaTime)
      case changedRate(Rate)
      /// The group waits for this participant.
      case heldUp
      case steppedOut(SuspensionReason)
      case steppedIn
      case changedActivity(title: String)
      case changedQueue
      case addedAttachment
      case removedAttachment
      case gaveRole(Role, to: String)
      /// Declares that this participant is ready to watch, or is not.
      case saidReady(Bool)
      /// Declares the readiness of another participant.
      case setReadiness(Bool, of: String)
      case changedPolicies
      /// Has another item open than the one the activity is about.
      case openedAnother(ItemID)
      /// Has a copy of the item that is longer by this duration, or shorter if it is negative.
      case hasAnotherLength(by: Duration)
    }

    /// The participant who acted.
    package let who: ParticipantID?
    /// The participant's display name.
    package let name: String
    package let action: Action

    /// The notice in English.
    package var description: String { "\(name) \(action.text)" }
  }
}

extension Client.SessionNotice {
  init?(_ event: SessionEvent, before: GroupSession, after: GroupSession) {
    guard let (who, action) = Self.deed(event, after) else { return nil }
    self.who = who
    self.action = action
    let participant = after.participants[who] ?? before.participants[who]
    // Keepers join and leave together with the participants for whom they keep the session.
    if participant?.isKeeper == true, action.isComingOrGoing { return nil }
    name = participant?.name ?? who.text
  }

  private static func deed(_ event: SessionEvent, _ session: GroupSession)
    -> (ParticipantID, Action)?
  {
    switch event {
    case .joined(let participant): return (participant.id, .joined)
    case .left(let id, let reason): return (id, .left(reason))
    case .lost(let id, _): return (id, .lostConnection)
    case .resumed(let id): return (id, .cameBack)
    case .activitySet(let activity, _, let id):
      return (id, .changedActivity(title: activity.metadata.title))
    case .roleSet(let id, let role, let by?):
      return (by, .gaveRole(role, to: session.participants[id]?.name ?? id.text))
    case .readinessSet(let id, let isReady, let by):
      return id == by
        ? (by, .saidReady(isReady))
        : (by, .setReadiness(isReady, of: session.participants[id]?.name ?? id.text))
    case .controlSet(_, let id), .dismissalPolicySet(_, let id),
      .playback(.waitingPolicySet(_, let id)):
      return (id, .changedPolicies)
    case .queue(_, let id?): return (id, .changedQueue)
    case .attachmentAdded(let attachment): return (attachment.by, .addedAttachment)
    case .attachmentRemoved(_, let id): return (id, .removedAttachment)
    case .playback(.itemSelected(let item?, let id)):
      return session.watchesAnother(id) ? (id, .openedAnother(item)) : nil
    case .playback(.durationDoubted(let item, _, let id)):
      return session.excessLength(of: id, on: item).map { (id, .hasAnotherLength(by: $0)) }
    case .playback(let event): return deed(event)
    case .began, .activated, .interrupted, .declined, .invited, .invitationAnswered,
      .invitationsRevoked, .invitationsExpired, .roleSet, .messageSent, .queue, .ended:
      return nil
    }
  }

  private static func deed(_ event: PlaybackEvent) -> (ParticipantID, Action)? {
    switch event {
    case .timelineSet(_, let phase, let rate, let action, let id?):
      switch action {
      case .play: (id, .played)
      case .pause: (id, .paused)
      case .seek: phase.position.map { (id, .sought(to: $0)) }
      case .setRate: (id, .changedRate(rate))
      case .wait: (id, .heldUp)
      case .propose, .start, .freeze, .end: nil
      }
    case .suspensionBegan(let id, _, let reason, _): (id, .steppedOut(reason))
    case .suspensionEnded(let id, _): (id, .steppedIn)
    case .timelineSet, .itemSelected, .itemAdvanced, .durationLearned, .durationDoubted,
      .interstitialsDeclared, .seekWindowSet, .readied, .finished, .waitingPolicySet,
      .timelineUnattended,
      .timelineDropped:
      nil
    }
  }
}

extension Timeline.Phase {
  /// Where the timeline stands, or starts from.
  fileprivate var position: MediaTime? {
    switch self {
    case .paused(let position), .ended(let position): position
    case .preparing(let barrier): barrier.from
    case .playing(let anchor): anchor.mediaTime
    }
  }
}

extension Client.SessionNotice.Action {
  fileprivate var isComingOrGoing: Bool {
    switch self {
    case .joined, .left, .lostConnection, .cameBack: true
    default: false
    }
  }

  /// The action in English, to follow the name: "paused", "went to 1:02:03".
  package var text: String {
    switch self {
    case .joined: "joined"
    case .left(.left): "left"
    case .left(.dismissed): "dismissed it"
    case .left(.removed): "was removed"
    case .left(.connectionLost): "did not come back"
    case .left(.handedOff): "goes on with another device"
    case .lostConnection: "lost the connection"
    case .cameBack: "is back"
    case .played: "pressed play"
    case .paused: "paused"
    case .sought(let position): "went to \(position.clockText)"
    case .changedRate(let rate): "set the speed to \(rate.factor)"
    case .heldUp: "needs a moment"
    case .steppedOut(let reason): "stepped out (\(reason.spokenText))"
    case .steppedIn: "is watching again"
    case .changedActivity(let title): "changed to \(title)"
    case .changedQueue: "changed the queue"
    case .addedAttachment: "added an attachment"
    case .removedAttachment: "removed an attachment"
    case .gaveRole(let role, let name): "made \(name) a \(role.noun)"
    case .saidReady(let isReady): isReady ? "is ready" : "is not ready"
    case .setReadiness(let isReady, let name):
      "set \(name) as \(isReady ? "ready" : "not ready")"
    case .changedPolicies: "changed the rules"
    case .openedAnother(let item): "opened something else (\(item.text))"
    case .hasAnotherLength(let excess): "has a copy that is \(excess.comparisonText)"
    }
  }
}

extension SuspensionReason {
  /// What the person or their player does meanwhile; an app's own reason as the app names it.
  package var spokenText: String {
    switch self {
    case .stallRecovery: "buffering"
    case .playingInterstitial: "in an advertisement"
    case .audioSessionInterrupted: "interrupted"
    case .userActionRequired: "busy"
    case .userIsChangingCurrentTime: "looks for a position"
    case .coordinatedPlaybackNotPossible: "cannot play it"
    default: text
    }
  }
}

extension MediaTime {
  /// Hours, minutes and seconds, as in `1:02:03`.
  fileprivate var clockText: String {
    let total = max(microseconds, 0) / 1_000_000
    let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60)
    let tail = seconds < 10 ? "0\(seconds)" : "\(seconds)"
    guard hours > 0 else { return "\(minutes):\(tail)" }
    return minutes < 10 ? "\(hours):0\(minutes):\(tail)" : "\(hours):\(minutes):\(tail)"
  }
}
