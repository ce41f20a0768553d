import EventLoops
public import InAppMessaging

/// Hears from a ``MessageDisplay`` what becomes of one message; what comes too late changes nothing.
///
/// Let go before it heard of an end, the message counts as gone: nothing keeps the screen by having
/// been forgotten.
public final class MessageDisplayReporter: Sendable {
  /// The message.
  public let message: InAppMessage
  private let tell: @Sendable (MessageDisplayEvent) -> Void
  private let isOver = Locked(false)

  init(_ message: InAppMessage, tell: @escaping @Sendable (MessageDisplayEvent) -> Void) {
    self.message = message
    self.tell = tell
  }

  deinit { tell(.released) }

  /// The person has seen it.
  ///
  /// With the policy ``InAppMessaging/InAppMessage/ImpressionPolicy/explicit`` only this, a click or
  /// a dismissal counts; unsaid, the message comes again. Said before it is on screen, it counts as
  /// soon as it is.
  public func impressionDetected() { tell(.impression) }

  /// The person clicked, on that button or, `nil`, on the body; the message goes with it.
  ///
  /// Implies an impression. The click's action is taken.
  public func messageClicked(button: String? = nil) { end(.clicked(button: button)) }

  /// The message is gone; implies an impression.
  public func messageDismissed(_ reason: InAppMessage.DismissReason = .closeButton) {
    end(.dismissed(reason))
  }

  /// The message could not be shown, or not any more.
  public func displayError(_ failure: MessageViewFailure) { end(.failed(failure)) }

  /// Whether an end was reported.
  var hasEnded: Bool { isOver.withLock { $0 } }

  /// Whoever reports an end first is believed.
  private func end(_ event: MessageDisplayEvent) {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    if isFirst { tell(event) }
  }
}

/// What a display reports.
enum MessageDisplayEvent: Hashable, Sendable {
  case impression
  case clicked(button: String?)
  case dismissed(InAppMessage.DismissReason)
  case failed(MessageViewFailure)
  /// Nobody can report any more.
  case released
}
