import GroupSessions
import InAppMessaging
import Playback
import UserNotifications
import Vocabulary
import Wire

// Connecting, the handshake and reconnecting. The client's state outlives its connections.

extension Client {
  mutating func attempt() {
    link.stage = .connecting(until: now + Link.patience)
    emit(.connect)
    if link.lostSince == nil, link.attempts == 0 { publish(.connection(.connecting(nil))) }
  }

  mutating func greet() {
    guard case .connecting = link.stage else { return }
    sayHello()
  }

  private mutating func sayHello() {
    link.stage = .greeting(until: now + Link.patience)
    link.lastHeard = now
    let features: Set<Feature> =
      settings.understandsSessions ? [.sessions, .heartbeat] : [.heartbeat]
    let resumption = link.token.map { token in
      let mirror = seat?.session
      return Resumption(token: token, session: mirror?.id, seq: mirror?.seq)
    }
    emit(
      .send(
        .hello(
          Hello(
            user: settings.user, device: settings.device, name: settings.name,
            features: features, resume: resumption))))
  }

  mutating func hearClosed(_ why: String) {
    switch link.stage {
    case .connecting, .greeting, .online: lose(why)
    case .idle, .waiting, .closed: break
    }
  }

  /// Drops the connection and schedules the next attempt.
  mutating func drop(_ why: String) {
    emit(.disconnect)
    lose(why)
  }

  private mutating func lose(_ why: String) {
    if case .online(let since) = link.stage {
      link.lostSince = now
      if now - since >= Link.proof { link.attempts = 0 }
      if settings.pausesWhileReconnecting, seat?.isJoined == true { goAstray(.pause) }
    }
    link.stage = .waiting(until: now + link.pause(jitter: noise.next()))
    pending.markAllUnsent()
    messaging.toldVisible = nil
    setEligibility(.ineligible(.notConnected))
    if let since = link.lostSince {
      publish(.connection(.reconnecting(since: since, why)))
    } else {
      publish(.connection(.connecting(why)))
    }
  }

  mutating func meetLinkDeadline() {
    switch link.stage {
    case .connecting: drop("no connection in time")
    case .greeting: drop("no welcome in time")
    case .online: drop("nothing heard for too long")
    case .waiting: attempt()
    case .idle, .closed: break
    }
  }

  // MARK: Messages from the server

  mutating func receive(_ message: ServerMessage) {
    switch link.stage {
    case .greeting, .online: link.lastHeard = now
    case .idle, .connecting, .waiting, .closed: return
    }
    switch message {
    case .welcome(let welcome): enter(welcome)
    case .pong(let pong): hear(pong)
    case .credentialExpires: break
    case .closing(let error): hearFarewell(error)
    case .error(nil, let error): hearError(error)
    case .error(let id?, let error):
      refused(id, .refused(error), again: error.code == .rateLimited ? error.retryAfter : nil)
    case .unknownError(let id?, let error): refused(id, .refusedUnknown(error))
    case .unknownError(nil, let error):
      if error.isLast || !link.isOnline { drop(error.message) }
    case .answer(let id, let answer): answered(id, answer)
    case .status(let id, let report): conclude(id, .reported(report))
    case .eligibility(let eligibility): setEligibility(eligibility)
    case .group(let group): setGroup(group)
    case .groupEvent(let id, let seq, _, let event): hear(event, seq: seq, of: id)
    case .offer(let offer): hear(offer)
    case .offerWithdrawn(let id, let reason): withdraw(id, reason)
    case .activityNotice(let notice): publish(.activityNotice(notice))
    case .snapshot(let snapshot): enter(snapshot)
    case .event(let id, let seq, let at, let event): hear(event, seq: seq, at: at, of: id)
    case .itemMismatch(let id, let item, let others):
      if seat?.id == id, seat?.isJoined == true {
        publish(.itemMismatch(item, others: others), of: id)
      }
    case .withheld(let id, let seq): skip(seq, of: id)
    case .sessionOver(let id, let reason): if seat?.id == id { invalidate(.ended(reason)) }
    case .sessionLeft(let id, let reason):
      if seat?.id == id { invalidate(InvalidationReason(reason)) }
    case .message(let id, let source, let payload):
      if seat?.id == id, seat?.isJoined == true {
        publish(.message(payload, from: source, seq: nil), of: id)
      }
    case .inAppMessage(let delivery): hear(delivery)
    case .unreadableMessage(let message):
      tell(.report(.refused(.invalidContent), of: message.id))
    case .messageRevoked(let revocation):
      show(.revoke([revocation.id], force: revocation.isForced))
    case .explanation(let id, let explanations): conclude(id, .explained(explanations))
    case .notification(let notification): hear(notification)
    case .notifications(let list): hear(list)
    case .notificationsRevoked(let ids): bring(.revoked(ids))
    case .objectState(let id, _, let version, let fields):
      conclude(id, .object(version: version, fields))
    }
  }

  private mutating func enter(_ welcome: Welcome) {
    guard case .greeting = link.stage else { return }
    link.stage = .online(since: now)
    link.token = welcome.token
    link.limits = welcome.limits
    if !welcome.isResumed { abandonedJoins = [:] }
    link.lostSince = nil
    schedule.restart(at: now)
    publish(.connection(.online))
    playing.comeBack()
    if welcome.isResumed, seat?.isJoined == true { seat?.resyncDue = now + settings.joinTimeout }
    if !welcome.isResumed, let wantedGroup { askOwn(.joinGroup(wantedGroup), .rejoinGroup) }
    ping()
    sendPending()
    enterMessaging()
    enterNotifications(welcome)
    refollow()
  }

  private mutating func hearFarewell(_ error: ProtocolError) {
    switch error.code {
    case .superseded, .unsupportedVersion:
      // Another connection of this device took over, or the server does not support this version.
      end(.refused(error))
    default: drop(error.message)
    }
  }

  private mutating func hearError(_ error: ProtocolError) {
    guard case .greeting = link.stage else { return }
    if error.code == .resumeRefused, link.token != nil {
      forget()
      sayHello()
    } else {
      drop(error.message)
    }
  }

  /// Discards the session and the group because the server no longer knows this device.
  private mutating func forget() {
    let grace = link.limits?.resumeGrace ?? .zero
    let away = link.lostSince.map { now - $0 } ?? .zero
    link.token = nil
    failAll(.forgotten)
    // Within the grace period, only a server that lost its state refuses a resume.
    invalidateAll(away < grace ? .serverRestarted : .connectionLost)
    setGroup(nil)
  }
}

// MARK: The group's time

extension Client {
  mutating func ping() {
    schedule.pinged(at: now)
    emit(.send(.ping(Ping(sent: now, roundTrip: roundTrips.slow))))
  }

  private mutating func hear(_ pong: Pong) {
    do {
      let sample = try ClockSample(
        asked: pong.sent, heard: pong.heard, answered: pong.answered, received: now)
      roundTrips.note(sample.roundTrip)
      guard var estimate = clock else {
        clock = ClockEstimate(sample)
        return refollow()
      }
      if estimate.add(sample) == .restarted { schedule.restart(at: now) }
      clock = estimate
      feed(.clock(estimate))
    } catch {
      // Ignores the sample: no network can produce these four timestamps.
    }
  }
}

// The end of a client: the app closes it, or another person takes over the device.

extension Client {
  mutating func close() {
    show(.pageClosed)
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
  mutating func retire(within patience: Duration) {
    guard messaging.retires == nil else { return }
    messaging.retires = now + patience
    show(.userChanged(nil))
    bring(.userChanged)
    for subscription in notifying.subscriptions { unfollow(subscription) }
    notifying.outbox.removeAll { !$0.mayGo }
    ask(.leave(nil), Self.ownTag)
    ask(.leaveGroup, Self.ownTag)
  }

  /// Closes a retiring client when its outboxes are empty or its time limit has passed.
  ///
  /// Unsent notices are discarded because they belong to the previous person.
  mutating func finishRetiring() {
    guard let limit = messaging.retires, link.stage != .closed else { return }
    let waiting = messaging.outbox.entries
    let isSaid = waiting.isEmpty && notifying.outbox.entries.isEmpty
    guard isSaid || limit <= now else { return }
    for entry in waiting { publish(.unsent("\(entry.notice.text): its person went")) }
    for entry in notifying.outbox.entries { lose(entry.notice, .closed) }
    if notifying.registration != nil { sayLast(.notifications(.unregister)) }
    close()
  }
}

extension Client {
  /// The state of a client's connection.
  struct Link: Equatable, Sendable {
    enum Stage: Equatable, Sendable {
      /// The client has not been started.
      case idle
      /// A connection attempt is under way; it fails at this time.
      case connecting(until: HostTime)
      /// The hello has been sent; the attempt fails at this time.
      case greeting(until: HostTime)
      case online(since: HostTime)
      /// The next attempt starts at this time.
      case waiting(until: HostTime)
      case closed
    }

    /// The limit for connecting, and for the welcome; together they take two round trips.
    static let patience = Duration.seconds(10)
    /// The limit without any message: five missed pings at the longest interval of 2 s.
    ///
    /// Playback gets out of step long before TCP notices a dead connection.
    static let silence = Duration.seconds(10)
    /// A connection that stayed online for this long resets the back-off.
    static let proof = Duration.seconds(5)

    var stage = Stage.idle
    /// Attempts since the last connection that stayed online long enough.
    var attempts = 0
    /// When the last message arrived.
    var lastHeard = HostTime(microseconds: 0)
    /// The token that resumes the connection.
    var token: String?
    /// Since when a client that was online has been offline.
    var lostSince: HostTime?
    var limits: WireLimits?

    var isOnline: Bool { if case .online = stage { true } else { false } }

    var nextDeadline: HostTime? {
      switch stage {
      case .idle, .closed: nil
      case .connecting(let moment), .greeting(let moment), .waiting(let moment): moment
      case .online: lastHeard + Self.silence
      }
    }

    /// The back-off before the next attempt: 0.1 s, doubled each time up to 10 s.
    ///
    /// The upper half is random, so that the clients of a restarted server do not reconnect all at
    /// once.
    mutating func pause(jitter: UInt64) -> Duration {
      let full = min(Duration.milliseconds(100) * (1 << min(attempts, 7)), .seconds(10))
      attempts += 1
      return full * (0.5 + Double(jitter >> 11) / 9_007_199_254_740_992 / 2)
    }
  }
}

extension Client {
  /// The recent round-trip times of a client's pings.
  struct RoundTrips: Equatable, Sendable {
    /// The number of round trips kept: 40 s at the longest ping interval of 2 s.
    ///
    /// This is enough for a percentile and short enough to forget an outage.
    private static let window = 20

    private var latest: [Duration] = []

    mutating func note(_ roundTrip: Duration) {
      latest.append(roundTrip)
      if latest.count > Self.window { latest.removeFirst() }
    }

    /// The 95th percentile, from which the server sets the lead of a common start; `nil` before
    /// the first pong.
    var slow: Duration? {
      guard !latest.isEmpty else { return nil }
      let rank = (latest.count * 95 + 99) / 100
      return latest.sorted()[rank - 1]
    }
  }
}
