import MatineeClient
import Scenarios
import Stages

/// Carries out a person's verbs on the client, as an app does for its buttons.
@MainActor
final class JoinPerson {
  private let client: GroupWatchClient
  private let keys: JoinKeys
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
  private var mirrors: [SessionPart: Observed<StateMirror?>] = [:]
  /// What the group is told of the person's files.
  private let privacy: FilePrivacy
  /// The media that the person named, the earliest first.
  private var media: [OwnMedia] = []
  /// What the player plays for this person only; `nil` for nothing.
  private var alone: MediaItem?

  init(
    _ client: GroupWatchClient, in group: GroupID, _ privacy: FilePrivacy, _ keys: JoinKeys,
    _ sessions: SessionTeller, _ messages: JoinMessages, _ notifications: JoinNotifications,
    _ voice: JoinVoice
  ) {
    self.client = client
    self.keys = keys
    self.group = group
    self.privacy = privacy
    self.sessions = sessions
    self.messages = messages
    self.notifications = notifications
    self.voice = voice
  }

  /// Registers media that the person names, a URL or a local file, and returns what the group is
  /// told of it.
  ///
  /// Each person plays their own copy of a file from its own path, which stays on this device.
  @discardableResult
  func bring(_ text: String) -> MediaItem { own(text).item }

  private func own(_ text: String) -> OwnMedia {
    let index = media.firstIndex { $0.isNamed(text) }
    let number = index.map { media[$0].number } ?? media.count { $0.path != nil } + 1
    var own = OwnMedia(text, privacy, number: number)
    if let index, !own.replaces(media[index], as: text) { own = media[index] }
    // Also for one that is known: a copy that was not there may be there by now.
    if let path = own.path {
      for id in Set(own.identifiers) { client.player.setOwnCopy(of: id, at: path) }
    }
    if let index { media[index] = own } else { media.append(own) }
    return own
  }

  /// What to tell a person who names a file that is not there; `nil` for one that is, and for an
  /// address.
  func absence(of text: String) -> String? {
    let named = OwnMedia(text, privacy)
    let known = media.first { $0.isNamed(text) }
    let own = known.map { named.replaces($0, as: text) ? named : $0 } ?? named
    return own.absence(as: text)
  }

  /// Whether the session watches this media already, of which the person names their own copy.
  private func isOn(_ name: String?) -> Bool {
    guard let name else { return false }
    let earlier = media.first { $0.isNamed(name) }
    return hasSharedName(name) && earlier.map(own(name).isOther(than:)) != true
  }

  /// Whether what the session watches has the name of this media.
  private func hasSharedName(_ name: String?) -> Bool {
    guard let name, let shared = sessions.joined?.activity.media else { return false }
    return own(name).isShared(as: shared)
  }

  /// Notes that the session has replaced what the person watched alone.
  func noteJoined() { alone = nil }

  /// The line about what the person watches alone; none if they do not.
  func aloneLines() async -> [String] {
    guard sessions.joined == nil, let alone else { return [] }
    let line = "you watch alone: \(alone.quotedTitle)"
    guard let reading = await client.player.reading() else { return [line] }
    let deed = reading.isRunning ? "playing" : "paused"
    return ["\(line), \(deed) at \(reading.position.clockText)"]
  }

  /// Starts the media that the person brought, unless the group watches something by now.
  func start(_ brought: MediaItem) {
    let verb = Verb.activate(item: brought.item.text, answer: .share, manner: .init()).withAudience
    voice.begin()
    voice.attempt {
      guard self.sessions.awaitsMedia || !self.sessions.isOccupied else { return }
      do {
        try await self.carryOut(verb)
      } catch let error as GroupWatchError where error.code == .activityInProgress {
        // Somebody was quicker; their offer is on its way.
      } catch is NotNow {
        // Their offer is here, but this device has not joined yet.
      }
    }
  }

  /// What to tell a person who brought media and joined a session of other media; `nil` for nothing.
  func regret(of brought: MediaItem) -> String? {
    guard let session = sessions.joined, !session.isLocallyInitiated,
      let shared = session.activity.media, !shared.url.hasPrefix(MediaItem.hiddenName),
      !hasSharedName(brought.item.text)
    else { return nil }
    return "\(shared.quotedTitle) is on already; `activate` puts yours on"
  }

  /// Fills in the observable effects of the person's verbs.
  func fill(_ seen: inout Observation) {
    seen.outcome = outcome
    if isJoining { seen.session = .joining }
    for (part, mirror) in mirrors { notifications.news.follow(part, mirror.current) }
  }

  /// Carries out a verb; a failure is printed.
  func perform(_ verb: Verb) {
    let verb = verb.withAudience
    voice.begin()
    notifications.news.forgetNews()
    if let absence = verb.mediaName.flatMap(absence) { voice.say(absence) }
    // Leaving does not wait behind requests to an unreachable server.
    // Nor does steering offline, which moves this device's player only, and later would move all.
    let isOffline = sessions.joined != nil && client.connection.current != .online
    if verb == .leave || isOffline && verb.steers {
      return voice.attemptAtOnce { try await self.carryOut(verb) }
    }
    voice.attempt { try await self.carryOut(verb) }
  }

  private func carryOut(_ verb: Verb) async throws {
    if verb.startsFirstMedia, media.isEmpty { throw NotNow("noMedia") }
    switch verb {
    case .joinGroup(let name) where name == nil || name == group.text: try await keys.enter()
    case .leaveGroup, .closeGroup, .joinGroup:
      keys.noteLeaving()
      try await verbs(for: verb).carryOut(verb)
    // What the group knows of it, such as its size, stays that of whoever put it on.
    case .activate(let name, .share, let manner) where isOn(name):
      tellIdle(manner.isPlain && !manner.isReplacing)
      outcome = AppVerbs.Activation.shared.name
    case .item(let name) where isOn(name): break
    // The library takes what has the same name for the same activity.
    case .activate(let name, .share, let manner)
    where sessions.awaitsMedia || hasSharedName(name):
      tellIdle(manner.isPlain)
      guard let name = name ?? media.first?.item.item.text else { throw NotNow("noMedia") }
      outcome = AppVerbs.Activation.shared.name
      try await verbs(for: verb).carryOut(.item(name))
    case .activate(_, let answer, let manner):
      if sessions.joined != nil { tellIdle(manner.isPlain) }
      try await activate(verb, answer, manner)
    case .join:
      isJoining = true
      defer { isJoining = false }
      try await verbs(for: verb).carryOut(verb)
    case .logEvent(let name): client.inAppMessages.logEvent(name)
    case .presentNext: _ = await client.inAppMessages.presentNext()
    case .dismissMessage: try messages.report(.closed(.button))
    case .clickMessage(let button): try messages.report(.clicked(button: button))
    case .setVisible(let isVisible):
      client.inAppMessages.platform.isVisible = isVisible
      client.notifications.phase = isVisible ? .foreground : .background
    case .subscribe(.part), .unsubscribe(.part), .reply, .tapNotification, .dismissNotification,
      .answerInvitation(_, byToken: false):
      try await attend(verb)
    case .push, .answerInvitation, .setRunning, .stall, .press, .cutNetwork, .restoreNetwork,
      .setNetwork, .stallNetwork:
      voice.say("that verb is for scenarios: see matinee demo --help")
    default:
      if alone != nil, sessions.joined == nil, steerAlone(verb) { return }
      try await verbs(for: verb).carryOut(verb.naming(told))
    }
  }

  /// The identifier under which the group knows media that the person named; any other name as it
  /// is.
  private func told(_ name: String) -> String {
    media.first { $0.isNamed(name) }?.item.item.text ?? name
  }

  // MARK: Sessions

  /// The session that this device can join or begin.
  private var offer: JoinedSession? {
    sessions.session.flatMap { [.waiting, .staged].contains($0.state.current) ? $0 : nil }
  }

  /// Carries out this verb, with the media that it names; without a name, the first that was named.
  private func verbs(for verb: Verb) -> AppVerbs {
    let media = verb.mediaName.map { bring($0) } ?? self.media.first?.item
    return AppVerbs(client, group: group, joined: sessions.joined, offer: offer) { _ in media }
  }

  /// Tells that an activation's options change nothing because the session goes on.
  private func tellIdle(_ isPlain: Bool) {
    guard !isPlain else { return }
    voice.say("the session goes on without the options; `seek`, `control` and `waiting` change it")
  }

  private func activate(
    _ verb: Verb, _ answer: ShareAnswer, _ manner: ActivationManner
  ) async throws {
    let result = try await verbs(for: verb).activate(nil, answer, manner) { await self.note($0) }
    if case .elsewhere? = result { voice.say("it starts on your other device") }
  }

  private func note(_ decision: AppVerbs.Activation) {
    outcome = decision.name
    guard case .alone(let media) = decision else { return }
    alone = media
    voice.say("you watch alone: \(media.quotedTitle)")
    client.player.load(media)
    client.inAppMessages.logMedia(media)
  }

  // MARK: Playback

  private func steerAlone(_ verb: Verb) -> Bool {
    switch verb {
    case .play:
      client.player.play()
      voice.say("playing")
    case .pause:
      client.player.pause()
      voice.say("paused")
    case .seek(let position):
      client.player.seek(to: position)
      voice.say("at \(position.clockText)")
    case .setRate(let rate):
      client.player.setRate(rate.factor)
      voice.say("at \(rate.factor)×")
    default: return false
    }
    return true
  }

  // MARK: Notifications

  private func attend(_ verb: Verb) async throws {
    let center = client.notifications
    switch verb {
    case .subscribe(.part(let part)):
      mirrors[part] = try await center.follow(ServerObject.part(part, of: verbs(for: verb).known()))
    case .unsubscribe(.part(let part)):
      mirrors[part] = nil
      try await center.unfollow(ServerObject.part(part, of: verbs(for: verb).known()))
    case .answerInvitation(.accepted, _): try notifications.act(ActionIdentifier.accept)
    case .answerInvitation(.declined, _): try notifications.act(ActionIdentifier.decline)
    case .reply(let text): try notifications.act(ActionIdentifier.reply, text: text)
    case .tapNotification: try notifications.tapNewest()
    case .dismissNotification: try notifications.dismissNewest()
    default: break
    }
  }
}

extension Verb {
  /// Whether it steers playback, of this device alone while its connection is down.
  fileprivate var steers: Bool {
    switch self {
    case .play, .pause, .seek, .setRate: true
    default: false
    }
  }

  /// The verb with an audience for the session that it starts, as on the page.
  fileprivate var withAudience: Verb {
    switch self {
    case .activate(let name, let answer, var manner):
      manner.hasAudience = true
      return .activate(item: name, answer: answer, manner: manner)
    case .stage(let name, var manner):
      manner.hasAudience = true
      return .stage(item: name, manner: manner)
    default: return self
    }
  }

  /// Whether it starts the first media that the person named.
  fileprivate var startsFirstMedia: Bool {
    switch self {
    case .activate(nil, _, _), .stage(nil, _): true
    default: false
    }
  }

  /// The media that the verb names, which a group may not know yet.
  fileprivate var mediaName: String? {
    switch self {
    case .activate(let name, _, _), .stage(let name, _): name
    case .item(let name), .queue(.add(let name, _)): name
    default: nil
    }
  }

  /// The verb with other names for the entries of the queue that it is about.
  fileprivate func naming(_ told: (String) -> String) -> Verb {
    switch self {
    case .queue(.move(let name, let other)): .queue(.move(told(name), after: other.map(told)))
    case .queue(.remove(let name)): .queue(.remove(told(name)))
    case .queue(.select(let name)): .queue(.select(told(name)))
    default: self
    }
  }
}

extension ActivationManner {
  /// Whether no option asks for a session of another kind; every session here has an audience.
  fileprivate var isPlain: Bool {
    self == ActivationManner(isReplacing: isReplacing, hasAudience: hasAudience)
  }
}

extension MediaItem {
  /// Its title, or its address, in quotation marks.
  fileprivate var quotedTitle: String { "“\(title ?? url)”" }
}
