package import InAppMessaging
package import Vocabulary

/// A message for this device to show.
package struct MessageDelivery: Equatable, Sendable {
  package var message: InAppMessage
  /// Until when it may come on the screen, unless it waits on the stack.
  package var expires: Instant
  /// Whether it counts as seen already: its client started anew, and it is to count no second time.
  package var wasSeen: Bool

  /// A delivery.
  package init(_ message: InAppMessage, expires: Instant, wasSeen: Bool = false) {
    self.message = message
    self.expires = expires
    self.wasSeen = wasSeen
  }
}

/// A delivery that this version cannot show, such as of a kind that only a newer server knows.
///
/// It is dropped alone, and told to be `invalidContent`.
package struct UnreadableMessage: Equatable, Sendable {
  package var id: MessageID
  /// The line as it came.
  package var line: JSONText
  /// What is wrong with it, the field named.
  package var error: ProtocolError

  /// A delivery that cannot be shown.
  package init(_ id: MessageID, line: JSONText, error: ProtocolError) {
    self.id = id
    self.line = line
    self.error = error
  }
}

/// A delivery that the server takes back.
package struct MessageRevocation: Equatable, Sendable {
  package var id: MessageID
  package var reason: InAppMessage.Refusal
  /// Whether it goes even from the screen.
  package var isForced: Bool

  /// A revocation.
  package init(_ id: MessageID, because reason: InAppMessage.Refusal, isForced: Bool = false) {
    self.id = id
    self.reason = reason
    self.isForced = isForced
  }
}
