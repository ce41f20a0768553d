import Foundation
import MatineeClient
import Scenarios

/// Carries out a person's verbs on the client, as an app does for its buttons.
@MainActor
final class JoinPerson {
  private let client: GroupWatchClient
  private let sessions: SessionTeller
  private let messages: JoinMessages
  private let notifications: JoinNotifications
  private let voice: JoinVoice
  private let group: GroupID
  /// The outcome of the last activation.
  private var outcome: String?
  /// Whether a join is under way.
  private var isJoining = false
  /// The followed parts of the session.
  private var mirrors: [SessionObject.Part: Observed<StateMirror?>] = [:]
  /// The media that the person named, the earliest first.
  private var media: [MediaItem] = []
  /// Whether the player plays for this person only, because they chose not to share.
  private var isAlone = false

  init(
    _ client: GroupWatchClient, in group: GroupID, _ sessions: SessionTeller,
    _ messages: JoinMessages, _ notifications: JoinNotifications, _ voice: JoinVoice
  ) {
    self.client = client
    self.group = group
    self.sessions = sessions
    self.messages = messages
    self.notifications = notifications
    self.voice = voice
  }

  /// Registers media that the person names: a URL or a local file.
  ///
  /// The group identifies a file by its name only; each person plays their own copy from its own
  /// path.
  @discardableResult
  func bring(_ text: String) -> MediaItem {
    var (name, place) = (text, text)
    if !text.contains("://") {
      let path = URL(filePath: text).standardizedFileURL
      (name, place) = (path.lastPathComponent, path.path(percentEncoded: false))
    }
    if let known = media.first(where: { $0.item.text == name }) { return known }
    let item = MediaItem(item: ItemID(name), title: name, url: place)
    client.player.setOwnCopy(of: item.item, at: place)
    media.append(item)
    return item
  }

  /// Notes that the session has replaced what the person watched alone.
  func noteJoined() { isAlone = false }

  /// Fills in the observable effects of the person's verbs.
  func fill(_ seen: inout Observation) {
    seen.outcome = outcome
    if isJoining { seen.session = .joining }
    for (part, mirror) in mirrors { notifications.news.follow(part, mirror.current) }
  }

  /// Carries out a verb; a failure is printed.
  func perform(_ verb: Verb) {
    voice.begin()
    notifications.news.forgetNews()
    // Leaving does not wait behind requests to an unreachable server.
    if verb == .leave { return voice.attemptAtOnce { try await self.carryOut(verb) } }
    voice.attempt { try await self.carryOut(verb) }
  }

  private func carryOut(_ verb: Verb) async throws {
    switch verb {
    case .joinGroup(let name): try await client.joinGroup(name.map { GroupID($0) } ?? group)
    case .leaveGroup: try await client.leaveGroup()
    case .closeGroup: try await client.closeGroup()
    case .setSharing(let isSharing): try await client.setSharing(isSharing)
    case .prefer(let choice): try await client.setPreferredDevice(choice == .me)
    case .activate(let name, let answer, let manner): try await activate(name, answer, manner)
    case .stage(let name, let manner):
      guard let activity = try named(name).map(film) else { return }
      try await activity.stage(
        on: client, ifBusy: manner.isReplacing ? .replace : .fail, at: manner.position,
        control: manner.control, waitingPolicy: manner.waitingPolicy,
        oneDevicePerPerson: manner.oneDevicePerUser)
    case .join: try await join()
    case .decline: try await offered().decline()
    case .begin: try await staged().activateStaged()
    case .withdraw: try await staged().withdraw()
    case .leave: await sessions.session?.leave()
    case .play, .pause, .seek, .setRate, .suspend, .resume: try await steer(verb)
    case .item, .queue: try await choose(verb)
    case .end, .kick, .setRole, .setReady, .setControl, .setWaiting, .say, .tell, .invite,
      .revokeInvitations:
      try await takePart(verb)
    case .logEvent(let name): client.inAppMessages.logEvent(name)
    case .presentNext: _ = await client.inAppMessages.presentNext()
    case .dismissMessage: try messages.report(.closed(.button))
    case .clickMessage(let button): try messages.report(.clicked(button: button))
    case .setVisible(let isVisible):
      client.inAppMessages.platform.isVisible = isVisible
      client.notifications.phase = isVisible ? .foreground : .background
    case .register, .unregister, .subscribe, .unsubscribe, .publish, .reply, .tapNotification,
      .dismissNotification, .answerInvitation(_, byToken: false):
      try await attend(verb)
    case .push, .answerInvitation, .setRunning, .stall, .press, .cutNetwork, .restoreNetwork,
      .setNetwork, .stallNetwork:
      voice.say("that verb is for scenarios: see matinee demo --help")
    }
  }

  // MARK: Sessions

  /// The session that this device can join or begin.
  private var offer: JoinedSession? {
    sessions.session.flatMap { [.waiting, .staged].contains($0.state.current) ? $0 : nil }
  }

  private func offered() throws -> JoinedSession {
    guard let offer else { throw JoinVoice.NotNow("noOffer") }
    return offer
  }

  private func staged() throws -> JoinedSession {
    guard let session = sessions.session, session.state.current == .staged else {
      throw JoinVoice.NotNow("nothingStaged")
    }
    return session
  }

  private func joined() throws -> JoinedSession {
    guard let session = sessions.joined else { throw JoinVoice.NotNow("notJoined") }
    return session
  }

  private func named(_ name: String) throws -> Participant {
    guard let participant = sessions.people.first(where: { $0.name == name }) else {
      throw JoinVoice.NotNow("unknownParticipant")
    }
    return participant
  }

  /// The media of this name; without a name, the first media that was named.
  private func named(_ name: String?) -> MediaItem? { name.map(bring) ?? media.first }

  private func film(_ media: MediaItem) throws -> AnyGroupActivity {
    try AnyGroupActivity(
      type: "matinee.film", payload: [String: String](),
      metadata: GroupActivityMetadata(kind: "watchTogether", title: media.title ?? media.url),
      media: media)
  }

  /// Joins the offered session or, after declining, the group's current session.
  private func join() async throws {
    isJoining = true
    defer { isJoining = false }
    if let offer {
      try await offer.join()
    } else if let id = client.groupState.group.current?.session {
      try await client.joinSession(id)
    } else {
      throw JoinVoice.NotNow("noOffer")
    }
  }

  /// Handles GroupActivities' three outcomes separately: with the group, alone, or not at all.
  private func activate(
    _ name: String?, _ answer: ShareAnswer, _ manner: ActivationManner
  ) async throws {
    guard let media = named(name) else { return }
    let activity = try film(media)
    switch try await activity.prepareForActivation(on: client, asking: answer) {
    case .alreadyActive: outcome = "activationPreferred"
    case .updatesSession:
      outcome = "activationPreferred"
      try await joined().update(activity: activity)
    case .activationPreferred:
      outcome = "activationPreferred"
      let delivery = try await activity.activate(
        on: client, ifBusy: manner.isReplacing ? .replace : .fail, at: manner.position,
        control: manner.control, waitingPolicy: manner.waitingPolicy,
        oneDevicePerPerson: manner.oneDevicePerUser)
      if case .elsewhere = delivery { voice.say("it starts on your other device") }
    case .activationDisabled:
      outcome = "activationDisabled"
      isAlone = true
      client.player.load(media)
      client.inAppMessages.logMedia(media)
    case .cancelled: outcome = "cancelled"
    }
  }

  private func takePart(_ verb: Verb) async throws {
    let session = try joined()
    let messenger = GroupSessionMessenger(session: session)
    switch verb {
    case .end: try await session.end()
    case .kick(let name, let isBanned): try await session.remove(named(name), isBanned: isBanned)
    case .setRole(let name, let role): try await session.setRole(role, of: named(name))
    case .setReady(let isReady, nil): try await session.setReadyToStart(isReady)
    case .setReady(let isReady, let name?):
      try await session.setReadyToStart(isReady, for: named(name))
    case .setControl(let policy): try await session.setControlPolicy(policy)
    case .setWaiting(let waiting): try await session.setWaitingPolicy(WaitingPolicy(waiting))
    case .say(let text): try await messenger.sendChat(text)
    case .tell(let name, let text):
      _ = try named(name)
      try await messenger.sendChat(text, to: Set(sessions.people.filter { $0.name == name }))
    case .invite(let people, let lifetime):
      try await session.invite(people.map { UserID($0) }, for: lifetime)
    case .revokeInvitations(let people):
      try await session.revokeInvitations(of: people.map { UserID($0) })
    default: break
    }
  }

  // MARK: Playback

  /// Controls the group's playback or, while the person watches alone, the local player.
  private func steer(_ verb: Verb) async throws {
    if isAlone, sessions.joined == nil, steerAlone(verb) { return }
    let coordinator = PlaybackCoordinator(session: try joined())
    switch verb {
    case .play(let isImmediate): try await coordinator.play(immediately: isImmediate)
    case .pause: try await coordinator.pause()
    case .seek(let place): try await coordinator.seek(to: place)
    case .setRate(let rate): try await coordinator.setRate(rate.factor)
    case .suspend(let reason): _ = try await coordinator.beginSuspension(for: reason)
    case .resume(let place):
      guard let last = await coordinator.suspensions().last else {
        throw JoinVoice.NotNow("unknownSuspension")
      }
      try await last.end(proposing: place)
    default: break
    }
  }

  private func steerAlone(_ verb: Verb) -> Bool {
    switch verb {
    case .play: client.player.play()
    case .pause: client.player.pause()
    case .seek(let place): client.player.seek(to: place)
    case .setRate(let rate): client.player.setRate(rate.factor)
    default: return false
    }
    return true
  }

  private func choose(_ verb: Verb) async throws {
    let session = try joined()
    switch verb {
    case .item(let name): try await session.update(activity: film(bring(name)))
    case .queue(let instruction): try await carryOut(instruction, on: session.queue)
    default: break
    }
  }

  private func carryOut(_ instruction: QueueInstruction, on queue: SharedQueue) async throws {
    func entry(_ name: String) throws -> EntryID {
      let entries = queue.state.current.entries
      guard let entry = entries.first(where: { $0.media.item.text == name }) else {
        throw JoinVoice.NotNow("unknownEntry")
      }
      return entry.id
    }
    switch instruction {
    case .add(let name, isNext: false): try await queue.add(bring(name))
    case .add(let name, isNext: true): try await queue.insertNext(bring(name))
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
    case .subscribe(.part(let part)):
      mirrors[part] = try await center.follow(SessionObject(part, of: known()))
    case .unsubscribe(.part(let part)):
      mirrors[part] = nil
      try await center.unfollow(SessionObject(part, of: known()))
    case .publish(let topic, let text):
      try await center.publish(to: topic, .init(body: .init(text)))
    case .answerInvitation(.accepted, _): try notifications.act(ActionIdentifier.accept)
    case .answerInvitation(.declined, _): try notifications.act(ActionIdentifier.decline)
    case .reply(let text): try notifications.act(ActionIdentifier.reply, text: text)
    case .tapNotification: try notifications.tapNewest()
    case .dismissNotification: try notifications.dismissNewest()
    default: break
    }
  }

  /// The session that this device knows about.
  private func known() throws -> SessionID {
    guard let id = (sessions.joined ?? offer)?.id ?? client.groupState.group.current?.session else {
      throw JoinVoice.NotNow("noOffer")
    }
    return id
  }
}

extension ShareAnswer: ActivationPrompt {
  /// Answers as the verb says.
  func choose(_ metadata: GroupActivityMetadata, in group: GroupSummary) async -> ShareChoice {
    switch self {
    case .share: .share(remembers: false)
    case .me: .onlyMe(remembers: false)
    case .cancel: .cancel
    }
  }
}

extension ActivationManner {
  fileprivate var waitingPolicy: WaitingPolicy { WaitingPolicy(waiting ?? .keepGoing) }
}

extension WaitingPolicy {
  fileprivate init(_ waiting: Scenario.Waiting) {
    self = waiting == .together ? .together : .keepGoing
  }
}
