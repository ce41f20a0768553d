import InAppMessaging
import UserNotifications
import Vocabulary
import Wire

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
