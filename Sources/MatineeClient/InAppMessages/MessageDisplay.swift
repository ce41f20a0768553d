import EventLoops
public import InAppMessaging

/// An app that draws every message itself: Firebase's `InAppMessagingDisplay`.
///
/// It takes the place of all views and of the delegate. What becomes of a message it tells by the
/// reporter, and by nothing else.
public protocol MessageDisplay: Sendable {
  /// Shows a message, or says that it cannot now.
  ///
  /// Accepted, the message counts as on screen until the reporter hears of its end, or is let go.
  /// Without an answer within fifteen seconds it is refused and may come again.
  ///
  /// - Parameters:
  ///   - message: the message, as its campaign has it.
  ///   - reporter: hears what becomes of it. Hold it for as long as the message is on screen.
  func display(
    _ message: InAppMessage, reportingTo reporter: MessageDisplayReporter
  ) async -> DisplayAnswer

  /// Takes a message from the screen, such as when another person uses the app or its session ended.
  func dismiss(_ id: MessageID, because reason: InAppMessage.DismissReason) async
}

extension MessageDisplay {
  /// Does nothing: for displays whose messages go by themselves.
  public func dismiss(_ id: MessageID, because reason: InAppMessage.DismissReason) async {}
}

/// Whether a display shows a message.
public enum DisplayAnswer: Hashable, Sendable, CaseIterable {
  /// It is on screen.
  case accepted
  /// Something else is in the way: the message waits on the stack.
  case declined
}

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
