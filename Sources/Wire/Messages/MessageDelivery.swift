package import InAppMessaging
package import Vocabulary

/// A message for this device to show.
package struct MessageDelivery: Equatable, Sendable {
  package var message: InAppMessage
  /// When it expires, unless it is on the stack by then.
  package var expires: Instant
  /// Whether an impression has been counted already, because the client restarted.
  package var wasSeen: Bool

  package init(_ message: InAppMessage, expires: Instant, wasSeen: Bool = false) {
    self.message = message
    self.expires = expires
    self.wasSeen = wasSeen
  }
}

/// A delivery that this version cannot show, for example of a kind that only a newer server knows.
///
/// Only this delivery is dropped, and reported as `invalidContent`.
package struct UnreadableMessage: Equatable, Sendable {
  package var id: MessageID
  /// The line as it was received.
  package var line: JSONText
  /// What is wrong with it, and in which field.
  package var error: ProtocolError

  package init(_ id: MessageID, line: JSONText, error: ProtocolError) {
    self.id = id
    self.line = line
    self.error = error
  }
}

/// The revocation of a delivery.
package struct MessageRevocation: Equatable, Sendable {
  package var id: MessageID
  package var reason: InAppMessage.Refusal
  /// Whether the message is removed even while it is on screen.
  package var isForced: Bool

  package init(_ id: MessageID, because reason: InAppMessage.Refusal, isForced: Bool = false) {
    self.id = id
    self.reason = reason
    self.isForced = isForced
  }
}
