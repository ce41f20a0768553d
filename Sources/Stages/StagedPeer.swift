import EventLoops
import MatineeClient
import Participation
import Players
import Scenarios
import UserNotifications
import Vocabulary

/// One person: an app with the public client over its own poor network, and a player.
///
/// Confined to its loop's thread.
final class StagedPeer {
  private let profile: ScenarioPeer
  private let scenario: Scenario
  private let proxy: DelayProxy
  private let security: ConnectionSecurity
  private let loop: EventLoop
  private let makePlayer: (StagedPeer) -> StagePlayer
  /// Called once if the player closes.
  private let onFailure: (String) -> Void
  private var mailbox: LoopMailbox<StagedPeer>?
  private var app: StagedApp?
  private var player: StagePlayer?
  private var sessions: [JoinedSession] = []
  private var mirrors: [SessionPart: Observed<StateMirror?>] = [:]
  /// The latest answer by token, which may be under way.
  private var tokenAnswer: Task<Void, Never>?
  /// The media that the person watches alone.
  private var aloneItem: MediaItem?
  private var outcome: String?
  private var isJoining = false
  /// Whether the app has left for good.
  private(set) var hasLeft = false
  private var onLeave: (() -> Void)?
  /// Why the last verb was not performed, or the error code of its request.
  var refusal: String?
  /// What was said in the session, the oldest first.
  var heard: [String] = []
  /// The person's notifications.
  var tray = StagedTray()

  init(
    _ profile: ScenarioPeer, in scenario: Scenario, through proxy: DelayProxy,
    under security: ConnectionSecurity, on loop: EventLoop, seed: UInt64, settings: MpvSettings,
    onPlayer: @escaping (_ socketPath: String) -> Void, onFailure: @escaping (String) -> Void
  ) throws(UVError) {
    self.profile = profile
    self.scenario = scenario
    self.proxy = proxy
    self.security = security
    self.loop = loop
    self.onFailure = onFailure
    makePlayer = { peer in
      StagePlayer(
        profile.player, settings: settings, in: scenario, seed: seed, on: loop, delegate: peer,
        onLoad: { [unowned peer] in peer.didLoad($0) }, onStart: onPlayer)
    }
    mailbox = try LoopMailbox(on: loop, context: self)
    startApp()
  }

  // MARK: The app

  private var endpoint: Endpoint { Endpoint(host: "127.0.0.1", port: proxy.localPort) }

  private func startApp() {
    guard let mailbox else { return }
    sessions = []
    mirrors = [:]
    do {
      app = try StagedApp(profile, in: scenario, at: endpoint, under: security, mailbox)
      player = makePlayer(self)
    } catch {
      onFailure("\(profile.name): the app cannot start: \(error)")
    }
  }

  /// Ends the app but keeps its client, so that its last state can still be observed.
  private func endApp() {
    app?.close()
    player?.close()
    player = nil
  }

  /// Ends the app for good, and calls back once the server has been told.
  func leave(within patience: Duration, _ completion: @escaping () -> Void) {
    tokenAnswer?.cancel()
    player?.close()
    player = nil
    onLeave = completion
    guard let app, let mailbox, tray.isRunning else { return noteLeft() }
    app.leave(within: patience) { mailbox.post { $0.noteLeft() } }
  }

  private func noteLeft() {
    hasLeft = true
    onLeave?()
    onLeave = nil
  }

  func close() {
    tokenAnswer?.cancel()
    mailbox?.close()
    mailbox = nil
  }
}

// MARK: What the app hears

extension StagedPeer {
  /// Takes in a session that is offered here, or that this device joined again.
  func follow(_ session: JoinedSession, in app: StagedApp) {
    guard app === self.app else { return }
    sessions.append(session)
    app.listen(to: session)
  }

  /// Takes in the notifications that stand now.
  func stand(_ notifications: [UserNotification], in app: StagedApp) {
    guard app === self.app, tray.isRunning else { return }
    tray.stand(notifications)
  }

  func hear(_ event: NotificationEvent, in app: StagedApp) {
    guard app === self.app, tray.isRunning else { return }
    switch event {
    case .shown(let shown): tray.show(shown.notification)
    case .removed(let ids):
      tray.remove(ids, from: app.client.notifications.delivered.current)
    // The person agrees to everything.
    case .unlocks: app.client.notifications.isLocked = false
    case .reportLost(_, .responded, let error?): refusal = error.code.description
    case .badge, .opens, .warning, .reportLost, .missed: break
    }
  }

  /// Obeys the client, which drives the app's player.
  func obey(_ action: PlayerAction, of control: StagedControl) {
    guard control === app?.control else { return }
    switch action {
    case .load(let url): player?.load(url, startingAt: nil)
    case .unload: player?.unload()
    case .play(let rate): player?.perform(.play(rate: rate))
    case .pause: player?.perform(.pause)
    case .seek(let position): player?.perform(.seek(to: position))
    case .setRate(let rate): player?.perform(.setRate(rate))
    }
  }
}

extension StagedPeer: PlayerDelegate {
  func player(_ player: any Player, didSend event: PlayerEvent, at moment: HostTime) {
    app?.control.report(event, at: loop.now)
  }

  func player(_ player: any Player, didClose reason: PlayerCloseReason) {
    app?.control.report(reason)
    onFailure("\(profile.name): the player is gone: \(reason)")
  }
}

// MARK: Observing

extension StagedPeer {
  private var joined: JoinedSession? { sessions.last { $0.state.current == .joined } }

  private var offer: JoinedSession? {
    sessions.last { [.waiting, .staged].contains($0.state.current) }
  }

  func observe(at now: HostTime) -> Observation {
    noteJoined()
    var seen = Observation()
    (seen.outcome, seen.refusal, seen.heard) = (outcome, refusal, heard)
    for (part, mirror) in mirrors { tray.follow(part, mirror.current) }
    tray.fill(&seen)
    if let app { seen.fill(app.client) }
    seen.session = sessionState
    if let joined { seen.fill(joined) }
    seen.player = player.flatMap { player in
      player.position(at: now).map {
        Observation.Player(position: $0, isRunning: player.isRunning, commands: player.commands)
      }
    }
    return seen
  }

  /// The session replaces what the person watched alone.
  private func noteJoined() {
    if joined != nil { aloneItem = nil }
  }

  private var sessionState: Observation.Session {
    if joined != nil { return .joined }
    if isJoining { return .joining }
    if let offer { return offer.state.current == .staged ? .staged : .offered }
    guard let last = sessions.last, case .invalidated(let reason) = last.state.current else {
      return .none
    }
    let people = last.activeParticipants.current
    return reason.observed { id in people.first { $0.id == id }?.name }
  }
}

// MARK: Verbs

extension StagedPeer {
  func perform(_ verb: Verb) {
    refusal = nil
    tray.forgetNews()
    noteJoined()
    if carryOutOnNetwork(verb) { return }
    switch verb {
    case .answerInvitation(let answer, byToken: true): answerByToken(answer)
    case .setRunning(let isRunning): setRunning(isRunning)
    case _ where !tray.isRunning: refusal = "notRunning"
    case .press(let key): player?.press(key)
    case .stall(let time): player?.stall(for: time)
    default:
      guard let app else { return }
      if joined == nil, aloneItem != nil, steerAlone(verb) { return }
      if attend(verb, app) || message(verb, app) { return }
      ask(verb, app)
    }
  }

  private func carryOutOnNetwork(_ verb: Verb) -> Bool {
    switch verb {
    case .cutNetwork: proxy.cut()
    case .restoreNetwork: proxy.restore()
    case .setNetwork(let conditions): proxy.conditions = conditions
    case .stallNetwork(let time): proxy.stall(for: time)
    default: return false
    }
    return true
  }

  private func setRunning(_ isRunning: Bool) {
    guard tray.isRunning != isRunning else {
      refusal = isRunning ? "runsAlready" : "notRunning"
      return
    }
    guard isRunning else {
      tray.isRunning = false
      return endApp()
    }
    tray.restart()
    startApp()
    if tray.isRegistered, let app { ask(.register, app) }
  }

  private func didLoad(_ item: ItemID) {
    if aloneItem?.item == item { player?.perform(.play(rate: 1)) }
  }

  private func steerAlone(_ verb: Verb) -> Bool {
    switch verb {
    case .play: player?.perform(.play(rate: 1))
    case .pause: player?.perform(.pause)
    case .seek(let position): player?.perform(.seek(to: position))
    case .setRate(let rate): player?.perform(.setRate(rate.factor))
    default: return false
    }
    return true
  }

  /// Sends the verb's requests with the client.
  private func ask(_ verb: Verb, _ app: StagedApp) {
    guard let mailbox else { return }
    let scenario = scenario
    let verbs = AppVerbs(
      app.client, group: GroupID(scenario.group), joined: joined, offer: offer,
      waiting: scenario.waiting
    ) { scenario.media($0) }
    switch verb {
    case .activate(let name, let answer, let manner):
      app.attempt {
        _ = try await verbs.activate(name, answer, manner) { decision in
          mailbox.post { $0.note(decision) }
        }
      }
    case .join:
      isJoining = true
      app.attempt {
        defer { mailbox.post { $0.isJoining = false } }
        try await verbs.carryOut(verb)
      }
    case .leave: app.attemptAtOnce { try await verbs.carryOut(verb) }
    case .push(let person, let text):
      app.attempt { [center = app.client.notifications] in
        let payload = NotificationPayload(.init(body: .init(text)))
        try await center.push(to: UserID(person), payload, key: Scenario.administratorKey)
      }
    case .subscribe(.part(let part)):
      app.attempt { [center = app.client.notifications] in
        let mirror = try await center.follow(ServerObject.part(part, of: verbs.known()))
        mailbox.post { $0.mirrors[part] = mirror }
      }
    case .unsubscribe(.part(let part)):
      mirrors[part] = nil
      tray.follow(part, nil)
      app.attempt { [center = app.client.notifications] in
        try await center.unfollow(ServerObject.part(part, of: verbs.known()))
      }
    default:
      if verb == .register { tray.isRegistered = true }
      if verb == .unregister { tray.isRegistered = false }
      app.attempt { try await verbs.carryOut(verb) }
    }
  }

  private func note(_ decision: AppVerbs.Activation) {
    outcome = decision.name
    guard case .alone(let media) = decision else { return }
    aloneItem = media
    player?.load(media.url, startingAt: nil)
  }

  private func message(_ verb: Verb, _ app: StagedApp) -> Bool {
    switch verb {
    case .setVisible(let isVisible):
      app.client.inAppMessages.platform.isVisible = isVisible
      app.client.notifications.phase = isVisible ? .foreground : .background
    case .logEvent(let name): app.client.inAppMessages.logEvent(name)
    case .presentNext:
      app.attempt { [messages = app.client.inAppMessages] in _ = await messages.presentNext() }
    case .dismissMessage:
      app.attempt { [view = app.view, messages = app.client.inAppMessages] in
        let id = try view.report(.closed(.button))
        // What the person does next they do once the message is gone.
        for await visible in messages.visible.values where visible?.id != id { return }
      }
    case .clickMessage(let button):
      app.attempt { [view = app.view] in _ = try view.report(.clicked(button: button)) }
    default: return false
    }
    return true
  }

  /// Responds to a notification, as its person.
  private func attend(_ verb: Verb, _ app: StagedApp) -> Bool {
    let center = app.client.notifications
    switch verb {
    case .answerInvitation(.accepted, _): act { center.act($0, ActionIdentifier.accept) }
    case .answerInvitation(.declined, _): act { center.act($0, ActionIdentifier.decline) }
    case .reply(let text): act { center.act($0, ActionIdentifier.reply, text: text) }
    case .tapNotification: touch { center.tap($0) }
    case .dismissNotification: touch { center.dismiss($0) }
    default: return false
    }
    return true
  }

  /// Performs an action of the newest invitation.
  private func act(_ body: (NotificationID) -> Void) {
    guard let id = tray.invitation?.id else { return refusal = "noInvitation" }
    tray.answer(id)
    body(id)
  }

  /// Taps or dismisses the newest notification.
  private func touch(_ body: (NotificationID) -> Void) {
    guard let id = tray.newest?.id else { return refusal = "noNotification" }
    tray.answer(id)
    body(id)
  }

  private func answerByToken(_ answer: InvitationAnswer) {
    guard let mailbox else { return }
    guard let invitation = tray.invitation,
      let details = InvitationDetails(invitation.content.userInfo), details.token != nil
    else { return refusal = "noInvitation" }
    tray.answerUnseen(invitation.id)
    tokenAnswer?.cancel()
    tokenAnswer = Task { [endpoint, security] in
      do throws(GroupWatchError) {
        switch answer {
        case .accepted: try await details.accept(at: endpoint, under: security)
        case .declined: try await details.decline(at: endpoint, under: security)
        }
      } catch {
        if error.code != .cancelled { mailbox.post { $0.refusal = error.code.description } }
      }
    }
  }
}

extension Scenario {
  /// The media with this name; without a name, the first item.
  fileprivate func media(_ name: String?) -> MediaItem? {
    (name ?? items.first?.name).flatMap { item($0) }.map {
      MediaItem(
        item: ItemID($0.name), title: $0.name, url: $0.url, interstitials: $0.interstitials)
    }
  }
}

@available(*, unavailable)
extension StagedPeer: Sendable {}
