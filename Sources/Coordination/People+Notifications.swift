import GroupSessions
import Signatures
import UserNotifications
import Vocabulary
import Wire

// What devices say and ask about their person's notifications, and who is there to hear of them.

extension People {
  mutating func route(_ request: TrayRequest, by identity: Identity, _ done: Reply)
    throws(ProtocolError)
  {
    if case .report(let id, .responded(let actionID, _)) = request,
      let name = InvitationName(id), name.belongs(to: identity.user),
      let answer = InvitationAnswer(actionID, category: categoryID(of: id, for: identity.user))
    {
      guard hasRoom(identity.user) else { throw ProtocolError.busy(turn.limits) }
      return turn.say(
        .groups(.invitationAnswered(name, answer, request, done)))
    }
    try carryOut(request, by: identity, done)
  }

  /// Carries a request out that groups and sessions have no say in, or have nothing against.
  mutating func carryOut(_ request: TrayRequest, by identity: Identity, _ done: Reply)
    throws(ProtocolError)
  {
    let (user, device) = (identity.user, identity.device)
    guard request.isQuestion || hasRoom(user) else { throw ProtocolError.busy(turn.limits) }
    switch request {
    case .register(let mode, let isDevelopment, let endpoint):
      try register(mode, isDevelopment, endpoint, identity, done)
    case .unregister: settle(.unregister(device), user, done)
    case .subscribe(let subscription): try subscribe(subscription, user, done)
    case .unsubscribe(let subscription): settle(.unsubscribe(subscription), user, done)
    case .publish(let publication): try publish(publication, user, done)
    case .push(let push): try self.push(push, done)
    case .report(let id, let report):
      if case .responded = report, trays[user] == nil { throw ProtocolError(.unknownNotification) }
      settle(.report(id, report, on: device), user, done)
    case .remove(let ids): settle(.remove(ids), user, done)
    case .wipe: settle(.wipe, user, done)
    case .list: listNotifications(for: identity, done)
    // Groups tells it.
    case .objectState(let object):
      turn.say(.groups(.notifications(.objectState(object), done)))
    }
  }

  /// Carries out what changes nothing for a person who has no tray.
  private mutating func settle(_ command: TrayCommand, _ user: UserID, _ done: Reply) {
    guard trays[user] != nil else { return turn.finish(done) }
    perform(TrayWork(command: command, reply: done), on: user)
  }

  /// The last person who registers on a device, or with a token, has it.
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
    if let endpoint, let other = trayIndex.tokens[endpoint.token], other != user {
      perform(TrayCommand.tokenTaken(endpoint.token), on: other)
    }
    if let owner = trayIndex.owners[device], owner != user {
      perform(TrayCommand.unregister(device), on: owner)
    }
    expected[device] = Expectation(user: user, isConnected: true)
    perform(
      TrayWork(
        command: .register(
          device, mode: mode, isDevelopment: isDevelopment, endpoint), reply: done),
      on: user)
  }

  /// The category of a person's notification; of one that stands no more, an invitation's, as its
  /// name says.
  private func categoryID(of id: NotificationID, for user: UserID) -> String? {
    guard let entry = trays[user]?.tray[id] else {
      return NotificationCategory.groupWatchInviteID
    }
    return entry.notification.payload.categoryID
  }

  /// Tells all that stands for a device; changes nothing, and is not remembered.
  private mutating func listNotifications(for identity: Identity, _ done: Reply) {
    let listed = trays[identity.user]?.tray.list(for: identity.device) ?? []
    turn.send(.notifications(listed), to: identity.device)
    turn.send(.answer(done.id, .done(seq: nil)), to: identity.device)
  }
}

extension InvitationAnswer {
  /// What an action of a category answers; `nil` if it is no answer.
  ///
  /// The category comes before the action: the same action of another category means nothing here.
  init?(_ actionID: String, category: String?) {
    switch (category, actionID) {
    case (NotificationCategory.groupWatchInviteID, ActionIdentifier.accept): self = .accepted
    case (NotificationCategory.groupWatchInviteID, ActionIdentifier.decline): self = .declined
    default: return nil
    }
  }
}

extension People {
  /// What became of an attempt to push.
  mutating func take(_ result: PushResult, of attempt: PushAttempt) {
    perform(
      TrayWork(
        command: .pushEnded(
          attempt.notification, to: attempt.device, attempt: attempt.number, result)),
      on: attempt.user)
  }
}

// What people say to topics, and the administrator to anybody.

extension People {
  private mutating func subscribe(_ subscription: Subscription, _ user: UserID, _ done: Reply)
    throws(ProtocolError)
  {
    if case .topic(let topic) = subscription {
      let owner = try owner(of: topic)
      if case .user(let other) = owner, other != user { throw ProtocolError(.notYourTopic) }
      try checkRoom(in: trayIndex.subscribers[topic], user, notifications.policy.topicSubscribers)
    }
    try admitTray(of: user)
    perform(TrayWork(command: .subscribe(subscription), reply: done), on: user)
  }

  private func checkRoom(in subscribers: Set<UserID>?, _ user: UserID, _ limit: Int)
    throws(ProtocolError)
  {
    guard let subscribers, subscribers.count >= limit, !subscribers.contains(user) else { return }
    throw ProtocolError(.tooManySubscriptions, limit: limit, reason: "subscribers")
  }

  private func owner(of topic: TopicID) throws(ProtocolError) -> TopicOwner {
    guard let owner = TopicOwner(topic) else { throw ProtocolError(.invalidTopic) }
    return owner
  }

  /// Has what was said kept for each who hears of the topic, the sender as well, and answers in the
  /// same turn: all of it is kept, or none.
  private mutating func publish(
    _ publication: TopicPublication, _ user: UserID, _ done: Reply
  ) throws(ProtocolError) {
    let owner = try owner(of: publication.topic)
    var sender: UserID? = user
    switch owner {
    case .group: break  // Groups let it pass: members may.
    case .user(let owner): guard user == owner else { throw ProtocolError(.notYourTopic) }
    case .app:
      try checkAdministrator(publication.key)
      sender = nil
    }
    let message = TopicMessage(
      to: publication.topic, scope: owner.scope, alert: publication.alert, data: publication.data,
      appID: notifications.appID, sender: sender)
    let payload: NotificationPayload
    do throws(PayloadFault) {
      payload = try message.payload(publication.options, at: turn.now)
      try publication.options.check(payload, limit: notifications.policy.payloadBytes)
    } catch { throw ProtocolError(error) }
    let notification = RemoteNotification(
      id: NotificationID(turn.mintText(prefix: "n")), date: turn.now, payload: payload)
    let addressing = TrayAddressing(options: publication.options)
    for user in trayIndex.subscribers[publication.topic]?.sorted() ?? [] where hasRoom(user) {
      post(notification, addressing, to: user)
    }
    turn.finish(done)
  }

  /// Whether a tray takes what need not be: while its journal is slow, only so much waits.
  func hasRoom(_ user: UserID) -> Bool {
    trays[user].map { $0.lane.pendingCount < turn.limits.pendingCommands } ?? true
  }

  private mutating func push(_ push: DirectPush, _ done: Reply) throws(ProtocolError) {
    try checkAdministrator(push.key)
    guard hasRoom(push.user) else { throw ProtocolError.busy(turn.limits) }
    try admitTray(of: push.user)
    let notification = RemoteNotification(
      id: NotificationID(turn.mintText(prefix: "n")), date: turn.now, payload: push.payload,
      collapseID: push.collapseID, expires: push.timeToLive.map { turn.now + $0 })
    let addressing = TrayAddressing(options: push.options)
    perform(TrayWork(command: .post(notification, addressing), reply: done), on: push.user)
  }

  private func checkAdministrator(_ key: String?) throws(ProtocolError) {
    guard let known = notifications.administratorKey else {
      throw ProtocolError(.noAdministrator)
    }
    guard let key, known.matches(key) else { throw ProtocolError(.wrongKey) }
  }
}
