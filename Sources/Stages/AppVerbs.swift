package import MatineeClient
import Playback
package import Scenarios
import UserNotifications
package import Vocabulary

/// A session of any app's activity, because these programs take part in everything a group does.
package typealias JoinedSession = GroupSession<AnyGroupActivity>

/// A verb that is impossible now, with the code that conditions use.
package struct NotNow: Error {
  package let code: String

  package init(_ code: String) { self.code = code }
}

/// Carries out verbs with the public client, as an app does for its buttons.
///
/// It is a snapshot of what the person sees; the program makes another one for each verb.
package struct AppVerbs: Sendable {
  private let client: GroupWatchClient
  /// The group that is joined without naming one.
  private let group: GroupID
  private let joined: JoinedSession?
  /// The session that this device can join or begin.
  private let offer: JoinedSession?
  /// The waiting policy of sessions that a verb starts without naming one.
  private let waiting: Scenario.Waiting
  /// The media with a name; without a name, the first.
  private let media: @Sendable (String?) -> MediaItem?

  package init(
    _ client: GroupWatchClient, group: GroupID, joined: JoinedSession?, offer: JoinedSession?,
    waiting: Scenario.Waiting = .keepGoing, media: @escaping @Sendable (String?) -> MediaItem?
  ) {
    self.client = client
    self.group = group
    self.joined = joined
    self.offer = offer
    self.waiting = waiting
    self.media = media
  }

  /// Carries out a verb; does nothing for one that is not the client's.
  package func carryOut(_ verb: Verb) async throws {
    switch verb {
    case .joinGroup(let name): try await client.joinGroup(name.map { GroupID($0) } ?? group)
    case .leaveGroup: try await client.leaveGroup()
    case .closeGroup: try await client.closeGroup()
    case .setSharing(let isSharing): try await client.setSharing(isSharing)
    case .prefer(let choice): try await client.setPreferredDevice(choice == .me)
    case .stage(let name, let manner): try await stage(name, manner)
    case .join: try await join()
    case .decline: try await offered().decline()
    case .begin: try await staged().activateStaged()
    case .withdraw: try await staged().withdraw()
    case .leave: await (joined ?? offer)?.leave()
    case .play, .pause, .seek, .setRate, .suspend, .resume: try await steer(verb)
    case .item(let name):
      let session = try session()
      if let media = media(name) { try await session.update(activity: film(media)) }
    case .queue(let instruction): try await carryOut(instruction, on: session().queue)
    case .end, .kick, .setRole, .setReady, .countdown, .setControl, .setWaiting, .say, .tell,
      .invite, .revokeInvitations:
      try await takePart(verb)
    case .register, .unregister, .subscribe(.topic), .unsubscribe(.topic), .publish:
      try await attend(verb)
    default: break
    }
  }

  // MARK: Sessions

  private func session() throws -> JoinedSession {
    guard let joined else { throw NotNow("notJoined") }
    return joined
  }

  private func offered() throws -> JoinedSession {
    guard let offer else { throw NotNow("noOffer") }
    return offer
  }

  private func staged() throws -> JoinedSession {
    guard let offer, offer.state.current == .staged else { throw NotNow("nothingStaged") }
    return offer
  }

  private func named(_ name: String) throws -> Participant {
    let people = try session().activeParticipants.current
    guard let participant = people.first(where: { $0.name == name && !$0.isKeeper }) else {
      throw NotNow("unknownParticipant")
    }
    return participant
  }

  /// The session that this device knows about.
  package func known() throws -> SessionID {
    guard let id = (joined ?? offer)?.id ?? client.groupState.group.current?.session else {
      throw NotNow("noOffer")
    }
    return id
  }

  private func film(_ media: MediaItem) throws -> AnyGroupActivity {
    try AnyGroupActivity(
      type: "matinee.film", payload: [String: String](),
      metadata: GroupActivityMetadata(type: .watchTogether, title: media.title ?? media.url),
      media: media)
  }

  /// Joins the offered session or, after declining, the group's current session.
  private func join() async throws {
    if let offer {
      try await offer.join()
    } else if let id = client.groupState.group.current?.session {
      try await client.joinSession(id)
    } else {
      throw NotNow("noOffer")
    }
  }

  /// The result of an activation.
  package enum Activation: Sendable {
    case shared
    /// It starts on another device of this person.
    case elsewhere
    /// The person watches it alone.
    case alone(MediaItem)
    case cancelled

    /// The outcome in the terms that conditions use.
    package var name: String {
      switch self {
      case .shared, .elsewhere: "activationPreferred"
      case .alone: "activationDisabled"
      case .cancelled: "cancelled"
      }
    }
  }

  /// Handles GroupActivities' three outcomes separately: with the group, alone, or not at all.
  ///
  /// - Parameter onDecision: called once the person has decided, before the server is asked.
  /// - Returns: the result; `nil` if there is no such media.
  package func activate(
    _ name: String?, _ answer: ShareAnswer, _ manner: ActivationManner,
    onDecision: @Sendable (Activation) async -> Void
  ) async throws -> Activation? {
    guard let media = media(name) else { return nil }
    let activity = try film(media)
    let decision = try await activity.prepareForActivation(on: client, asking: answer)
    switch decision {
    case .activationDisabled: await onDecision(.alone(media))
    case .cancelled: await onDecision(.cancelled)
    case .alreadyActive, .updatesSession, .activationPreferred: await onDecision(.shared)
    }
    switch decision {
    case .alreadyActive: return .shared
    case .updatesSession:
      try await session().update(activity: activity)
      return .shared
    case .activationPreferred:
      let delivery = try await activity.activate(
        on: client, ifBusy: manner.isReplacing ? .replace : .fail, at: manner.position,
        control: manner.control, waitingPolicy: (manner.waiting ?? waiting).policy,
        oneDevicePerPerson: manner.oneDevicePerUser, hasAudience: manner.hasAudience)
      if case .elsewhere = delivery { return .elsewhere }
      return .shared
    case .activationDisabled: return .alone(media)
    case .cancelled: return .cancelled
    }
  }

  private func stage(_ name: String?, _ manner: ActivationManner) async throws {
    guard let media = media(name) else { return }
    try await film(media).stage(
      on: client, ifBusy: manner.isReplacing ? .replace : .fail, at: manner.position,
      control: manner.control, waitingPolicy: (manner.waiting ?? waiting).policy,
      oneDevicePerPerson: manner.oneDevicePerUser, hasAudience: manner.hasAudience)
  }

  private func takePart(_ verb: Verb) async throws {
    let session = try session()
    let messenger = GroupSessionMessenger(session: session)
    switch verb {
    case .end: try await session.end()
    case .kick(let name, let isBanned): try await session.remove(named(name), isBanned: isBanned)
    case .setRole(let name, let role): try await session.setRole(role, of: named(name))
    case .setReady(let isReady, nil): try await session.setReadyToStart(isReady)
    case .setReady(let isReady, let name?):
      try await session.setReadyToStart(isReady, for: named(name))
    case .countdown(true): session.startWhenAllAreReady()
    case .countdown(false): session.cancelStart()
    case .setControl(let policy): try await session.setControlPolicy(policy)
    case .setWaiting(let waiting): try await session.setWaitingPolicy(waiting.policy)
    case .say(let text): try await messenger.say(text)
    case .tell(let name, let text):
      _ = try named(name)
      let people = session.activeParticipants.current.filter { $0.name == name }
      try await messenger.say(text, to: .only(Set(people)))
    case .invite(let people, let lifetime):
      try await session.invite(people.map { UserID($0) }, for: lifetime)
    case .revokeInvitations(let people):
      try await session.revokeInvitations(of: people.map { UserID($0) })
    default: break
    }
  }

  // MARK: Playback

  private func steer(_ verb: Verb) async throws {
    let coordinator = PlaybackCoordinator(session: try session())
    switch verb {
    case .play(let isImmediate): try await coordinator.play(immediately: isImmediate)
    case .pause: try await coordinator.pause()
    case .seek(let position): try await coordinator.seek(to: position)
    case .setRate(let rate): try await coordinator.setRate(rate.factor)
    case .suspend(let reason): _ = try await coordinator.beginSuspension(for: reason)
    case .resume(let position):
      guard let last = await coordinator.suspensions().last else {
        throw NotNow("unknownSuspension")
      }
      try await last.end(proposingNewTime: position)
    default: break
    }
  }

  private func carryOut(_ instruction: QueueInstruction, on queue: SharedQueue) async throws {
    func entry(_ name: String) throws -> EntryID {
      let entries = queue.state.current.entries
      guard let entry = entries.first(where: { $0.media.item.text == name }) else {
        throw NotNow("unknownEntry")
      }
      return entry.id
    }
    switch instruction {
    case .add(let name, let isNext):
      guard let media = media(name) else { throw NotNow("unknownEntry") }
      try await isNext ? queue.insertNext(media) : queue.add(media)
    case .move(let name, after: nil): try await queue.moveToEnd(entry(name))
    case .move(let name, after: let other?):
      try await queue.move(entry(name), after: entry(other))
    case .remove(let name): try await queue.remove(entry(name))
    case .select(let name): try await queue.select(entry(name))
    case .clear: try await queue.clear()
    case .next: try await queue.next()
    case .previous: try await queue.previous()
    case .setRepeat(let mode): try await queue.setRepeatMode(mode)
    case .setAutoAdvance(let isOn): try await queue.setAutoAdvancing(isOn)
    case .shuffle: try await queue.setShuffled(true)
    case .unshuffle: try await queue.setShuffled(false)
    }
  }

  // MARK: Notifications

  private func attend(_ verb: Verb) async throws {
    let center = client.notifications
    switch verb {
    case .register: try await center.register()
    case .unregister: try await center.unregister()
    case .subscribe(.topic(let topic)): try await center.subscribe(to: topic)
    case .unsubscribe(.topic(let topic)): try await center.unsubscribe(from: topic)
    case .publish(let topic, let text):
      try await center.publish(to: topic, .init(body: .init(text)))
    default: break
    }
  }
}

extension ShareAnswer: ActivationPrompt {
  /// Answers as the verb says.
  package func choose(
    _ metadata: GroupActivityMetadata, in group: GroupSummary
  ) async -> ShareChoice {
    switch self {
    case .share: .share(remembers: false)
    case .me: .onlyMe(remembers: false)
    case .cancel: .cancel
    }
  }
}
