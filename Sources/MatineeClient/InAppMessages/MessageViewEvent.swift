public import InAppMessaging

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
