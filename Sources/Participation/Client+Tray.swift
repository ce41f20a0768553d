import UserNotifications
import Vocabulary
import Wire

// What the server hears about notifications, and when.

extension Client {
  /// Notes something that the server has to hear, now or when it can.
  mutating func tell(_ notice: NotificationNotice) {
    if let lost = notifying.outbox.add(notice, at: now) { lose(lost, nil) }
    sendNotificationNotices()
  }

  /// Sends the next notice, if no answer is awaited.
  mutating func sendNotificationNotices() {
    guard link.isOnline, notifying.isAvailable, !pending.isFull else { return }
    for notice in notifying.outbox.expire(at: now) { lose(notice, nil) }
    guard let next = notifying.outbox.next else { return }
    notifying.outbox.markSent(next.sequence)
    let request: TrayRequest =
      switch next.notice {
      case .report(let id, let report): .report(id, report)
      case .wish(let wish): wish
      }
    askOwn(.notifications(request), .notificationNotice(next.sequence))
  }

  /// The server answered a notice, or did not.
  mutating func settleNotice(_ sequence: Int, _ outcome: Outcome) {
    switch outcome {
    case .answered, .reported, .explained, .listed, .object:
      guard let notice = notifying.outbox.settle(sequence) else { break }
      if case .report(let id, .responded) = notice { bring(.heard(id)) }
      if case .wish(.subscribe(.object(let object))) = notice { follow(object) }
    case .failed(.timedOut), .failed(.forgotten): notifying.outbox.release(sequence)
    case .failed(.closed): return
    case .failed(let failure): refused(notifying.outbox.settle(sequence), failure)
    }
    sendNotificationNotices()
  }

  private mutating func refused(_ notice: NotificationNotice?, _ failure: Failure) {
    if case .refused(let error) = failure, error.code == .notificationsUnavailable {
      // What else waits would be refused, too; another connection may lead to another server.
      notifying.isAvailable = false
      return notifying.outbox.removeAll()
    }
    switch notice {
    case .report(let id, .responded)?:
      // Should the server list it still, it stands.
      bring(.heard(id))
      lose(notice, failure)
    case .wish(.subscribe(let subscription))?: unfollow(subscription)
    case .wish(.register)?: notifying.registration = nil
    case .report?, .wish?, nil: break
    }
  }

  /// Only what the person did is missed by anybody.
  mutating func lose(_ notice: NotificationNotice?, _ failure: Failure?) {
    guard case .report(let id, let report)? = notice else { return }
    publish(.reportLost(id, report, failure))
  }

  // MARK: What the app wants

  /// Notes what the app asks for, so that it stands whatever becomes of connections and servers.
  mutating func note(_ request: TrayRequest) {
    switch request {
    case .register(let mode, _, _):
      notifying.registration = request
      bring(.register(mode))
    case .unregister: notifying.registration = nil
    case .subscribe(let subscription):
      guard !notifying.subscriptions.contains(subscription),
        notifying.subscriptions.count < Notifying.mostSubscriptions
      else { return }
      notifying.subscriptions.append(subscription)
    case .unsubscribe(let subscription): unfollow(subscription)
    case .wipe:
      notifying.registration = nil
      for subscription in notifying.subscriptions { unfollow(subscription) }
      notifying.outbox.removeAll()
      bring(.userChanged)
    case .publish, .push, .list, .report, .remove, .objectState: break
    }
  }

  /// The app's wish was granted.
  mutating func granted(_ request: TrayRequest) {
    switch request {
    case .subscribe(.object(let object)): follow(object)
    default: break
    }
  }

  /// The app's wish was refused; of what may have been granted nothing is said here.
  mutating func refused(_ request: TrayRequest) {
    switch request {
    case .register: if notifying.registration == request { notifying.registration = nil }
    case .subscribe(let subscription): unfollow(subscription)
    default: break
    }
  }

  /// Says again to a server that does not know this device what it wants.
  mutating func wishAnew() {
    notifying.outbox.removeAll { !$0.mayGo }
    for object in notifying.objects.keys { notifying.objects[object] = FollowedObject() }
    let wishes =
      [notifying.registration].compactMap(\.self)
      + notifying.subscriptions.map { TrayRequest.subscribe($0) }
    for wish in wishes { tell(.wish(wish)) }
  }
}
