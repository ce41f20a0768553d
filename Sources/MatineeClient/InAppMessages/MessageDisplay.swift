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
