package import GroupSessions
import InAppMessaging
package import Playback
import UserNotifications
package import Vocabulary
import Wire

/// The complete client as a pure value: it takes inputs, returns outputs and performs no I/O.
///
/// It holds the connection state, the pending requests, mirrors of the group and of the session,
/// the estimate of the group's time, a ``Follower`` that keeps the player in step with the group,
/// the presenter of in-app messages, and the notification center. It has no clock, no socket, no
/// player and no view. Its only randomness comes from its seed. The same client therefore runs on
/// an event loop, in a simulation with virtual time, and in a test.
///
/// Guarantees: each request has exactly one outcome. Each session has exactly one invalidation and
/// no update after it. Everything that waits has a deadline.
package struct Client: Equatable, Sendable {
  package let settings: ClientSettings
  /// Which activities the person shares, by activity type.
  package private(set) var sharing: [String: SharingPreference] = [:]
  var link = Link()
  var credential: Credential
  var pending = PendingRequests()
  var time = GroupTime()
  var membership = GroupMembership()
  var seat: Seat?
  var revival = Revival()
  private var playing: PlayerSide
  var messaging: Messaging
  var notifying: Notifying
  var noise: SplitMix64
  /// When a retiring client stops sending; `nil` while its person is signed in.
  private(set) var retires: HostTime?
  private(set) var now = HostTime(microseconds: 0)
  private var outputs: [Output] = []

  /// A client that has not started to connect.
  ///
  /// - Parameters:
  ///   - settings: The user, the device and the client's options.
  ///   - seed: Seeds the jitter of the reconnection back-off; use a different one for each client.
  package init(_ settings: ClientSettings, seed: UInt64) {
    self.settings = settings
    credential = Credential(text: settings.credential)
    playing = PlayerSide(settings)
    noise = SplitMix64(seed: seed)
    messaging = Messaging(settings, seed: seed)
    notifying = Notifying(settings)
  }

  /// Handles one input and returns the outputs to carry out, in order.
  ///
  /// - Parameters:
  ///   - input: What happened outside the client.
  ///   - time: When it happened; must not be earlier than the time of the previous input.
  package mutating func handle(_ input: Input, at time: HostTime) -> [Output] {
    now = max(now, time)
    defer { outputs = [] }
    guard link.stage != .closed else {
      hearAfterEnd(input)
      return outputs
    }
    let wasFull = pending.isFullForOwn
    switch input {
    case .start: if link.stage == .idle { attempt() }
    case .reconnect: reconnect()
    case .connectionOpened: greet()
    case .connectionClosed(let why): hearClosed(why)
    case .received(let message): receive(message)
    case .ask(let request, let tag): ask(request, tag)
    case .say(let message):
      if link.isOnline, seat?.isJoined == true { emit(.send(.droppable(message))) }
    case .player(let event, let item): play { $0.hear(event, of: item) }
    case .countdown(let isWanted, let session): askForCountdown(isWanted, of: session)
    case .setPlayerOffset(let offset): play { $0.feed(.playerOffset(offset)) }
    case .reapply(let session):
      if seat?.id == session, playing.isLoaded { play { $0.feed(.reapply) } }
    case .setSharing(let preference, let type): sharing[type] = preference
    case .presenter(let input): show(input)
    case .presenterSettings(let settings): messaging.presenter.settings = settings
    case .log(let event): log(event)
    case .enqueuedAlone(let media): enqueueAlone(media)
    case .openedAlone: play { $0.losePlayer() }
    case .playerAttached(let isAttached): play { $0.setPlayer(isAttached: isAttached) }
    case .ownCopyNamed(let item): play { $0.tryAgain(with: item) }
    case .setAttribute(let key, let value): tell(.attribute(key, value))
    case .center(let input): bring(input)
    case .credential(let text): takeCredential(text)
    case .credentialFailed(let why): failCredential(why)
    case .clockAdvanced: advanceClock()
    case .retire(let patience): retire(within: patience)
    case .close: close()
    }
    if wasFull, !pending.isFullForOwn, link.stage != .closed { askOwnAgain() }
    finishRetiring()
    return outputs
  }

  /// When ``Input/clockAdvanced`` is due; `nil` while nothing has a deadline.
  package var nextDeadline: HostTime? {
    guard link.stage != .closed else { return center.nextDeadline }
    let ping = link.isOnline ? time.nextPing : nil
    let deadlines = [
      link.nextDeadline, credential.nextDeadline, ping, pending.nextDeadline, seat?.nextDeadline,
      countdownDeadline, playing.nextDeadline,
      messaging.presenter.nextDeadline, retires, center.nextDeadline,
    ]
    return deadlines.compactMap(\.self).min()
  }

  private mutating func advanceClock() {
    if let due = link.nextDeadline, due <= now { meetLinkDeadline() }
    if let due = credential.nextDeadline, due <= now { meetCredentialDeadline() }
    if link.isOnline, time.nextPing <= now { ping() }
    expireRequests()
    pending.release(at: now)
    sendPending()
    if let due = seat?.nextDeadline, due <= now { giveUpWaiting() }
    if let due = countdownDeadline, due <= now { tickCountdown() }
    if let due = playing.nextDeadline, due <= now { play { $0.feed(.deadlineReached) } }
    if let due = messaging.presenter.nextDeadline, due <= now { show(.clockAdvanced) }
    if let due = center.nextDeadline, due <= now { bring(.clockAdvanced) }
  }

  /// Ends the connection permanently, and what the app has on screen with it.
  mutating func end(_ failure: Failure) {
    let reason = failure == .closed ? InvalidationReason.closed : .connectionLost
    show(.pageClosed)
    emit(.disconnect)
    link.close()
    failAll(failure)
    invalidateAll(reason)
    setEligibility(.ineligible(.notConnected))
    setGroup(nil)
    publish(.connection(.offline(failure)))
  }
}

// MARK: The app closes it, or another person takes over the device

extension Client {
  /// Answers an app whose client the server has ended, and keeps its own notifications coming.
  private mutating func hearAfterEnd(_ input: Input) {
    switch input {
    case .ask(_, let tag): publish(.outcome(tag, .failed(.closed)))
    case .presenter(.presentNext(let tag)): publish(.presenter(.answer(tag, .empty)))
    case .presenter(.acquireLease(let tag)): publish(.presenter(.lease(tag, isGranted: false)))
    case .center(let input): bring(input)
    case .clockAdvanced:
      if let due = center.nextDeadline, due <= now { bring(.clockAdvanced) }
    default: break
    }
  }

  private mutating func close() {
    // Leaving explicitly spares the group the grace period of a lost connection.
    if group != nil { sayLast(.leaveGroup) }
    end(.closed)
  }

  /// Sends a request whose answer is not awaited.
  private mutating func sayLast(_ request: Request) {
    guard link.isOnline else { return }
    let id = pending.add(request, .nobody, until: now)
    emit(.send(.request(id, request)))
  }

  /// Starts to retire the client because its person signed out.
  ///
  /// It removes their messages and notifications from the screen and leaves the session and the
  /// group. The client closes when the outboxes are empty or `patience` has passed.
  private mutating func retire(within patience: Duration) {
    guard retires == nil else { return }
    retires = now + patience
    show(.userChanged(nil))
    bring(.userChanged)
    for subscription in notifying.wishes.subscriptions { endSubscription(subscription) }
    notifying.outbox.removeAll { !$0.mayGo }
    ask(.leave(nil), Self.ownTag)
    ask(.leaveGroup, Self.ownTag)
  }

  /// Closes a retiring client when its outboxes are empty or its time limit has passed.
  ///
  /// A client that is registered or in a group waits for a connection: otherwise the server goes on
  /// to notify this person, or to count them in. Unsent notices are discarded because they belong
  /// to the previous person.
  private mutating func finishRetiring() {
    guard let limit = retires, link.stage != .closed else { return }
    let waiting = messaging.outbox.entries
    let owesFarewell = notifying.wishes.isRegistered || group != nil
    let isSaid =
      waiting.isEmpty && notifying.outbox.entries.isEmpty && (link.isOnline || !owesFarewell)
    guard isSaid || limit <= now else { return }
    for entry in waiting { publish(.unsent("\(entry.notice.text): its person went")) }
    for entry in notifying.outbox.entries { lose(entry.notice, .closed) }
    if notifying.wishes.isRegistered { sayLast(.notifications(.unregister)) }
    close()
  }
}

// MARK: Queries for the app

extension Client {
  /// This device's identifier for the server and the others; the settings' own until the first
  /// welcome.
  package var device: DeviceID { link.device ?? settings.device }

  /// Whether the client is connected and the server has welcomed it.
  package var isOnline: Bool { link.isOnline }

  /// The joined session, with all events received so far; `nil` if this device has not joined one.
  package var session: GroupSession? { seat?.isJoined == true ? seat?.session : nil }

  /// This device's participant in ``session``.
  package var participantID: ParticipantID? { seat?.participant }

  /// How many watch as the audience of ``session``.
  package var audience: AudienceSize { seat?.audience ?? AudienceSize() }

  /// The estimate of the group's time; `nil` until the first pong.
  package var clock: ClockEstimate? { time.estimate }

  /// The group's time at a host time; `nil` until the first pong.
  package func instant(at time: HostTime) -> Instant? { clock?.instant(at: time) }

  /// The expected position of the player, or of the group if there is no player.
  ///
  /// `nil` without a timeline.
  package func expectedPosition(at time: HostTime) -> MediaTime? {
    guard playing.attends else { return playing.expectedPosition(at: time) }
    return instant(at: time).flatMap { activityTimeline?.position(at: $0) }
  }

  private var activityTimeline: Timeline? {
    guard let session, let item = session.activity.media?.item else { return nil }
    return session.playback.timelines[item]
  }
}

extension Client {
  mutating func emit(_ output: Output) { outputs.append(output) }

  mutating func publish(_ update: Update) { outputs.append(.publish(update)) }

  mutating func publish(_ updates: [Update]) { for update in updates { publish(update) } }

  mutating func publish(_ update: SessionUpdate, of session: SessionID) {
    outputs.append(.publish(.session(session, update)))
  }
}

// The client passes its state to the player's side and carries out the steps that come back.

extension PlayerSide {
  /// The client's state at the start of a turn of its player's side.
  struct Surroundings: Equatable, Sendable {
    var seat: Seat?
    var clock: ClockEstimate?
    var isOnline = false
    var now = HostTime(microseconds: 0)

    /// This device's suspensions that are open on the server.
    var standing: [Suspension] { seat?.me?.suspensions ?? [] }
    var isSpectator: Bool { seat?.isSpectator == true }
    /// The group's time now.
    var moment: Instant? { clock?.instant(at: now) }

    /// Whether the server knows that the item is current here; of spectators it knows nothing.
    func isCurrent(_ item: ItemID) -> Bool { isSpectator || seat?.me?.item == item }

    /// Whether others who follow this item wait for whoever opens it late.
    func awaits(_ item: ItemID?) -> Bool {
      guard let item, let session = seat?.session,
        session.playback.waitingPolicy.waitsForLateJoiners
      else { return false }
      return session.playback.participants.contains { id, state in
        id != seat?.participant && state.item == item && state.isAttached
      }
    }
  }

  /// What the client has to do after a turn of its player's side.
  enum Step: Equatable, Sendable {
    case order(Client.PlayerOrder)
    case report(PositionReport)
    case ask(Request, Client.Asker)
    /// Tells the server that this item is open here, before any command that waited for it.
    case announce(Request, of: ItemID)
    /// Sends the requests that waited for the player.
    case resume
    /// Compares the session's state with the player's again.
    case refollow
    /// Publishes an update to the app.
    case tell(Client.SessionUpdate)
  }
}

extension Client {
  /// Lets the player's side handle inputs, and carries out what comes of them.
  mutating func play(_ body: (inout PlayerSide) -> Void) {
    for step in playing.turn(surroundings, body) {
      switch step {
      case .order(let order): emit(.player(order))
      case .report(let report): emit(.send(.report(report)))
      case .ask(let request, let asker): askOwn(request, asker)
      case .announce(let request, let item):
        if !askOwn(request, .transition(item), holding: item) { playing.retractAnnouncement() }
        sendPending()
      case .resume: sendPending()
      case .refollow: play { $0.refollow() }
      case .tell(let update): if let id = seat?.id { publish(update, of: id) }
      }
    }
  }

  private var surroundings: PlayerSide.Surroundings {
    PlayerSide.Surroundings(seat: seat, clock: clock, isOnline: link.isOnline, now: now)
  }

  /// The item that is not yet open here; the app's commands to it are held back.
  var awaitedItem: ItemID? { playing.awaitedItem(as: seat?.participant) }

  /// Whether a command moves only this device's player, not the group's timeline.
  func isLocal(_ command: PlaybackCommand) -> Bool { playing.isLocal(command, surroundings) }
}
