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
  /// Show the message, and report `presented` within five seconds, when all animation is done.
  case show(ShownMessage)
  /// Show this instead, in place and without animation, because media, colours or orientation
  /// changed.
  case update(ShownMessage)
  /// Stop the media that plays in the message.
  case pause
  /// Remove the message, and report `dismissed` within five seconds, when it is gone.
  case dismiss(animated: Bool)
}

/// A message and the environment in which it is shown.
public struct ShownMessage: Hashable, Sendable {
  /// The message, with the app's changes.
  public var message: InAppMessage
  /// The name that selected the view.
  public var viewType: String
  /// The distance of an edge message from its edge, in points, in addition to the view's own
  /// margin; ``distance(fromEdge:)`` is the whole of it.
  public var edgeOffset: Double
  /// Whether the app's appearance is light or dark.
  public var colorScheme: ColorScheme
  /// The orientation to show it in.
  public var orientation: Orientation
  /// Whether it covers the screen; in a large window a full-screen message is a dialog.
  public var coversScreen: Bool
  /// Whether it appears with an animation.
  public var isAnimated: Bool
  /// Whether the media that plays here alone can be shared with the group now.
  public var canShare: Bool

  /// The buttons that can be used now; a button that starts watching for everyone is left out while
  /// that is impossible.
  public var buttons: [InAppMessage.Button] {
    guard !canShare else { return message.buttons }
    return message.buttons.filter { !$0.clickAction.leaves.contains(.session(.startForAll)) }
  }

  /// How far a message at an edge stands from it, in points; ask again whenever the base changes, as
  /// it does when the device is turned.
  ///
  /// - Parameter base: the space that the view keeps clear: of a notch, a keyboard or a toolbar.
  /// - Returns: the base and ``edgeOffset``; or the message's extra `slideConstraint`, which is the
  ///   whole distance.
  public func distance(fromEdge base: Double) -> Double {
    var offset = EdgeOffset(message)
    (offset.base, offset.adjustment) = (base, edgeOffset)
    return offset.distance
  }

  /// The message's colours in this colour scheme.
  public var theme: InAppMessage.Theme { message.themes.theme(for: colorScheme) }

  /// A button's colours in this colour scheme.
  public func theme(of button: InAppMessage.Button) -> InAppMessage.Theme {
    button.themes.theme(for: colorScheme)
  }

  /// The video it shows and its title; `nil` if its view is not a player.
  public var video: MediaItem? { message.video }

  /// The items that its text lists, for views that let a person choose.
  ///
  /// - Parameter isLenient: whether a comma alone separates items, with or without spaces around
  ///   it; otherwise a comma and a space do, so that items can contain commas.
  public func items(isLenient: Bool = false) -> [String] {
    ItemList(message, isLenient ? .lenient : .exact).items
  }

  /// The attribute that stores the choice; `nil` means that nothing can be submitted.
  public var attributeKey: String? { ItemList(message).attributeKey }
}

extension InAppMessage {
  /// The video it shows and its title; `nil` if its view is not a player.
  public var video: MediaItem? {
    VideoView(self).map { MediaItem(title: $0.title, url: $0.url) }
  }
}

/// An event that a view reports about its message.
public enum MessageViewEvent: Hashable, Sendable {
  /// The message is on screen, and all animation is done.
  case presented
  /// The message is gone, and all animation is done.
  case dismissed
  /// The person clicked a button or, with `nil`, the body.
  ///
  /// - Parameters:
  ///   - button: the button's id.
  ///   - action: the action that a custom view or a page asks for, such as setting the chosen
  ///     attribute; `nil` for the message's own action.
  ///   - isTransient: whether the message stays on screen.
  ///   - isOnControl: whether the person touched a control of the view, such as a switch; this is
  ///     not a click on the body.
  case clicked(
    button: String?, action: InAppMessage.ClickAction? = nil, isTransient: Bool = false,
    isOnControl: Bool = false)
  /// A page logged a click that has no action.
  case loggedClick(button: String?)
  /// The person closed the message.
  case closed(MessageCloseGesture)
  /// The view declined to show the message now.
  case declined
  /// The view went away without a command; the message is dismissed.
  ///
  /// - Parameter leavesSession: whether the session that it hosts is dismissed, too.
  case detached(leavesSession: Bool = true)
  /// The view cannot show the message.
  case failed(MessageViewFailure)
}

/// A gesture that closes a message without a click action.
public enum MessageCloseGesture: Hashable, Sendable {
  /// The close button.
  case button
  /// A tap outside the message.
  case tapOutside
  /// The Escape key.
  case escape
  /// A swipe towards the message's edge; a swipe that begins on a control of the view does not
  /// close.
  case swipe(fromControl: Bool = false)
}

/// Why a view could not show a message.
public enum MessageViewFailure: Hashable, Sendable, CaseIterable {
  /// An image could not be loaded or decoded.
  case image
  /// The content is invalid.
  case content
  /// Anything else.
  case other
}
