import InAppMessaging
import Vocabulary
import Wire

// The end of a client: because its app closes, or because another person takes the device over.

extension Participant {
  mutating func close() {
    show(.pageClosed)
    if link.isOnline, group != nil {
      // A word is enough: nobody waits a grace for someone who said goodbye.
      let id = pending.add(.leaveGroup, .nobody, until: now)
      emit(.send(.request(id, .leaveGroup)))
    }
    end(.closed)
  }

  /// The person goes: so does what they see and take part in, and the client once the server has
  /// heard what they did.
  mutating func retire(within patience: Duration) {
    guard messaging.retires == nil else { return }
    messaging.retires = now + patience
    show(.userChanged(nil))
    ask(.leave(nil), Self.ownTag)
    ask(.leaveGroup, Self.ownTag)
  }

  /// Closes a client whose person went, as soon as nothing of theirs waits, or it waited for too
  /// long; what is left is nobody else's.
  mutating func finishRetiring() {
    guard let limit = messaging.retires, link.stage != .closed else { return }
    let waiting = messaging.outbox.entries
    guard waiting.isEmpty || limit <= now else { return }
    for entry in waiting { publish(.unsent("\(entry.notice.text): its person went")) }
    close()
  }
}
