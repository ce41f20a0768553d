package import GroupSessions
import Playback
import Vocabulary
import Wire

extension RandomValues {
  /// A group event of this kind.
  package mutating func groupEvent(_ name: String) -> GroupEvent {
    switch name {
    case "opened": .opened(by: id())
    case "memberJoined": .memberJoined(member())
    case "memberLeft": .memberLeft(id(), one())
    case "memberLost": .memberLost(id(), until: instant())
    case "memberResumed": .memberResumed(id())
    case "interrupted": .interrupted(until: instant())
    case "sharingSet": .sharingSet(id(), chance())
    case "preferredDeviceSet": .preferredDeviceSet(id(), maybe { $0.id() })
    case "sessionStarted": .sessionStarted(id(), by: id())
    case "sessionEnded": .sessionEnded(id())
    case "keyChanged": .keyChanged(generation: count())
    case "userAdmitted": .userAdmitted(id())
    case "userRemoved": .userRemoved(id())
    case "objectUpdated": .objectUpdated(id(), set: payloadFields(), by: id())
    case "objectRemoved": .objectRemoved(id(), by: id())
    case "emptied": .emptied(until: instant())
    case "closed": .closed
    default: preconditionFailure("no value for \(name)")
    }
  }

  /// A session event of this kind.
  package mutating func sessionEvent(_ name: String) -> SessionEvent {
    if let event = ownEvent(name) { return event }
    if let event = queueEvent(name) { return .queue(event, by: maybe { $0.id() }) }
    guard let event = playbackEvent(name) else { preconditionFailure("no value for \(name)") }
    return .playback(event)
  }

  private mutating func ownEvent(_ name: String) -> SessionEvent? {
    switch name {
    case "began": .began(beginning())
    case "activated": .activated(by: initiator(), joinBy: instant())
    case "joined": .joined(participant())
    case "left": .left(id(), leaveReason(one()))
    case "lost": .lost(id(), until: instant())
    case "resumed": .resumed(id())
    case "interrupted": .interrupted(until: instant())
    case "declined": .declined(id())
    case "invited": .invited(list { $0.id() }, expires: instant(), by: maybe { $0.id() })
    case "invitationAnswered": .invitationAnswered(id(), one(), on: maybe { $0.id() })
    case "invitationsRevoked": .invitationsRevoked(list { $0.id() }, by: id())
    case "invitationsExpired": .invitationsExpired(list { $0.id() })
    case "activitySet": .activitySet(activity(), revision: count(), by: id())
    case "roleSet": .roleSet(id(), one(), by: maybe { $0.id() })
    case "readinessSet": .readinessSet(id(), chance(), by: id())
    case "controlSet": .controlSet(one(), by: id())
    case "dismissalPolicySet": .dismissalPolicySet(one(), by: id())
    case "messageSent": .messageSent(payload(), to: recipients(), by: id())
    case "attachmentAdded": .attachmentAdded(attachment())
    case "attachmentRemoved": .attachmentRemoved(id(), by: id())
    case "ended": .ended(endReason(one()))
    default: nil
    }
  }

  private mutating func queueEvent(_ name: String) -> QueueEvent? {
    switch name {
    case "inserted": .inserted(list { $0.entry() }, after: maybe { $0.id() })
    case "moved": .moved(id(), after: maybe { $0.id() })
    case "entryRemoved": .removed(id())
    case "queueCleared": .cleared
    case "selected": .selected(id())
    case "repeatSet": .repeatSet(one())
    case "shuffled": .shuffled(list { $0.id() })
    case "unshuffled": .unshuffled
    case "autoAdvanceSet": .autoAdvanceSet(chance())
    default: nil
    }
  }

  private mutating func playbackEvent(_ name: String) -> PlaybackEvent? {
    let rate = rate()
    return switch name {
    case "itemSelected": .itemSelected(maybe { $0.id() }, by: id())
    case "timelineSet":
      .timelineSet(id(), phase(one(), rate), rate: rate, action: one(), by: maybe { $0.id() })
    case "itemAdvanced": .itemAdvanced(from: id(), to: id(), phase(one(), rate), rate: rate)
    case "durationLearned": .durationLearned(id(), duration())
    case "durationDoubted": .durationDoubted(id(), duration(), by: id())
    case "interstitialsDeclared": .interstitialsDeclared(id(), interstitials())
    case "seekWindowSet": .seekWindowSet(id(), seekWindow())
    case "readied": .readied(id(), seq: count())
    case "finished": .finished(id(), seq: count())
    case "suspensionBegan":
      .suspensionBegan(id(), count(), SuspensionReason(text()), isImposed: chance())
    case "suspensionEnded": .suspensionEnded(id(), count())
    case "waitingPolicySet": .waitingPolicySet(policy(), by: id())
    case "timelineUnattended": .timelineUnattended(id(), until: instant())
    case "timelineDropped": .timelineDropped(id())
    default: nil
    }
  }
}

// MARK: Parts

extension RandomValues {
  /// A reason of this kind.
  package mutating func endReason(_ name: EndReason.Name) -> EndReason {
    switch name {
    case .endedBy: .endedBy(id())
    case .dismissedBy: .dismissedBy(id())
    case .initiatorLeft: .initiatorLeft
    case .replaced: .replaced(by: id())
    case .withdrawn: .withdrawn
    case .neverJoined: .neverJoined
    case .empty: .empty
    case .groupClosed: .groupClosed
    case .serverShutdown: .serverShutdown
    }
  }

  /// A reason of this kind.
  package mutating func leaveReason(_ name: LeaveReason.Name) -> LeaveReason {
    switch name {
    case .left: .left
    case .dismissed: .dismissed
    case .removed: .removed(by: id(), isBanned: chance())
    case .connectionLost: .connectionLost
    case .handedOff: .handedOff(to: id())
    }
  }

  /// The timeline's rate always equals the rate of its barrier or anchor.
  mutating func phase(_ name: Timeline.Phase.Name, _ rate: Rate) -> Timeline.Phase {
    switch name {
    case .paused: .paused(at: mediaTime())
    case .preparing:
      .preparing(
        StartBarrier(
          from: mediaTime(), rate: rate, due: maybe { $0.instant() },
          patience: maybe { $0.instant() }))
    case .playing:
      .playing(
        TimelineAnchor(
          mediaTime: mediaTime(), at: instant(), rate: rate, approach: maybe { $0.rate() }))
    case .ended: .ended(at: mediaTime())
    }
  }

  /// A participant; by default one that has not stated its readiness, like one that joins.
  mutating func participant(isReadyToStart: Bool? = nil) -> Participant {
    Participant(
      id: id(), user: id(), device: id(), name: text(), isKeeper: chance(), role: one(),
      joinedAt: instant(), isReadyToStart: isReadyToStart)
  }

  mutating func invitation() -> Invitation {
    Invitation(
      user: id(), seq: count(), expires: instant(), inviter: maybe { $0.id() }, state: one(),
      device: maybe { $0.id() }, hasJoined: chance())
  }

  mutating func initiator() -> Initiator {
    Initiator(user: id(), device: id(), name: text(), isKeeper: chance())
  }

  mutating func member() -> Member {
    Member(
      device: id(), user: id(), name: text(), isKeeper: chance(), isSharing: chance(),
      understandsSessions: chance())
  }

  mutating func entry() -> QueueEntry {
    QueueEntry(id: id(), media: media(), addedBy: maybe { $0.id() })
  }

  private mutating func beginning() -> SessionBeginning {
    SessionBeginning(
      group: id(), activity: activity(), initiator: initiator(), isStaged: chance(),
      control: one(), waitingPolicy: policy(), dismissalPolicy: one(),
      initialTiming: maybe { $0.timing() }, oneDevicePerUser: chance(), hasAudience: chance(),
      joinBy: instant())
  }
}
