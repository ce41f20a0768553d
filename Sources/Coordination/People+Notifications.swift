import GroupSessions
import UserNotifications
import Vocabulary
import Wire

// Requests about notifications, their recipients, and the lanes that keep them.

extension People {
  mutating func route(_ request: TrayRequest, by sender: Sender, _ done: Reply)
    throws(ProtocolError)
  {
    if case .report(let id, .responded(let actionID, _)) = request,
      let name = InvitationName(id), name.belongs(to: sender.user),
      let answer = InvitationAnswer(actionID, category: categoryID(of: id, for: sender.user))
    {
      guard hasRoom(sender.user) else { throw ProtocolError.busy(turn.limits) }
      return turn.say(
        .groups(.invitationAnswered(name, answer, request, done)))
    }
    try carryOut(request, by: sender, done)
  }

  /// Carries out a request that needs no permission of ``Groups``, or has it.
  mutating func carryOut(_ request: TrayRequest, by sender: Sender, _ done: Reply)
    throws(ProtocolError)
  {
    let (identity, user, device) = (sender.identity, sender.user, sender.device)
    guard request.isQuestion || hasRoom(user) else { throw ProtocolError.busy(turn.limits) }
    try charge(request.cost(listing: trays[user]?.tray.entries ?? [], by: user))
    switch request {
    case .register(let mode, let isDevelopment, let endpoint):
      try register(mode, isDevelopment, endpoint, identity, done)
    case .unregister: settle(.unregister(device), user, done)
    case .subscribe(let subscription): try subscribe(subscription, user, done)
    case .unsubscribe(let subscription): settle(.unsubscribe(subscription), user, done)
    case .publish(let publication): try publish(publication, sender, done)
    case .push(let push): try self.push(push, sender, done)
    case .report(let id, let report):
      if case .responded = report, trays[user] == nil { throw ProtocolError(.unknownNotification) }
      settle(.report(id, report, on: device), user, done)
    case .remove(let ids): settle(.remove(ids), user, done)
    case .wipe: settle(.wipe, user, done)
    case .list: listNotifications(for: identity, done)
    // Groups answers it.
    case .objectState(let object):
      turn.say(.groups(.notifications(.objectState(object), done)))
    }
  }

  /// Carries out a command that changes nothing for a person without a tray.
  private mutating func settle(_ command: TrayCommand, _ user: UserID, _ done: Reply) {
    guard trays[user] != nil else { return turn.finish(done) }
    perform(TrayWork(command: command, reply: done), on: user)
  }

  /// Registers a device; a device or token belongs to the person who registered it last.
  private mutating func register(
    _ mode: RegistrationMode, _ isDevelopment: Bool, _ endpoint: PushEndpoint?,
    _ identity: Identity,
    _ done: Reply
  ) throws(ProtocolError) {
    let (user, device) = (identity.user, identity.device)
    if let flaw = endpoint.flatMap(notifications.endpointFlaw) {
      throw ProtocolError(.invalidEndpoint, reason: flaw)
    }
    try admitTray(of: user)
    if let endpoint, let other = trays.index.tokens[endpoint.token], other != user {
      perform(TrayCommand.tokenTaken(endpoint.token), on: other)
    }
    if let owner = trays.index.owners[device], owner != user {
      perform(TrayCommand.unregister(device), on: owner)
    }
    trays.expect(device, of: user)
    perform(
      TrayWork(
        command: .register(
          device, mode: mode, isDevelopment: isDevelopment, endpoint), reply: done),
      on: user)
  }

  /// The category of a person's notification; a notification that is gone counts as an
  /// invitation's, as its identifier says.
  private func categoryID(of id: NotificationID, for user: UserID) -> String? {
    guard let entry = trays[user]?.tray[id] else {
      return NotificationCategory.groupWatchInviteID
    }
    return entry.notification.payload.categoryID
  }

  /// Sends a device all its standing notifications; reads only, and is not remembered.
  private mutating func listNotifications(for identity: Identity, _ done: Reply) {
    let listed = trays[identity.user]?.tray.list(for: identity.device) ?? []
    turn.send(.notifications(listed), to: identity.device)
    turn.send(.answer(done.id, .done(seq: nil)), to: identity.device)
  }
}

extension InvitationAnswer {
  /// The answer that an action stands for; `nil` if it is not an answer.
  ///
  /// Actions are looked up within their category, because another category may use the same name.
  init?(_ actionID: String, category: String?) {
    switch (category, actionID) {
    case (NotificationCategory.groupWatchInviteID, ActionIdentifier.accept): self = .accepted
    case (NotificationCategory.groupWatchInviteID, ActionIdentifier.decline): self = .declined
    default: return nil
    }
  }
}

extension People {
  /// Handles the result of a push attempt.
  mutating func take(_ result: PushResult, of attempt: PushAttempt) {
    perform(
      TrayWork(
        command: .pushEnded(
          attempt.notification, to: attempt.device, at: attempt.endpoint, attempt: attempt.number,
          result)),
      on: attempt.user)
  }
}

/// The lanes of people's notifications.
enum TrayLanes: LaneKind {
  typealias State = TrayAggregate

  static func stream(_ id: UserID) -> AggregateID { .tray(id) }
  static func subject(_ id: UserID) -> People.Subject { .tray(id) }
  static var clockAdvanced: TrayCommand { .clockAdvanced }

  static func change<Result>(
    _ id: UserID, in owner: inout People, _ body: (inout Lane<TrayAggregate>) -> Result
  ) -> Result? {
    owner.trays.change(id, body)
  }

  static func conditions(
    for command: TrayCommand, of id: UserID, after draft: TrayAggregate?,
    in owner: People
  ) -> TrayConditions {
    let tray = draft?.tray ?? owner.trays[id]?.tray
    var installed = tray?.installations.map(\.device) ?? []
    // A device that registers gets the standing notifications, but is not an installation yet.
    if case .register(let device, _, _, _) = command { installed.append(device) }
    // A device within its grace period counts as connected.
    let connected = installed.filter { owner.trays.expects($0, of: id) }
    return TrayConditions(policy: owner.notifications.policy, connected: Set(connected))
  }

  static func nextDeadline(of id: UserID, in owner: People) -> Instant? {
    owner.trays[id]?.tray.nextDeadline
  }

  static func apply(
    _ event: TrayEvent, at instant: Instant, to id: UserID, in owner: inout People
  ) {
    owner.updateTray(of: id) { $0.evolve(event, at: instant) }
  }

  static func finish(
    _ decided: Decided<State>, _ step: Append.Step, on id: UserID,
    in owner: inout People
  ) {
    owner.carryOut(decided.effects, for: id)
    for case .tray(.responded(let notification, let response)) in step.events.map(\.event) {
      owner.turn.say(.groups(.replied(response, to: notification, by: id)))
    }
    if let answer = step.answer { owner.turn.tell(answer) }
  }

  static func endBatch(
    _ batch: [Decided<State>], _ steps: [Append.Step], after seq: Int, on id: UserID,
    in owner: inout People
  ) {
    owner.endTrayBatch(after: seq, isOurs: true, of: id)
  }

  static func take(_ others: [RecordedEvent], on id: UserID, in owner: inout People) {
    // An empty list means that another server erased the stream.
    if others.isEmpty { owner.replaceTray(of: id, by: NotificationTray(id)) }
    let seq = owner.trays[id]?.tray.seq ?? 0
    apply(others, to: id, in: &owner)
    owner.endTrayBatch(after: seq, isOurs: false, of: id)
  }

  static func reconcile(_ id: UserID, in owner: inout People) {
    owner.reconcileTray(id)
    owner.turn.say(.groups(.reinvite(id)))
  }

  static func removeIfOver(_ id: UserID, in owner: inout People) {
    guard owner.trays[id]?.isForgettable == true else { return }
    owner.trays.remove(id)
    owner.turn.disarm(.tray(id))
  }
}

extension People {
  mutating func perform(_ work: TrayWork, on id: UserID) { perform(work, on: id, TrayLanes.self) }

  /// Performs a command that nobody waits for.
  mutating func perform(_ command: TrayCommand, on id: UserID) {
    perform(TrayWork(command: command), on: id)
  }

  fileprivate mutating func endTrayBatch(after seq: Int, isOurs: Bool, of id: UserID) {
    guard let tray = trays[id]?.tray, tray.seq != seq else { return }
    guard !tray.isBlank else { return eraseTray(id, isOurs: isOurs) }
    if turn.isSnapshotDue(from: seq, to: tray.seq) { turn.say(.output(.snapshot(.tray(tray)))) }
  }

  /// Replaces a tray's state.
  mutating func replaceTray(of id: UserID, by tray: NotificationTray) {
    updateTray(of: id) { $0.replace(TrayAggregate(tray)) }
  }

  /// Changes a tray, and tells ``Groups`` whom notifications reach and who subscribes.
  fileprivate mutating func updateTray(
    of id: UserID, _ change: (inout Lane<TrayAggregate>) -> Void
  ) {
    guard let (old, tray) = trays.update(id, change) else { return }
    if old.installations.isEmpty != tray.installations.isEmpty {
      turn.say(.groups(.reachable(id, !tray.installations.isEmpty)))
    }
    guard old.subscriptions != tray.subscriptions else { return }
    for subscription in old.subscriptions.subtracting(tray.subscriptions) {
      turn.say(.groups(.subscribed(subscription, id, false)))
    }
    for subscription in tray.subscriptions.subtracting(old.subscriptions) {
      turn.say(.groups(.subscribed(subscription, id, true)))
    }
  }

  fileprivate mutating func carryOut(_ effects: [TrayEffect], for id: UserID) {
    for effect in effects {
      switch effect {
      case .deliver(let notification, let device):
        turn.say(.front(.tell(.notification(notification), device, of: id)))
      case .list(let listed, let device):
        turn.say(.front(.tell(.notifications(listed), device, of: id)))
      case .revoke(let ids, let device):
        turn.say(.front(.tell(.notificationsRevoked(ids), device, of: id)))
      case .push(let order): turn.say(.output(.push(order, PushAttempt(order, of: id))))
      }
    }
  }

  /// Whether a tray accepts optional work: the pending commands are limited while its journal is
  /// slow.
  func hasRoom(_ user: UserID) -> Bool {
    trays[user].map { $0.lane.pendingCount < turn.limits.pendingCommands } ?? true
  }

  /// Posts a notification from the server itself; it is dropped if nobody has claimed the name, or
  /// if there is no room for the tray.
  ///
  /// - Parameters:
  ///   - notification: what is posted.
  ///   - addressing: to which of the person's devices.
  ///   - user: the person.
  ///   - isWithAnswer: whether the caller answers a request for it in the same turn.
  mutating func post(
    _ notification: RemoteNotification, _ addressing: TrayAddressing = TrayAddressing(),
    to user: UserID, isWithAnswer: Bool = false
  ) {
    guard !isUnclaimed(user) else { return }
    do {
      try admitTray(of: user)
    } catch { return }
    perform(
      TrayWork(command: .post(notification, addressing), isWithAnswer: isWithAnswer), on: user)
    TrayLanes.removeIfOver(user, in: &self)
  }

  /// Erases an empty tray, in the journal too.
  ///
  /// - Parameter isOurs: whether this server stored the event that emptied the tray; otherwise the
  ///   other server erases the stream.
  mutating func eraseTray(_ id: UserID, isOurs: Bool) {
    guard let seq = trays[id]?.tray.seq, seq > 0 else { return }
    replaceTray(of: id, by: NotificationTray(id))
    turn.disarm(.tray(id))
    if isOurs { turn.say(.output(.forget(.tray(id)))) }
  }

  /// Withdraws what is no longer true in a tray, and delivers what is pending.
  mutating func reconcileTray(_ id: UserID) {
    guard let tray = trays[id]?.tray else { return }
    for installation in tray.installations { giveUp(installation, of: id) }
    turn.say(
      .groups(
        .review(
          invitations: tray.entries.compactMap(InvitationName.init).filter { $0.belongs(to: id) },
          subscriptions: tray.subscriptions.sorted(), of: id)))
    for installation in tray.installations where trays.isConnected(installation.device) {
      perform(TrayCommand.connected(installation.device), on: id)
    }
    if !tray.entries.isEmpty { perform(TrayCommand.presenceChanged, on: id) }
  }

  /// Gives up a device or token that another person has taken over.
  private mutating func giveUp(_ installation: Installation, of id: UserID) {
    if trays.index.owners[installation.device] != id {
      perform(TrayCommand.unregister(installation.device), on: id)
    } else if let token = installation.endpoint?.token, trays.index.tokens[token] != id {
      perform(TrayCommand.tokenTaken(token), on: id)
    }
  }
}
