import InAppMessaging
import UserNotifications
import Vocabulary
import Wire

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
