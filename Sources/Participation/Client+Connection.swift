import GroupSessions
import InAppMessaging
import UserNotifications
import Vocabulary
import Wire

// Connecting, the handshake and reconnecting. The client's state outlives its connections.

extension Client {
  mutating func attempt() {
    if settings.givesCredentials, credential.isUseless(at: now) {
      link.want()
      carryOut(credential.want(at: now))
    } else {
      connect()
    }
    if link.isFirstAttempt { publish(.connection(.connecting(nil))) }
  }

  /// Tries at once, or finds out whether the connection still works; a healthy one stays.
  mutating func reconnect() {
    link.probe(at: now)
    if case .waiting = link.stage { attempt() }
    if case .wanting = link.stage { carryOut(credential.askAgain(at: now)) }
    guard link.isOnline else { return }
    time.restart(at: now)
    ping()
  }

  private mutating func connect() {
    link.connect(at: now)
    emit(.connect)
  }

  mutating func greet() {
    guard case .connecting = link.stage else { return }
    sayHello()
  }

  private mutating func sayHello() {
    let features: Set<Feature> =
      settings.understandsSessions ? [.sessions, .audience, .heartbeat] : [.heartbeat]
    // An administrator's connections are a device each.
    let token = settings.administratorKey == nil ? link.token : nil
    let resumption = token.map { token in
      let mirror = seat?.session
      return Resumption(token: token, session: mirror?.id, seq: mirror?.seq)
    }
    emit(
      .send(
        .hello(
          Hello(
            user: settings.user, device: settings.device, name: settings.name,
            features: features, resume: resumption, credential: credential.show(),
            code: link.limits == nil ? settings.pairingCode : nil,
            administratorKey: settings.administratorKey))))
    link.greet(isResumption: resumption != nil, at: now)
    sendPending()
  }

  mutating func hearClosed(_ why: String) {
    switch link.stage {
    case .connecting, .greeting, .online: lose(why)
    case .idle, .waiting, .wanting, .closed: break
    }
  }

  /// Drops the connection and schedules the next attempt.
  mutating func drop(_ why: String) {
    emit(.disconnect)
    lose(why)
  }

  /// - Parameter again: how long the server asks to wait, if it does.
  private mutating func lose(_ why: String, again: Duration? = nil) {
    if link.isOnline, settings.pausesWhileReconnecting, seat?.isJoined == true {
      play { $0.goAstray(.pause) }
    }
    link.lose(again: again, jitter: noise.next(), at: now)
    seat?.loseConnection()
    // The next hello has the credential.
    _ = pending.takeAll { $0.asker == .renewal }
    pending.markAllUnsent()
    for farewell in pending.releaseFarewells() { finish(farewell, .answered(.done(seq: nil))) }
    messaging.loseConnection()
    setEligibility(.ineligible(.notConnected))
    tellTrouble(why)
  }

  /// Publishes why the client is not online yet, or not any more.
  private mutating func tellTrouble(_ why: String) {
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
    case .online: drop("the connection does not answer any more")
    case .waiting: attempt()
    case .idle, .wanting, .closed: break
    }
  }

  // MARK: Messages from the server

  mutating func receive(_ message: ServerMessage) {
    guard link.hear(at: now) else { return }
    switch message {
    case .welcome(let welcome): enter(welcome)
    case .pong(let pong): hear(pong)
    case .credentialExpires(let instant): hearExpiry(at: instant)
    case .closing(let error): hearFarewell(error)
    case .error(nil, let error): hearError(error)
    case .error(.some, let error) where error.code == .helloRequired && link.isGreeting:
      // The server still checks the credential: the joining follows the welcome.
      link.joinLate()
      pending.markAllUnsent()
    case .error(let id?, let error):
      refused(id, .refused(error), again: error.code == .rateLimited ? error.retryAfter : nil)
    case .unknownError(let id?, let error): refused(id, .refusedUnknown(error))
    case .unknownError(nil, let error):
      if error.isLast || !link.isOnline { drop(error.message) }
    case .answer(let id, let answer): answered(id, answer)
    case .status(let id, let report): conclude(id, .reported(report))
    case .eligibility(let eligibility): setEligibility(eligibility)
    case .group(let group): setGroup(group)
    case .groupKey(let id, let key): if group?.id == id { publish(membership.take(key: key)) }
    case .pairingAsked(let name): publish(.pairingAsked(name: name))
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
    case .audience(let id, let size):
      guard seat?.id == id, seat?.isJoined == true else { return }
      seat?.hear(size)
      publish(.audience(size), of: id)
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
    link.enter(welcome, at: now)
    if !welcome.isResumed { pending.forgetFarewells() }
    time.restart(at: now)
    publish(.connection(.online))
    play { $0.comeBack() }
    // As long as any answer: a journal may be slow to store what tells that the device is back.
    if welcome.isResumed, seat?.isJoined == true {
      seat?.expectState(until: now + settings.requestTimeout)
    }
    if !welcome.isResumed, let wish = membership.wish, !pending.leadElsewhere(than: wish.group) {
      askOwn(.joinGroup(wish.group, key: wish.key), .rejoinGroup)
      if let seat, seat.isReturning { askOwn(.join(seat.id, handoffFrom: nil), .rejoin) }
    }
    ping()
    sendPending()
    enterMessaging()
    enterNotifications(welcome)
    if settings.givesCredentials { carryOut(credential.accept() + [.renew]) }
    play { $0.refollow() }
  }

  private mutating func hearFarewell(_ error: ProtocolError) {
    switch error.code {
    case .superseded, .unsupportedVersion, .tlsRequired, .pairingRefused, .held, .namesFull,
      .wrongKey, .noAdministrator:
      // Another connection of this device took over, or the server will say the same again.
      end(.refused(error))
    case .credentialRequired, .credentialRefused, .credentialExpired:
      carryOut(settings.givesCredentials ? credential.lose(error) : [.end(error)])
    case .pairingPending, .tooManyGuesses:
      emit(.disconnect)
      lose(error.message, again: error.retryAfter)
    default: drop(error.message)
    }
  }

  private mutating func hearError(_ error: ProtocolError) {
    guard case .greeting = link.stage else { return }
    if error.code == .resumeRefused, link.token != nil {
      forget(isGroupClosed: error.reason == Ineligibility.groupClosed.rawValue)
      sayHello()
    } else {
      // A name that the server has no room for stays too long; other refusals may pass.
      error.code == .invalidField ? end(.refused(error)) : drop(error.message)
    }
  }

  /// Discards the session and the group because the server no longer knows this device.
  ///
  /// A spectator keeps both and comes anew: the server stores nothing of spectators. Nobody returns
  /// to a group that was closed, which would open it again.
  private mutating func forget(isGroupClosed: Bool) {
    if isGroupClosed { membership.leave() }
    let grace = link.limits?.resumeGrace ?? .zero
    let away = link.lostSince.map { now - $0 } ?? .zero
    // Whoever joins for the first time, and whose group has not arrived, has left nothing.
    let hasLeft = membership.wish == nil && seat?.isJoined != false
    link.forget()
    failAll(.forgotten)
    if seat?.isSpectator == true, membership.wish != nil {
      seat?.comeBack(until: now + settings.joinTimeout)
      return
    }
    if isGroupClosed {
      invalidateAll(.ended(.groupClosed))
    } else if hasLeft {
      // Whoever leaves the group leaves its session too, though the server ended before saying so.
      invalidateAll(.left)
    } else {
      // Within the grace period, only a server that lost its state refuses a resume.
      invalidateAll(away < grace ? .serverRestarted : .connectionLost)
    }
    setGroup(nil)
  }
}

// MARK: The group's time

extension Client {
  mutating func ping() { emit(.send(.ping(time.ping(at: now)))) }

  private mutating func hear(_ pong: Pong) {
    link.hearAnswer(to: pong.sent)
    for change in time.hear(pong, at: now) {
      switch change {
      case .began: play { $0.refollow() }
      case .improved(let estimate): play { $0.feed(.clock(estimate)) }
      case .judged(let isPoor): publish(.clockQuality(isPoor: isPoor))
      }
    }
  }
}

// MARK: The credential

extension Client {
  mutating func takeCredential(_ text: String) {
    carryOut(credential.take(text, isAwaited: link.stage == .wanting, at: now, &noise))
  }

  mutating func failCredential(_ why: String) {
    carryOut(credential.fail(why, isAwaited: link.stage == .wanting, at: now, &noise))
  }

  mutating func meetCredentialDeadline() {
    carryOut(credential.meetDeadline(isAwaited: link.stage == .wanting, at: now, &noise))
  }

  private mutating func hearExpiry(at instant: Instant) {
    guard settings.givesCredentials else { return }
    let moment = serverInstant.map { now + (instant - $0) }
    carryOut(credential.hearExpiry(at: moment, now: now, &noise))
  }

  mutating func settleRenewal(_ outcome: Outcome) {
    switch outcome {
    case .failed(.refused(let error)) where error.code == .credentialRefused:
      carryOut(credential.refuseRenewal(error, at: now, &noise))
    case .failed(.closed), .failed(.forgotten): break
    case .failed: failCredential("the server did not answer the renewal")
    case .answered, .reported, .explained, .listed, .object: carryOut(credential.accept())
    }
  }

  private mutating func carryOut(_ steps: [Credential.Step]) {
    for step in steps {
      switch step {
      case .tell(let state): publish(.credential(state))
      case .tellTrouble(let why): tellTrouble(why)
      case .connect: connect()
      case .renew: renewCredential()
      case .drop(let why): drop(why)
      case .end(let error): end(.refused(error))
      }
    }
  }

  private mutating func renewCredential() {
    guard link.isOnline, link.access == .tokens, let text = credential.showNew() else { return }
    // It is added even if the limit of requests is reached: without it, all would end soon.
    pending.add(.renew(credential: text), .renewal, until: now + settings.requestTimeout)
    sendPending()
  }
}
