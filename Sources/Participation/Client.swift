package import GroupSessions
import InAppMessaging
package import Playback
import UserNotifications
package import Vocabulary
package import Wire

/// The whole client as one value: inputs go in, outputs come out, and it touches nothing.
///
/// It holds the life of the connections, the requests that wait, mirrors of the group and of the
/// session, the group's time, a ``Follower`` that keeps the player with the group, the presenter of
/// in-app messages, and the centre of notifications. It has no clock, no socket, no player, no view and no randomness
/// but its seed; so the same client runs on a loop, in a simulation with virtual time, and in a
/// test.
///
/// What it promises: a request has exactly one outcome, a session exactly one invalidation and
/// nothing after it, and nothing waits without a deadline.
package struct Client: Equatable, Sendable {
  package let settings: ClientSettings
  /// What is known of the group's time; `nil` until the first pong.
  package internal(set) var clock: ClockEstimate?
  /// Whether this device can take part in sessions now.
  package internal(set) var eligibility = Eligibility.ineligible(.notConnected)
  /// The group as this device knows it.
  package internal(set) var group: Group?
  /// The session that waits for this device.
  package internal(set) var offer: Offer?
  /// What the person wants done with activities, by type.
  package internal(set) var sharing: [String: SharingPreference] = [:]
  var link = Link()
  var pending = PendingRequests()
  var schedule = ClockSchedule(from: HostTime(microseconds: 0))
  var roundTrips = RoundTrips()
  /// The group to be in, whatever connections come and go.
  var wantedGroup: GroupID?
  var seat: Seat?
  /// A session that went with its server and is to be begun again.
  var revival: Revival?
  /// The queue of a session that was begun again, until it is put back.
  var restoration: Queue?
  /// Joins that were given up while under way: what to say if they succeed all the same.
  var abandonedJoins: [SessionID: Request] = [:]
  var playing: PlayerSide
  var messaging: Messaging
  var notifying: Notifying
  var noise: SplitMix64
  var now = HostTime(microseconds: 0)
  var outputs: [Output] = []

  /// A client that has not begun to connect.
  ///
  /// - Parameters:
  ///   - settings: who it is.
  ///   - seed: for the jitter of its back-off; another one for each client.
  package init(_ settings: ClientSettings, seed: UInt64) {
    self.settings = settings
    playing = PlayerSide(settings)
    noise = SplitMix64(seed: seed)
    messaging = Messaging(settings, seed: seed)
    notifying = Notifying(settings)
  }

  /// Takes one input in and says what is to be done, in order.
  ///
  /// - Parameters:
  ///   - input: what happened outside.
  ///   - time: when; must not be earlier than the one before.
  package mutating func handle(_ input: Input, at time: HostTime) -> [Output] {
    now = max(now, time)
    defer { outputs = [] }
    if case .ask(_, let tag) = input, link.stage == .closed {
      publish(.outcome(tag, .failed(.closed)))
    }
    guard link.stage != .closed else { return outputs }
    switch input {
    case .start: if link.stage == .idle { attempt() }
    case .connectionOpened: greet()
    case .connectionClosed(let why): hearClosed(why)
    case .received(let message): receive(message)
    case .ask(let request, let tag): ask(request, tag)
    case .say(let message):
      if link.isOnline, seat?.isJoined == true { emit(.send(.droppable(message))) }
    case .player(let event, let item): hear(event, of: item)
    case .setPlayerOffset(let offset): feed(.playerOffset(offset))
    case .reapply(let session): if seat?.id == session, playing.isLoaded { feed(.reapply) }
    case .setSharing(let preference, let type): sharing[type] = preference
    case .presenter(let input): show(input)
    case .presenterSettings(let settings): messaging.presenter.settings = settings
    case .log(let event): tell(.event(event))
    case .enqueuedAlone(let media): logMediaAlone(media)
    case .setAttribute(let key, let value): tell(.attribute(key, value))
    case .center(let input): bring(input)
    case .clockAdvanced: advanceClock()
    case .retire(let patience): retire(within: patience)
    case .close: close()
    }
    finishRetiring()
    return outputs
  }

  /// When ``Input/clockAdvanced`` is due; `nil` while nothing waits for time to pass.
  package var nextDeadline: HostTime? {
    guard link.stage != .closed else { return nil }
    let ping = link.isOnline ? schedule.nextPing : nil
    let deadlines = [
      link.nextDeadline, ping, pending.nextDeadline, seat?.nextDeadline,
      settings.hasPlayer ? playing.nextDeadline : nil, messaging.presenter.nextDeadline,
      messaging.retires, center.nextDeadline,
    ]
    return deadlines.compactMap(\.self).min()
  }

  private mutating func advanceClock() {
    if let due = link.nextDeadline, due <= now { meetLinkDeadline() }
    if link.isOnline, schedule.nextPing <= now { ping() }
    expireRequests()
    pending.release(at: now)
    sendPending()
    if let due = seat?.nextDeadline, due <= now { giveUpWaiting() }
    if let due = playing.nextDeadline, due <= now { feed(.deadlineReached) }
    if let due = messaging.presenter.nextDeadline, due <= now { show(.clockAdvanced) }
    if let due = center.nextDeadline, due <= now { bring(.clockAdvanced) }
  }

  /// Ends this client for good.
  mutating func end(_ failure: Failure) {
    let reason = failure == .closed ? InvalidationReason.closed : .connectionLost
    emit(.disconnect)
    link.stage = .closed
    link.token = nil
    failAll(failure)
    invalidateAll(reason)
    publish(.connection(.offline(failure)))
  }
}

// MARK: What an app may ask at any time

extension Client {
  /// Whether the server knows this device now.
  package var isOnline: Bool { link.isOnline }

  /// The session this device takes part in, as far as its events have come.
  package var session: GroupSession? { seat?.isJoined == true ? seat?.session : nil }

  /// Which participant of ``session`` this device is.
  package var participantID: ParticipantID? { seat?.participant }

  /// The group's time at a moment; `nil` until the first pong.
  package func instant(at time: HostTime) -> Instant? { clock?.instant(at: time) }

  /// Where the player should be at a moment, or the group is, without one; `nil` with nothing to follow.
  package func expectedPlace(at time: HostTime) -> MediaTime? {
    guard settings.attendsWithoutPlayer else { return playing.expectedPlace(at: time) }
    return instant(at: time).flatMap { activityTimeline?.position(at: $0) }
  }

  /// What of the current item can be gone to at a moment; `nil` while that is not known.
  package func seekableRange(at time: HostTime) -> ClosedRange<MediaTime>? {
    guard let timeline = playing.followed ?? activityTimeline else { return nil }
    if let duration = timeline.duration { return .zero ... .zero + duration }
    guard let instant = instant(at: time) else { return nil }
    return timeline.seekWindow.map { $0.window(at: instant) }.map { $0.start...$0.end }
  }

  private var activityTimeline: Timeline? {
    guard let session, let item = session.activity.media?.item else { return nil }
    return session.playback.timelines[item]
  }
}

extension Client {
  mutating func emit(_ output: Output) { outputs.append(output) }

  mutating func publish(_ update: Update) { outputs.append(.publish(update)) }

  mutating func publish(_ update: SessionUpdate, of session: SessionID) {
    outputs.append(.publish(.session(session, update)))
  }
}

// The player's side is given what the client knows, and the client carries out what it wants.

extension PlayerSide {
  /// What a client knows as one of its player's turns begins.
  struct Surroundings: Equatable, Sendable {
    var seat: Seat?
    var clock: ClockEstimate?
    var isOnline = false
    var now = HostTime(microseconds: 0)
  }

  /// What a client has to do after a turn of its player's side.
  enum Step: Equatable, Sendable {
    case order(Client.PlayerOrder)
    case report(PositionReport)
    case ask(Request, Client.Asker)
    /// Tells the server that this item is open here, before any command that waited for that.
    case takePlace(Request, of: ItemID)
    /// What waited may go out.
    case resume
    /// The session's and the player's state have to be compared again.
    case refollow
    /// For the app.
    case tell(Client.SessionUpdate)
  }
}

extension Client {
  private var surroundings: PlayerSide.Surroundings {
    PlayerSide.Surroundings(seat: seat, clock: clock, isOnline: link.isOnline, now: now)
  }

  private mutating func carryOut(_ steps: [PlayerSide.Step]) {
    for step in steps {
      switch step {
      case .order(let order): emit(.player(order))
      case .report(let report): emit(.send(.report(report)))
      case .ask(let request, let asker): askOwn(request, asker)
      case .takePlace(let request, let item):
        askOwn(request, .transition(item), holding: item)
        sendPending()
      case .resume: sendPending()
      case .refollow: refollow()
      case .tell(let update): if let id = seat?.id { publish(update, of: id) }
      }
    }
  }

  mutating func refollow() { carryOut(playing.refollow(surroundings)) }

  mutating func feed(_ input: Follower.Input) { carryOut(playing.feed(input, surroundings)) }

  mutating func hear(_ event: PlayerEvent, of item: ItemID) {
    carryOut(playing.hear(event, of: item, surroundings))
  }

  mutating func detachPlayer() { carryOut(playing.detach(surroundings)) }

  mutating func followAgain() { carryOut(playing.followAgain(surroundings)) }

  mutating func nameOwnSuspension(_ number: SuspensionID) {
    carryOut(playing.nameSuspension(number, surroundings))
  }

  mutating func goAstray(_ command: PlayerCommand?) {
    carryOut(playing.goAstray(command, surroundings))
  }

  /// Whether a command moves only this device's player.
  func isLocal(_ command: PlaybackCommand) -> Bool { playing.isLocal(command, surroundings) }

  mutating func carryOutLocally(_ command: PlaybackCommand) {
    carryOut(playing.carryOutLocally(command, surroundings))
  }
}
