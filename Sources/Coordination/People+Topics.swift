import Signatures
import UserNotifications
import Vocabulary
import Wire

// Requests about topics, and the administrator's pushes.

extension People {
  mutating func subscribe(_ subscription: Subscription, _ user: UserID, _ done: Reply)
    throws(ProtocolError)
  {
    if case .topic(let topic) = subscription {
      let owner = try owner(of: topic)
      if case .user(let other) = owner, other != user { throw ProtocolError(.notYourTopic) }
      try checkRoom(in: trays.index.subscribers[topic], user, notifications.policy.topicSubscribers)
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
  /// turn, so that all of it is stored or nothing; in a tray that is busy, it is stored next.
  mutating func publish(
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
    let receivers = trays.index.subscribers[publication.topic] ?? []
    guard !receivers.contains(where: { trays[$0]?.lane.isUnavailable == true }) else {
      throw .journalUnavailable(turn.limits)
    }
    if let author {
      try charge(notification.cost(publication.options, to: receivers.count, by: author))
    }
    let addressing = TrayAddressing(options: publication.options)
    for user in receivers.sorted() where hasRoom(user) {
      post(notification, addressing, to: user, isWithAnswer: true)
    }
    turn.finish(done)
  }

  mutating func push(_ push: DirectPush, _ sender: Sender, _ done: Reply)
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
  ///
  /// Who shows no key lacks the right, and has not guessed a wrong one.
  private func checkAdministrator(_ sender: Sender, _ key: String?) throws(ProtocolError) {
    let known = notifications.administratorKey
    guard let key else {
      guard !sender.isAdministrator else { return }
      guard mode == .tokens || known != nil else { throw ProtocolError(.noAdministrator) }
      throw ProtocolError(.forbidden, reason: "administrator")
    }
    guard let known else { throw ProtocolError(.noAdministrator) }
    guard known.matches(key) else { throw ProtocolError(.wrongKey) }
  }
}
