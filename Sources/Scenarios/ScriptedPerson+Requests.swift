import GroupSessions
import InAppMessaging
package import Participation
import Playback
import UserNotifications
import Vocabulary
import Wire

extension ScriptedPerson {
  func media(_ name: String) -> MediaItem? {
    scenario.item(name).map {
      MediaItem(
        item: ItemID($0.name), title: $0.name, url: $0.url, interstitials: $0.interstitials)
    }
  }

  /// The media with this name; without a name, the scenario's first item.
  func media(_ name: String?) -> MediaItem? {
    (name ?? scenario.items.first?.name).flatMap { media($0) }
  }

  func activation(of activity: GroupActivity, _ manner: ActivationManner) -> Activation {
    Activation(
      activity, ifBusy: manner.isReplacing ? .replace : .fail, control: manner.control,
      waitingPolicy: (manner.waiting ?? scenario.waiting).policy,
      initialTiming: manner.position.map { ProposedTiming(mediaTime: $0) },
      oneDevicePerUser: manner.oneDevicePerUser, hasAudience: manner.hasAudience)
  }

  func activity(_ media: MediaItem) -> GroupActivity {
    GroupActivity(
      type: "matinee.film", payload: JSONText(validated: "{}"),
      metadata: GroupActivityMetadata(type: .watchTogether, title: media.title ?? media.url),
      media: media)
  }

  /// The request for a verb; `nil`, with a refusal, if something is missing.
  mutating func request(for verb: Verb, with client: Client) -> Request? {
    switch verb {
    case .joinGroup(let name): return .joinGroup(GroupID(name ?? scenario.group))
    case .leaveGroup: return .leaveGroup
    case .closeGroup: return .closeGroup()
    case .setSharing(let isSharing): return .setSharing(isSharing)
    case .prefer(let choice):
      return .setPreferredDevice(choice == .me ? client.settings.device : nil)
    case .join:
      guard let id = client.offer?.session ?? client.group?.session else {
        return refuse("noOffer")
      }
      return .join(id, handoffFrom: nil)
    case .decline:
      guard let id = client.offer?.session else { return refuse("noOffer") }
      return .decline(id)
    case .begin, .withdraw:
      guard let offer = client.offer, offer.isStaged else { return refuse("nothingStaged") }
      return verb == .begin ? .activateStaged(offer.session) : .withdraw(offer.session)
    case .leave: return .leave(nil)
    case .unregister, .subscribe, .unsubscribe, .publish, .push, .invite, .revokeInvitations:
      return notificationRequest(for: verb, with: client)
    default: break
    }
    guard let session = client.session else { return refuse("notJoined") }
    return playbackRequest(for: verb, session, client) ?? sessionRequest(for: verb, session)
  }

  private func playbackRequest(
    for verb: Verb, _ session: GroupSession, _ client: Client
  ) -> Request? {
    guard let item = session.activity.media?.item else { return nil }
    switch verb {
    case .play(let isImmediate):
      return .playback(nil, .play(item, rate: nil, immediately: isImmediate))
    case .pause: return .playback(nil, .pause(item, at: nil))
    case .seek(let position): return .playback(nil, .seek(item, to: position))
    case .setRate(let rate): return .playback(nil, .setRate(item, rate))
    case .suspend(let reason): return .playback(nil, .suspend(reason))
    case .resume(let position):
      let me = client.participantID.flatMap { session.playback.participants[$0] }
      // 0 is not the number of any suspension, so the server answers that there is none.
      let id = me?.suspensions.last { !$0.isImposed }?.id ?? 0
      return .playback(nil, .endSuspension(id, proposing: position))
    default: return nil
    }
  }

  private mutating func sessionRequest(for verb: Verb, _ session: GroupSession) -> Request? {
    switch verb {
    case .end: return .end(nil)
    case .kick(let name, let isBanned):
      guard let id = session.participant(named: name) else { return refuse("unknownParticipant") }
      return .remove(nil, id, isBanned: isBanned)
    case .setRole(let name, let role):
      guard let id = session.participant(named: name) else { return refuse("unknownParticipant") }
      return .setRole(nil, id, role)
    case .setReady(let isReady, nil): return .setReadyToStart(nil, isReady)
    case .setReady(let isReady, let name?):
      guard let id = session.participant(named: name) else { return refuse("unknownParticipant") }
      return .setReadyToStart(nil, isReady, of: id)
    case .setControl(let policy): return .setControl(nil, policy)
    case .setWaiting(let waiting): return .setWaitingPolicy(nil, waiting.policy)
    case .say(let text):
      return .send(nil, ChatLine.payload(text), to: .all)
    case .tell(let name, let text):
      let ids = session.participants.values.filter { $0.name == name }.map(\.id)
      guard !ids.isEmpty else { return refuse("unknownParticipant") }
      return .send(nil, ChatLine.payload(text), to: .only(ids))
    case .item(let name):
      return media(name).map { .setActivity(nil, activity($0), ifRevision: nil) }
    case .queue(let verb):
      guard let command = command(for: verb, session.queue) else { return refuse("unknownEntry") }
      return .queue(nil, command)
    default: return nil
    }
  }

  private func command(for verb: QueueInstruction, _ queue: Queue) -> QueueCommand? {
    func entry(_ name: String) -> EntryID? {
      queue.entries.first { $0.media.item.text == name }?.id
    }
    switch verb {
    case .add(let name, let isNext):
      return media(name).map { .insert([$0], at: isNext ? .next : .end) }
    case .move(let name, let other):
      guard let id = entry(name) else { return nil }
      guard let other else { return .move(id, to: .end) }
      return entry(other).map { .move(id, to: .after($0)) }
    case .remove(let name): return entry(name).map { .remove($0) }
    case .select(let name): return entry(name).map { .select($0) }
    case .clear: return .clear
    case .next: return .next(from: queue.current)
    case .previous: return .previous(from: queue.current)
    case .setRepeat(let mode): return .setRepeat(mode)
    case .setAutoAdvance(let isOn): return .setAutoAdvance(isOn)
    case .shuffle: return .shuffle(seed: 0)
    case .unshuffle: return .unshuffle
    }
  }
}

extension GroupSession {
  fileprivate func participant(named name: String) -> ParticipantID? {
    participants.values.first { $0.name == name }?.id
  }
}

// A person's app and its in-app messages: it shows each message at once, without animations.

extension ScriptedPerson {
  func addMessages(to settings: inout ClientSettings) {
    settings.platform = PlatformState()
    settings.mediaEvent = Self.mediaEvent
    // Videos that a stage generates are files on this machine.
    settings.presenter.mediaURLs.allowsFiles = true
  }

  /// The event that the shipped player's campaign waits for; the name comes from Braze's guide.
  private static let mediaEvent = "SharePlay Event"

  /// The acts that answer the presenter and the notification centre; a person agrees to everything.
  package func answer(_ update: Client.Update) -> [Act] {
    if case .center(let output) = update { return answer(output) }
    guard case .presenter(let output) = update else { return [] }
    return switch output {
    case .ask(let question, let token): [.tell(.presenter(question.agreement(token)))]
    case .view(.show, let token): [.tell(.presenter(.view(.presented, token)))]
    case .view(.dismiss, let token): [.tell(.presenter(.view(.dismissed, token)))]
    case .view, .statusBar, .hold, .tell, .perform, .report, .session, .answer, .lease, .warn: []
    }
  }

  /// The acts when the app becomes visible or hidden.
  func setVisible(_ isVisible: Bool, _ client: Client) -> [Act] {
    var platform = client.presenter.platform
    platform.isVisible = isVisible
    return [
      .tell(.presenter(.platform(platform))),
      .tell(.center(.phase(isVisible ? .foreground : .background))),
    ]
  }

  /// The client input for a verb about messages; `nil`, with a refusal, if there is no message on
  /// screen.
  mutating func input(for verb: Verb, _ client: Client) -> Client.Input? {
    switch verb {
    case .logEvent(let name): return .log(.event(name: name, properties: [:]))
    case .presentNext: return .presenter(.presentNext(PresentNextTag(0)))
    default: break
    }
    guard client.presenter.visibleMessage != nil, let token = client.presenter.currentToken else {
      return refuse("noMessage")
    }
    switch verb {
    case .dismissMessage: return .presenter(.view(.closed(.button), token))
    case .clickMessage(let button):
      return .presenter(.view(.clicked(button: button), token))
    default: return nil
    }
  }
}
