import EventLoops
import MatineeClient
import Participation
import Players
import Scenarios
import UserNotifications
import Vocabulary

/// One run of a person's app, from its start to its end: the public client, its player and its views.
///
/// The client and the app's tasks have threads of their own, and reach the peer through its mailbox.
final class StagedApp: Sendable {
  typealias Wish = @Sendable () async throws -> Void

  let client: GroupWatchClient
  let view = StagedView()
  let control: StagedControl
  private let player: AttachedPlayer
  private let mailbox: LoopMailbox<StagedPeer>
  private let wishes: AsyncStream<Wish>.Continuation
  private let tasks = Locked<[Task<Void, Never>]>([])

  init(
    _ profile: ScenarioPeer, in scenario: Scenario, at endpoint: Endpoint,
    under security: ConnectionSecurity, _ mailbox: LoopMailbox<StagedPeer>
  ) throws(GroupWatchError) {
    self.mailbox = mailbox
    control = StagedControl(mailbox)
    var options = ClientOptions()
    options.playing = .app
    options.security = security
    // Videos that a stage generates are files on this machine.
    options.inAppMessages.allowsFileMedia = true
    if scenario.campaigns == nil { options.inAppMessages.mediaEvent = nil }
    client = try GroupWatchClient(
      startingAt: endpoint,
      as: Identity(
        user: UserID(profile.person), device: DeviceID(profile.name), name: profile.name),
      options: options)
    player = client.player.attach(control)
    let (stream, continuation) = AsyncStream.makeStream(of: Wish.self)
    wishes = continuation
    if scenario.campaigns != nil {
      client.inAppMessages.platform = PlatformState()
      client.inAppMessages.setDefaultView(view)
    }
    let handlers = StagedHandlers(mailbox)
    client.notifications.delegate = handlers
    client.notifications.receiver = handlers
    follow(stream)
  }

  private func follow(_ stream: AsyncStream<Wish>) {
    let sessions = client.sessions(of: AnyGroupActivity.self)
    let center = client.notifications
    each(of: stream) { [self] in await carryOut($0) }
    each(of: sessions) { [mailbox] session in
      mailbox.post { [weak self] in if let self { $0.follow(session, in: self) } }
    }
    each(of: center.delivered.values) { [mailbox] notifications in
      mailbox.post { [weak self] in if let self { $0.stand(notifications, in: self) } }
    }
    each(of: center.events) { [mailbox] event in
      mailbox.post { [weak self] in if let self { $0.hear(event, in: self) } }
    }
  }

  private func each<Element: Sendable>(
    of elements: some AsyncSequence<Element, Never> & Sendable,
    _ body: @escaping @Sendable (Element) async -> Void
  ) {
    let task = Task { for await element in elements { await body(element) } }
    tasks.withLock { $0.append(task) }
  }

  /// Reports what is said in a session.
  func listen(to session: JoinedSession) {
    each(of: GroupSessionMessenger(session: session).chat) { [mailbox] message in
      mailbox.post { $0.heard.append(message.text) }
    }
  }

  /// Carries out a wish after all earlier ones are done.
  func attempt(_ wish: @escaping Wish) { wishes.yield(wish) }

  /// Carries out a wish at once, because leaving does not wait behind an unreachable server.
  func attemptAtOnce(_ wish: @escaping Wish) { Task { await carryOut(wish) } }

  private func carryOut(_ wish: Wish) async {
    let refusal: String
    do {
      return try await wish()
    } catch let error as GroupWatchError {
      refusal = error.code.description
    } catch let error as NotNow {
      refusal = error.code
    } catch {
      refusal = "\(error)"
    }
    mailbox.post { $0.refusal = refusal }
  }

  /// Ends the app at once.
  func close() {
    end()
    client.close()
  }

  /// Ends the app, and calls back once the server has been told.
  func leave(within patience: Duration, _ completion: @escaping @Sendable () -> Void) {
    end()
    Task { [client] in
      await client.leave(within: patience)
      completion()
    }
  }

  private func end() {
    wishes.finish()
    control.close()
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }
}

/// The app's own player, which lives on the stage's loop.
final class StagedControl: PlaybackControl {
  let reports: AsyncStream<PlayerReport>
  private let reporter: AsyncStream<PlayerReport>.Continuation
  private let mailbox: LoopMailbox<StagedPeer>

  init(_ mailbox: LoopMailbox<StagedPeer>) {
    self.mailbox = mailbox
    (reports, reporter) = AsyncStream.makeStream()
  }

  func perform(_ action: PlayerAction) {
    mailbox.post { [self] in $0.obey(action, of: self) }
  }

  func report(_ event: PlayerEvent, at now: HostTime) {
    reporter.yield(PlayerReport(event, at: now))
  }

  func report(_ reason: PlayerCloseReason) {
    reporter.yield(.failed(reason: "the player is gone: \(reason)"))
  }

  func close() { reporter.finish() }
}

extension PlayerReport {
  /// The report of a player's event at this time.
  fileprivate init(_ event: PlayerEvent, at now: HostTime) {
    self =
      switch event {
      case .loaded(let duration, let rates, let noise):
        .loaded(duration: duration, rates: rates, noise: noise)
      case .seekWindow(let window): .seekWindow(window.start...window.end, slides: window.slides)
      case .position(let position, let moment): .position(position, at: .now - (now - moment))
      case .paused: .paused
      case .unpaused: .unpaused
      case .seeked(let position): .seeked(to: position)
      case .seekFinished(let position): .seekFinished(at: position)
      case .rateChanged(let factor): .rateChanged(factor)
      case .stalled: .stalled
      case .recovered: .recovered
      case .ended: .ended
      case .failed(let reason): .failed(reason: reason)
      }
  }
}

/// A view that shows each message at once, without animations.
final class StagedView: MessageView {
  private let presentation = Locked<MessagePresentation?>(nil)

  func run(_ presentation: MessagePresentation) async {
    for await command in presentation.commands {
      switch command {
      case .show:
        self.presentation.withLock { $0 = presentation }
        presentation.report(.presented)
      case .update, .pause: break
      case .dismiss:
        clear(presentation.id)
        presentation.report(.dismissed)
      }
    }
    clear(presentation.id)
  }

  private func clear(_ id: MessageID) {
    presentation.withLock { if $0?.id == id { $0 = nil } }
  }

  /// Reports an event about the message on screen, and returns the message.
  func report(_ event: MessageViewEvent) throws -> MessageID {
    guard let presentation = presentation.withLock({ $0 }) else { throw NotNow("noMessage") }
    presentation.report(event)
    return presentation.id
  }
}

/// The app's handlers of notifications, which complete at once.
private struct StagedHandlers: NotificationPresentationDelegate, NotificationReceiver {
  private let mailbox: LoopMailbox<StagedPeer>

  init(_ mailbox: LoopMailbox<StagedPeer>) { self.mailbox = mailbox }

  func willPresent(_ notification: UserNotification) -> PresentationOptions { .all }

  func didReceive(_ notification: UserNotification, alreadyDelivered: Bool) -> FetchResult {
    mailbox.post { $0.tray.receive(notification) }
    return .newData
  }
}
