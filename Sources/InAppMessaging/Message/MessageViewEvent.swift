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

extension MessageViewFailure {
  var refusal: InAppMessage.Refusal {
    switch self {
    case .image: .assets
    case .content: .invalidContent
    case .other: .noDisplay
    }
  }
}
