public import GroupSessions
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

/// What a view is to do.
public enum MessageViewCommand: Hashable, Sendable {
  /// Come on screen, and report `presented` when all movement is done: within five seconds.
  case show(ShownMessage)
  /// Show this instead, in place, without a movement: other media, other colours, turned around.
  case update(ShownMessage)
  /// Stop what plays in it.
  case pause
  /// Go, and report `dismissed` when it is gone: within five seconds.
  case dismiss(animated: Bool)
}

/// A message as it is to be shown in the surroundings of the moment.
public struct ShownMessage: Hashable, Sendable {
  /// What is shown; what the app changed is in it.
  public var message: InAppMessage
  /// The name by which the view was chosen.
  public var viewType: String
  /// How far a message at an edge stands from it, besides what the view keeps clear; in points.
  public var edgeOffset: Double
  /// Whether the surroundings are light or dark.
  public var colorScheme: ColorScheme
  /// How it is held.
  public var orientation: Orientation
  /// Whether it covers the screen; a full screen message in a large window is a dialog.
  public var coversScreen: Bool
  /// Whether it comes with a movement.
  public var isAnimated: Bool
  /// Whether what plays here alone could be shared with the group now.
  public var canShare: Bool

  /// The buttons that can be used now: one that starts the watching for everyone is there only while
  /// that is possible.
  public var buttons: [InAppMessage.Button] {
    guard !canShare else { return message.buttons }
    return message.buttons.filter { !$0.clickAction.leaves.contains(.session(.startForAll)) }
  }

  /// The message's colours in these surroundings.
  public var theme: InAppMessage.Theme { message.themes.theme(for: colorScheme) }

  /// A button's colours in these surroundings.
  public func theme(of button: InAppMessage.Button) -> InAppMessage.Theme {
    button.themes.theme(for: colorScheme)
  }

  /// The video it shows, and its title, if its view is a player's.
  public var video: MediaItem? { message.video }

  /// The items its text lists, for views that let a person choose.
  ///
  /// - Parameter isLenient: a comma alone separates, whatever the space around; else a comma and a
  ///   space do, so that items may have commas in them.
  public func items(isLenient: Bool = false) -> [String] {
    ItemList(message, isLenient ? .lenient : .exact).items
  }

  /// The attribute in which a choice is to be kept; without one nothing can be submitted.
  public var attributeKey: String? { ItemList(message).attributeKey }
}

extension InAppMessage {
  /// The video it shows, and its title, if its view is a player's.
  public var video: MediaItem? {
    VideoView(self).map { MediaItem(title: $0.title, url: $0.url) }
  }
}

/// What a view tells of its message.
public enum MessageViewEvent: Hashable, Sendable {
  /// It is on screen, all movement done.
  case presented
  /// It is gone, all movement done.
  case dismissed
  /// The person clicked a button, or with `nil` the body.
  ///
  /// - Parameters:
  ///   - button: the button's id.
  ///   - action: what a custom view or a page wants done, such as setting the attribute that was
  ///     chosen; `nil` is what the message says.
  ///   - isTransient: whether the message stays.
  ///   - isOnControl: whether a control of the view was touched, such as a switch, which is no click
  ///     on the body.
  case clicked(
    button: String?, action: InAppMessage.ClickAction? = nil, isTransient: Bool = false,
    isOnControl: Bool = false)
  /// A page logs a click that does nothing.
  case loggedClick(button: String?)
  /// The person closed it.
  case closed(MessageCloseGesture)
  /// It does not want to show this now, and did not.
  case declined
  /// It went away without being asked to.
  case detached
  /// It cannot show this.
  case failed(MessageViewFailure)
}

/// How a person closes a message other than by a click that does something.
public enum MessageCloseGesture: Hashable, Sendable {
  /// By the button for it.
  case button
  /// By a tap beside it.
  case tapOutside
  /// By the key.
  case escape
  /// Towards its edge; one that begins on a control of the view is none.
  case swipe(fromControl: Bool = false)
}

/// Why a view could not show a message.
public enum MessageViewFailure: Hashable, Sendable, CaseIterable {
  /// An image could not be had, or not be read.
  case image
  /// The content is not in order.
  case content
  /// Anything else.
  case other
}
