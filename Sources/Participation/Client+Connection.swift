import GroupSessions
import InAppMessaging
import Playback
import UserNotifications
import Vocabulary
import Wire

// Connections come and go; the client stays who it is.

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

  /// Gives the connection up and begins anew.
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

  // MARK: What the server says of the connection

  mutating func receive(_ message: ServerMessage) {
    switch link.stage {
    case .greeting, .online: link.lastHeard = now
    case .idle, .connecting, .waiting, .closed: return
    }
    switch message {
    case .welcome(let welcome): enter(welcome)
    case .pong(let pong): hear(pong)
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
      // Another connection of this device took over, or no attempt can ever succeed.
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

  /// The server does not know this device any more: what it was is over.
  private mutating func forget() {
    let grace = link.limits?.resumeGrace ?? .zero
    let away = link.lostSince.map { now - $0 } ?? .zero
    link.token = nil
    failAll(.forgotten)
    // Within the grace only a server that lost its memory refuses.
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
      // Four timestamps that no network can produce say nothing.
    }
  }
}

// The end of a client: because its app closes, or because another person takes the device over.

extension Client {
  mutating func close() {
    show(.pageClosed)
    // A word is enough: nobody waits a grace for someone who said goodbye.
    if group != nil { sayLast(.leaveGroup) }
    end(.closed)
  }

  /// Says something whose answer nobody is there to hear.
  private mutating func sayLast(_ request: Request) {
    guard link.isOnline else { return }
    let id = pending.add(request, .nobody, until: now)
    emit(.send(.request(id, request)))
  }

  /// The person goes: so does what they see and take part in, and the client once the server has
  /// heard what they did.
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

  /// Closes a client whose person went, as soon as nothing of theirs waits, or it waited for too
  /// long; what is left is nobody else's.
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
  /// The life of a client's connections.
  struct Link: Equatable, Sendable {
    enum Stage: Equatable, Sendable {
      /// Nothing was asked for yet.
      case idle
      /// An attempt is under way, until it is given up.
      case connecting(until: HostTime)
      /// The hello has been sent.
      case greeting(until: HostTime)
      case online(since: HostTime)
      /// The next attempt begins then.
      case waiting(until: HostTime)
      case closed
    }

    /// A connect and a hello take two round trips: whoever needs longer is not there.
    static let patience = Duration.seconds(10)
    /// Two pings without a word: group watching suffers long before TCP notices.
    static let silence = Duration.seconds(10)
    /// Whoever was welcome for so long begins with short pauses again.
    static let proof = Duration.seconds(5)

    var stage = Stage.idle
    /// Attempts since the last connection that held.
    var attempts = 0
    /// When something was last heard.
    var lastHeard = HostTime(microseconds: 0)
    /// The secret to resume with.
    var token: String?
    /// Since when a client that was online is not.
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

    /// How long to wait before the next attempt: 0.1 s doubled each time up to 10 s, the upper
    /// half by chance, so that the clients of a server that restarted do not come all at once.
    mutating func pause(jitter: UInt64) -> Duration {
      let full = min(Duration.milliseconds(100) * (1 << min(attempts, 7)), .seconds(10))
      attempts += 1
      return full * (0.5 + Double(jitter >> 11) / 9_007_199_254_740_992 / 2)
    }
  }
}

extension Client {
  /// The late round trips of a client's pings.
  struct RoundTrips: Equatable, Sendable {
    /// One and a half minutes of pings: long enough for a percentile, short enough to forget a
    /// train's tunnel.
    private static let window = 20

    private var latest: [Duration] = []

    mutating func note(_ roundTrip: Duration) {
      latest.append(roundTrip)
      if latest.count > Self.window { latest.removeFirst() }
    }

    /// The 95th percentile, for the lead of common starts; `nil` before the first pong.
    var slow: Duration? {
      guard !latest.isEmpty else { return nil }
      let rank = (latest.count * 95 + 99) / 100
      return latest.sorted()[rank - 1]
    }
  }
}
