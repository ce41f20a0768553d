public import GroupSessions
public import InAppMessaging

/// Draws messages; it receives commands as values and reports events as values.
///
/// So a view can live anywhere: in this process, on a terminal, or in a browser at the other end of
/// a connection. One view draws any number of messages, one at a time.
public protocol MessageView: Sendable {
  /// Draws one message, from its first command to its last, in a task of its own.
  ///
  /// The first command is ``MessageViewCommand/show(_:)``. When the commands end, the message is
  /// gone for good and the task is cancelled. If the method returns before
  /// ``MessageViewEvent/dismissed`` was reported, the message is dismissed, and with it the session
  /// that it hosts. A view that only makes way reports ``MessageViewEvent/detached(leavesSession:)``
  /// with `false` before it returns.
  func run(_ presentation: MessagePresentation) async
}

/// One message's time on screen, for the ``MessageView`` that draws it.
public struct MessagePresentation: Sendable, Identifiable {
  /// The id of the delivery.
  public let id: MessageID
  /// The commands, in order; for one reader.
  public let commands: AsyncStream<MessageViewCommand>
  let tell: @Sendable (MessageViewEvent) -> Void

  /// Reports an event; late events have no effect.
  public func report(_ event: MessageViewEvent) { tell(event) }
}

/// A command to a view.
public enum MessageViewCommand: Hashable, Sendable {
  /// Show the message, and report `presented` when all animation is done.
  ///
  /// A message may take fifteen seconds from getting the screen, its images included; then it failed.
  case show(ShownMessage)
  /// Show this instead, in place and without animation, because media, colours or orientation
  /// changed.
  case update(ShownMessage)
  /// Stop the media that plays in the message.
  case pause
  /// Remove the message, and report `dismissed` within five seconds, when it is gone.
  case dismiss(animated: Bool)
}

extension ShownMessage {
  /// The video it shows and its title; `nil` if its view is not a player.
  public var video: MediaItem? { message.video }
}

extension InAppMessage {
  /// The video it shows and its title; `nil` if its view is not a player.
  public var video: MediaItem? {
    VideoView(self).map { MediaItem(title: $0.title, url: $0.url) }
  }
}
