import GroupSessions
import Signatures
import UserNotifications
import Vocabulary
import Wire

// Requests about notifications, and their recipients.

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
    try takeCost(of: request, by: user)
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

// Publications to topics, and the administrator's pushes.

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

  /// Posts a publication to all subscribers' trays, including the sender's, and answers in the same
  /// turn, so that all of it is stored or nothing.
  private mutating func publish(
    _ publication: TopicPublication, _ sender: Sender, _ done: Reply
  ) throws(ProtocolError) {
    let owner = try owner(of: publication.topic)
    /// Who is named as its sender, and pays for it.
    var author: UserID? = sender.user
    switch owner {
    case .group: break  // Groups has checked that the sender is a member.
    case .user(let owner): guard sender.user == owner else { throw ProtocolError(.notYourTopic) }
    case .app:
      try checkAdministrator(sender, publication.key)
      author = nil
    }
    // Only the server invites.
    guard publication.category != NotificationCategory.groupWatchInviteID else {
      throw ProtocolError(.invalidField, field: "category")
    }
    let message = TopicMessage(
      to: publication.topic, scope: owner.scope, alert: publication.alert,
      category: publication.category, data: publication.data, appID: notifications.appID,
      sender: author)
    let payload: NotificationPayload
    do throws(PayloadFault) {
      payload = try message.payload(publication.options, at: turn.now)
      try publication.options.check(payload, limit: notifications.policy.payloadBytes)
    } catch { throw ProtocolError(error) }
    let notification = RemoteNotification(
      id: NotificationID(turn.mintText(prefix: "n")), date: turn.now, payload: payload)
    if let author {
      try takeCost(
        ofPublishing: notification, publication.options, to: publication.topic, by: author)
    }
    let addressing = TrayAddressing(options: publication.options)
    for user in trayIndex.subscribers[publication.topic]?.sorted() ?? [] where hasRoom(user) {
      post(notification, addressing, to: user)
    }
    turn.finish(done)
  }

  /// Whether a tray accepts optional work: the pending commands are limited while its journal is
  /// slow.
  func hasRoom(_ user: UserID) -> Bool {
    trays[user].map { $0.lane.pendingCount < turn.limits.pendingCommands } ?? true
  }

  private mutating func push(_ push: DirectPush, _ sender: Sender, _ done: Reply)
    throws(ProtocolError)
  {
    try checkAdministrator(sender, push.key)
    guard hasRoom(push.user) else { throw ProtocolError.busy(turn.limits) }
    guard !isUnclaimed(push.user) else { return turn.finish(done) }
    try admitTray(of: push.user)
    let notification = RemoteNotification(
      id: NotificationID(turn.mintText(prefix: "n")), date: turn.now, payload: push.payload,
      collapseID: push.collapseID, expires: push.timeToLive.map { turn.now + $0 })
    let addressing = TrayAddressing(options: push.options)
    perform(TrayWork(command: .post(notification, addressing), reply: done), on: push.user)
  }

  /// Checks that a sender's credential gives it the right, or the key with its request.
  private func checkAdministrator(_ sender: Sender, _ key: String?) throws(ProtocolError) {
    guard !sender.isAdministrator || key != nil else { return }
    guard let known = notifications.administratorKey else {
      throw ProtocolError(.noAdministrator)
    }
    guard let key, known.matches(key) else { throw ProtocolError(.wrongKey) }
  }
}
