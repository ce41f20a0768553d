import GroupSessions
import Playback
import UserNotifications
import Vocabulary
import Wire

// Requests: each has exactly one outcome, even if the connection, the session or the client ends.

extension Client {
  mutating func ask(_ request: Request, _ tag: Tag) {
    if case .activate = request { revival.cancel() }
    switch request {
    case .join(let id, _): join(id, request, tag)
    case .leave(let id): depart(from: id, .left, tag) { .leave($0) }
    case .dismiss(let id): depart(from: id, .dismissed, tag) { .dismiss($0) }
    case .decline(let id):
      guard offer?.session == id else { return finish(.app(tag), .answered(.done(seq: nil))) }
      decline(tag)
    case .leaveGroup:
      membership.leave()
      revival.cancel()
      enqueue(request, .app(tag))
    case .notifications(let wish):
      if !pending.isFull { note(wish) }
      enqueue(request, .app(tag))
    case .playback(_, let command) where isLocal(command):
      play { $0.carryOutLocally(command) }
      finish(.app(tag), .answered(command.isSuspension ? .suspended(0) : .done(seq: nil)))
    default:
      guard !request.isForParticipants || seat.map({ request.names($0.id) }) == true else {
        return finish(.app(tag), .failed(.notJoined))
      }
      if case .setActivity = request, !link.isOnline { supersedeActivities() }
      enqueue(request, .app(tag))
    }
  }

  /// Makes a request on the client's own behalf; returns whether there was room for it.
  @discardableResult
  mutating func askOwn(_ request: Request, _ asker: Asker) -> Bool {
    askOwn(request, asker, holding: awaitedItem)
  }

  @discardableResult
  mutating func askOwn(_ request: Request, _ asker: Asker, holding item: ItemID?) -> Bool {
    guard !pending.isFullForOwn else { return false }
    pending.add(request, asker, until: now + settings.requestTimeout)
    sendPending(holding: item)
    return true
  }

  /// Makes the requests for which there was no room.
  mutating func askOwnAgain() {
    sendNotices()
    fetchOutdated()
    sendNotificationNotices()
    play { $0.refollow() }
  }

  mutating func enqueue(_ request: Request, _ asker: Asker) {
    guard !pending.isFull else {
      return finish(asker, .failed(.tooManyRequests(limit: PendingRequests.limit)))
    }
    // The server explains what it knows, so it must have what this person told before the question.
    let notice =
      switch request {
      case .messaging(.explain(_, of: nil)): messaging.outbox.lastSequence
      default: 0
      }
    pending.add(request, asker, after: notice, until: now + settings.requestTimeout)
    sendPending()
  }

  /// Supersedes unsent activity changes, because only the latest value counts.
  private mutating func supersedeActivities() {
    let older = pending.takeAll {
      if case .setActivity = $0.request { !$0.wasSent } else { false }
    }
    for request in older { finish(request.asker, .failed(.superseded)) }
  }

  /// Sends the pending requests that may be sent now, in the order they were made.
  mutating func sendPending() {
    sendPending(holding: awaitedItem)
  }

  /// - Parameter item: The item that is not yet open here; the app's commands to it are held back.
  private mutating func sendPending(holding item: ItemID?) {
    guard link.isOnline || link.joinsEarly else { return }
    for request in pending.all where !request.isSent && request.sendAt == nil {
      // Before the welcome, and until a joining has claimed the name, the server takes nothing
      // else; whoever goes elsewhere leaves first.
      let isKnown = link.isOnline && link.isProved
      if !isKnown, request.request == .leaveGroup { break }
      guard isKnown || request.request.isJoining else { continue }
      // The server knows a participant only once the join is done.
      guard !request.request.isForParticipants || seat?.isJoined == true else { continue }
      guard item == nil || request.steeredItem != item else { continue }
      guard messaging.outbox.hasSettled(request.notice) else { continue }
      // Whoever leaves and comes back has left first.
      guard !request.request.isEntry || !pending.hasPostponedFarewell else { continue }
      pending.markSent(request.id)
      emit(.send(.request(request.id, addressed(request.request))))
    }
  }

  /// The request with this device's identifier for the server in place of the settings' own.
  private func addressed(_ request: Request) -> Request {
    guard case .setPreferredDevice(settings.device) = request else { return request }
    return .setPreferredDevice(device)
  }

  mutating func expireRequests() {
    // The device has left all the same, and the server has to know some time.
    let next = now + settings.requestTimeout
    for farewell in pending.prolongFarewells(overdueAt: now, until: next) {
      finish(farewell.asker, .failed(.timedOut))
    }
    for request in pending.takeAll(where: { [now] in $0.deadline <= now }) {
      pending.abandon(request)
      finish(request.asker, .failed(.timedOut))
    }
  }

  mutating func failAll(_ failure: Failure) {
    for request in pending.takeAll() { finish(request.asker, .failed(failure)) }
  }

  /// The tag of requests that the client makes on its person's behalf; nobody awaits their
  /// outcome.
  static let ownTag: Tag = .min

  /// Reports the outcome of a request to its asker.
  mutating func finish(_ asker: Asker, _ outcome: Outcome) {
    switch asker {
    case .app(Self.ownTag): break
    case .app(let tag): publish(.outcome(tag, outcome))
    case .notice(let number): settle(number, outcome)
    case .notificationNotice(let number): settleNotice(number, outcome)
    case .appState: if outcome == .failed(.timedOut) { tellStateAgain() }
    case .object(let object): settle(object, outcome)
    case .renewal: settleRenewal(outcome)
    case .media(let url): play { $0.open(url, outcome) }
    case .transition(let item):
      if case .failed(let failure) = outcome { play { $0.failAnnouncement(item, failure) } }
    case .ready(let report): if outcome == .failed(.timedOut) { play { $0.reportAgain(report) } }
    case .endOfSuspension(let number, of: seat?.id):
      if outcome == .failed(.timedOut) { play { $0.endAgain(number) } }
    case .suspension(let reason, of: seat?.id):
      // A large audience has no suspensions, and so no number.
      let number: SuspensionID? =
        if case .answered(.suspended(let number)) = outcome { number } else { nil }
      play { $0.nameSuspension(reason, number) }
    case .rejoinGroup, .rejoin, .suspension, .endOfSuspension, .intent, .restoration, .nobody:
      break
    }
  }

  mutating func conclude(_ id: RequestID, _ outcome: Outcome) {
    guard let request = pending.take(id) else { return }
    finish(request.asker, outcome)
  }

  // MARK: Answers

  mutating func answered(_ id: RequestID, _ answer: Answer) {
    guard let request = pending.take(id) else { return }
    switch (request.request, answer) {
    case (.joinGroup(let group, let key), _):
      membership.join(group, key: key)
      link.prove()
      takeBack([.leaveGroup])
      sendPending()
    case (.leaveGroup, _): if membership.wish == nil { setGroup(nil) }
    case (.join(let session, _), .joined):
      takeBack([.leave(session), .dismiss(session), .decline(session)])
      if let farewell = pending.takeFarewell(to: session) { askOwn(farewell, .nobody) }
    case (.queue, _): if request.asker == .restoration { finishRestoring() }
    case (.answerInvitation, .joined(let session, _)),
      (.notifications(.report), .joined(let session, _)):
      takeBack([.leave(session), .dismiss(session), .decline(session)])
      takeSeat(in: session)
    case (.notifications(.list), _): return finish(request.asker, .listed(notifying.listed))
    case (.notifications(let wish), _): if case .app = request.asker { granted(wish) }
    default: break
    }
    finish(request.asker, .answered(answer))
  }

  /// Drops farewells that could not be stored, since the device is back.
  private mutating func takeBack(_ farewells: [Request]) {
    for request in pending.takeAll(where: { $0.sendAt != nil && farewells.contains($0.request) }) {
      finish(request.asker, .failed(.superseded))
    }
  }

  mutating func refused(_ id: RequestID, _ failure: Failure, again wait: Duration? = nil) {
    guard let request = pending[id] else { return }
    let isUseless = pending.isSuperseded(request)
    if let wait = wait ?? (isUseless ? nil : request.patience(after: failure)),
      now + wait < request.deadline || request.request.isFarewell || request.isSaidUntilStored
    {
      return pending.postpone(id, until: now + wait)
    }
    _ = pending.take(id)
    switch (request.asker, request.request) {
    case (_, .join(let session, _)):
      pending.takeFarewell(to: session)
      if seat?.id == session, seat?.isJoined == false || seat?.isReturning == true {
        invalidate(.joinFailed(failure))
      }
    case (.intent, _): play { $0.followAgain() }
    case (.rejoinGroup, _):
      membership.leave()
      publish(.rejoinFailed(failure))
      if seat?.isReturning == true { invalidate(.joinFailed(failure)) }
      setGroup(nil)
    case (.app, .notifications(let wish)): refused(wish, failure)
    default: break
    }
    finish(request.asker, .failed(failure))
  }
}

// MARK: Joining and leaving

extension Client {
  private mutating func join(_ id: SessionID, _ request: Request, _ tag: Tag) {
    if let seat, seat.id == id, seat.isJoined, let participant = seat.participant {
      return finish(.app(tag), .answered(.joined(id, participant)))
    }
    if let offer, offer.session == id, offer.isStaged {
      return finish(.app(tag), .failed(.refused(ProtocolError(.notActivated))))
    }
    if let seat, seat.id != id {
      let error = ProtocolError(.alreadyInSession, session: seat.id)
      return finish(.app(tag), .failed(.refused(error)))
    }
    if seat == nil { seat = Seat(joining: id, until: now + settings.joinTimeout) }
    membership.takeOffer(of: id)
    pending.takeFarewell(to: id)
    enqueue(request, .app(tag))
  }

  /// Leaves a session on this device at once; the server learns of it after the next connection.
  private mutating func depart(
    from named: SessionID?, _ reason: InvalidationReason, _ tag: Tag,
    saying farewell: (SessionID) -> Request
  ) {
    guard let id = named ?? seat?.id ?? offer?.session else {
      return finish(.app(tag), .answered(.done(seq: nil)))
    }
    if let seat, seat.id == id {
      if seat.isJoined || seat.isConfirmed {
        invalidate(reason)
        say(farewell(id), tag)
      } else {
        abandonJoins(of: id, .failed(.invalidated(reason)), saying: farewell(id))
        invalidate(reason)
        finish(.app(tag), .answered(.done(seq: nil)))
      }
    } else if offer?.session == id {
      decline(tag)
    } else {
      finish(.app(tag), .answered(.done(seq: nil)))
    }
  }

  private mutating func decline(_ tag: Tag) {
    guard let id = membership.takeOffer()?.session else { return }
    publish(.invalidated(.declined), of: id)
    say(.decline(id), tag)
  }

  /// Tells the server what is over on this device already; nobody waits for a server that is away.
  private mutating func say(_ farewell: Request, _ tag: Tag) {
    guard !link.isOnline, askOwn(farewell, .nobody) else { return enqueue(farewell, .app(tag)) }
    finish(.app(tag), .answered(.done(seq: nil)))
  }

  /// Ends an overdue wait: for a join, or for the session's state after a resume.
  mutating func giveUpWaiting() {
    guard let seat else { return }
    if case .joining = seat.stage {
      abandonJoins(of: seat.id, .failed(.timedOut), saying: .leave(seat.id))
      invalidate(.joinFailed(.timedOut))
      if seat.isConfirmed { askOwn(.leave(seat.id), .nobody) }
    } else {
      // Somebody removed this device from the session while it was offline, or the server cannot tell.
      invalidate(.connectionLost)
      askOwn(.leave(seat.id), .nobody)
    }
  }

  /// Reports the outcome to those who await a join; if the join succeeds later, the device leaves.
  private mutating func abandonJoins(
    of id: SessionID, _ outcome: Outcome, saying farewell: Request
  ) {
    for join in pending.abandonJoins(of: id, saying: farewell) { finish(join.asker, outcome) }
  }
}

extension Request {
  /// Whether only participants of a session may make this request.
  var isForParticipants: Bool {
    switch self {
    case .end, .setActivity, .playback, .queue, .attachment, .send, .setRole, .setReadyToStart,
      .setControl,
      .setWaitingPolicy, .setDismissalPolicy, .remove, .invite, .revokeInvitations:
      true
    case .joinGroup, .leaveGroup, .closeGroup, .changeKey, .removeUser, .pair, .confirmPairing,
      .freeName, .drain, .setSharing, .setPreferredDevice, .updateObject, .removeObject, .activate,
      .stage,
      .activateStaged, .withdraw,
      .join, .decline, .leave, .dismiss, .answerInvitation, .messaging, .notifications, .status,
      .renew, .listMedia, .openMedia:
      false
    }
  }

  /// Whether it ends what is over on this device already.
  var isFarewell: Bool {
    switch self {
    case .leave, .dismiss, .decline, .leaveGroup: true
    default: false
    }
  }

  /// Whether it brings this device into a session or a group.
  fileprivate var isEntry: Bool {
    switch self {
    case .activate, .join, .joinGroup, .answerInvitation(_, .accepted, _),
      .notifications(.report(_, .responded(ActionIdentifier.accept, _))):
      true
    default: false
    }
  }

  /// Whether it leads into another group, or out of one.
  var changesGroup: Bool {
    switch self {
    case .joinGroup, .leaveGroup: true
    default: false
    }
  }

  fileprivate var isJoining: Bool { if case .joinGroup = self { true } else { false } }

  /// Whether a participant's request concerns this session, explicitly or by default.
  func names(_ id: SessionID) -> Bool {
    let named: SessionID? =
      switch self {
      case .end(let session), .setActivity(let session, _, _), .playback(let session, _),
        .queue(let session, _), .attachment(let session, _), .send(let session, _, _),
        .setRole(let session, _, _),
        .setReadyToStart(let session, _, _), .setControl(let session, _),
        .setWaitingPolicy(let session, _),
        .setDismissalPolicy(let session, _), .remove(let session, _, _),
        .invite(let session, _, _), .revokeInvitations(let session, _):
        session
      default: nil
      }
    return named ?? id == id
  }
}
