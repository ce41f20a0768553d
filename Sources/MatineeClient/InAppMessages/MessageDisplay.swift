import EventLoops
public import InAppMessaging

/// Draws every message in the app's own way; modelled on Firebase's `InAppMessagingDisplay`.
///
/// A display replaces all views and the delegate. It reports what happens to a message only through
/// the reporter. It gets all buttons of a message, also the one that shares with the group: show that
/// one while ``GroupStateObserver/isEligibleForGroupSession``.
public protocol MessageDisplay: Sendable {
  /// The kinds of messages that it draws; by default all.
  ///
  /// A message of another kind is refused, and does not wait on the stack.
  var kinds: Set<InAppMessage.Kind> { get }

  /// Shows a message, or declines it for now.
  ///
  /// An accepted message counts as on screen until the reporter receives its end or is released.
  /// Without an answer in fifteen seconds the message counts as refused and may come again.
  ///
  /// - Parameters:
  ///   - message: the message as the campaign defines it.
  ///   - reporter: receives what happens to the message. Keep it while the message is on screen.
  func display(
    _ message: InAppMessage, reportingTo reporter: MessageDisplayReporter
  ) async -> DisplayAnswer

  /// Removes a message from the screen, such as when another person uses the app or its session
  /// ended; called once `display` has accepted it.
  func dismiss(_ id: MessageID, because reason: InAppMessage.DismissReason) async
}

extension MessageDisplay {
  /// All kinds.
  public var kinds: Set<InAppMessage.Kind> { Set(InAppMessage.Kind.allCases) }

  /// Does nothing, for displays whose messages disappear by themselves.
  public func dismiss(_ id: MessageID, because reason: InAppMessage.DismissReason) async {}
}

/// Whether a display shows a message.
public enum DisplayAnswer: Hashable, Sendable, CaseIterable {
  /// The message is on screen.
  case accepted
  /// Something else is on screen; the message waits on the stack.
  case declined
}

/// Receives a ``MessageDisplay``'s reports about one message; late reports have no effect.
///
/// If the reporter is released before an end was reported, the message counts as gone, so that a
/// forgotten message does not block the screen.
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

  /// Reports that the person has seen the message.
  ///
  /// With the policy ``InAppMessage/ImpressionPolicy/explicit`` only this report, a
  /// click or a dismissal counts as an impression; without any of them the message comes again. A
  /// report made before the message is on screen counts as soon as it is.
  public func impressionDetected() { tell(.impression) }

  /// Reports a click on a button or, with `nil`, on the body; the click ends the message.
  ///
  /// It implies an impression, and the click's action is performed.
  public func messageClicked(button: String? = nil) { end(.clicked(button: button)) }

  /// Reports that the message is gone; it implies an impression.
  public func messageDismissed(_ reason: InAppMessage.DismissReason = .closeButton) {
    end(.dismissed(reason))
  }

  /// Reports that the message cannot be shown, or cannot stay on screen.
  public func displayError(_ failure: MessageViewFailure) { end(.failed(failure)) }

  /// Whether an end was reported.
  var hasEnded: Bool { isOver.withLock { $0 } }

  /// Only the first end counts.
  private func end(_ event: MessageDisplayEvent) {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    if isFirst { tell(event) }
  }
}

/// A display's report about a message.
enum MessageDisplayEvent: Hashable, Sendable {
  case impression
  case clicked(button: String?)
  case dismissed(InAppMessage.DismissReason)
  case failed(MessageViewFailure)
  /// The reporter was released, so no report can follow.
  case released
}
