public import InAppMessaging

/// Draws messages: commands come in as values, what happens goes out as values.
///
/// So a view may live anywhere: in this process, on a terminal, in a browser at the other end of a
/// connection. One value draws any number of messages, one after another.
public protocol MessageView: Sendable {
  /// Draws one message, from its first command to its last; runs in a task of its own.
  ///
  /// The first command is ``MessageViewCommand/show(_:)``. When the commands end, the message is
  /// gone for good, and the task is cancelled. Returning before ``MessageViewEvent/dismissed`` was
  /// reported means that the view went by itself.
  func run(_ presentation: MessagePresentation) async
}

/// One message's time on screen, for the ``MessageView`` that draws it.
public struct MessagePresentation: Sendable, Identifiable {
  /// The delivery.
  public let id: MessageID
  /// What is to be done, in this order; for one reader.
  public let commands: AsyncStream<MessageViewCommand>
  let tell: @Sendable (MessageViewEvent) -> Void

  /// Tells what happened; what comes too late changes nothing.
  public func report(_ event: MessageViewEvent) { tell(event) }
}
