import GroupSessions
import Signatures
import UserNotifications
import Vocabulary
import Wire

// What people say to topics, and the administrator to anybody.

extension Coordinator {
  mutating func subscribe(
    _ subscription: Subscription, _ device: Device, _ done: Reply
  ) throws(ProtocolError) {
    let user = device.identity.user
    switch subscription {
    case .topic(let topic):
      let owner = try owner(of: topic)
      if case .user(let other) = owner, other != user { throw ProtocolError(.notYourTopic) }
      try checkRoom(in: trayIndex.subscribers[topic], user, notifications.policy.topicSubscribers)
    case .object(let object):
      guard let group = sessions[object.session]?.session?.group, device.group == group else {
        throw unknownSession(object.session)
      }
      let subscribers = sessions[object.session]?.told.value?[object.part]?.subscribers
      try checkRoom(in: subscribers, user, notifications.policy.objectSubscribers)
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
  mutating func publish(
    _ publication: TopicPublication, _ device: Device, _ done: Reply
  ) throws(ProtocolError) {
    let owner = try owner(of: publication.topic)
    var sender: UserID? = device.identity.user
    switch owner {
    case .group(let group):
      guard groups[group]?.group?.members[device.id] != nil else {
        throw ProtocolError(.notYourTopic)
      }
    case .user(let user):
      guard user == device.identity.user else { throw ProtocolError(.notYourTopic) }
    case .app:
      try checkAdministrator(publication.key)
      sender = nil
    }
    let message = TopicMessage(
      to: publication.topic, scope: owner.scope, alert: publication.alert, data: publication.data,
      appID: notifications.appID, sender: sender)
    let payload: NotificationPayload
    do throws(PayloadFault) {
      payload = try message.payload(publication.options, at: now)
      try publication.options.check(payload, limit: notifications.policy.payloadBytes)
    } catch { throw ProtocolError(error) }
    let notification = RemoteNotification(
      id: NotificationID(mintText(prefix: "n")), date: now, payload: payload)
    let addressing = TrayAddressing(options: publication.options)
    for user in trayIndex.subscribers[publication.topic]?.sorted() ?? [] where hasRoom(user) {
      post(notification, addressing, to: user)
    }
    settle(done, .answered(.done(seq: nil)))
  }

  /// Whether a tray takes what need not be: while its journal is slow, only so much waits.
  func hasRoom(_ user: UserID) -> Bool {
    trays[user].map { $0.lane.pendingCount < limits.pendingCommands } ?? true
  }

  mutating func push(_ push: DirectPush, _ done: Reply) throws(ProtocolError) {
    try checkAdministrator(push.key)
    guard hasRoom(push.user) else { throw ProtocolError.busy(limits) }
    try admitTray(of: push.user)
    let notification = RemoteNotification(
      id: NotificationID(mintText(prefix: "n")), date: now, payload: push.payload,
      collapseID: push.collapseID, expires: push.timeToLive.map { now + $0 })
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
