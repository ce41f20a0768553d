public import InAppMessaging

/// Decides about messages and follows their life cycle; modelled on Braze's delegate of that name.
///
/// Every requirement has a default, so an app implements only what it needs. A main-actor class, an
/// actor or a plain value can conform, and its methods need not be `async`.
///
/// Calls are made one at a time, in the order of the events. A slow answer delays only the message
/// it is about, and for five seconds at most: then ``displayChoice(for:origin:)`` counts as `now`,
/// and ``shouldProcess(_:button:buttonID:of:in:)`` as `true`. Methods that return nothing should
/// return soon, because later calls wait for them; 256 calls are queued, and then the oldest is
/// dropped.
///
/// Once a message has its view, the calls have it, too; it is `nil` if the app has removed it
/// meanwhile. Braze's calls have the messages' interface besides; here that is
/// ``GroupWatchClient/inAppMessages`` of the client whose delegate this is.
///
/// When the app sets a ``MessageDisplay``, the delegate is not called.
public protocol InAppMessageUIDelegate: Sendable {
  /// Decides about a message that is about to be shown; the default shows it.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - origin: where the message comes from; a message from the stack is asked about again.
  func displayChoice(for message: InAppMessage, origin: MessageOrigin) async -> DisplayChoice

  /// Changes how a message is presented, or replaces the message.
  ///
  /// The delivery keeps its id and campaign in either case.
  func prepare(with context: inout PresentationContext) async

  /// Names the view for a message.
  ///
  /// The default, `nil`, leaves the choice to ``prepare(with:)``, the campaign's `view_type`, the
  /// message's kind, and the default view, in this order.
  func viewType(for message: InAppMessage) async -> String?

  /// Called before a message comes on screen.
  func willPresent(_ message: InAppMessage, in view: (any MessageView)?) async

  /// Called when a message is on screen.
  func didPresent(_ message: InAppMessage, in view: (any MessageView)?) async

  /// Called before the visible message changes in place, such as to a session's new video.
  func willUpdate(_ message: InAppMessage, in view: (any MessageView)?) async

  /// Called before a message leaves the screen.
  func willDismiss(
    _ message: InAppMessage, because reason: InAppMessage.DismissReason,
    in view: (any MessageView)?
  ) async

  /// Called when a message has left the screen.
  func didDismiss(
    _ message: InAppMessage, because reason: InAppMessage.DismissReason,
    in view: (any MessageView)?
  ) async

  /// Decides whether a click's action is performed.
  ///
  /// The click is counted and closes the message in either case.
  ///
  /// - Parameters:
  ///   - action: the action to perform.
  ///   - button: the button with that id; `nil` for the body, or if no button has that id.
  ///   - buttonID: the id that the view reported; `nil` for the body.
  ///   - message: the message.
  ///   - view: the view that shows it.
  func shouldProcess(
    _ action: InAppMessage.ClickAction, button: InAppMessage.Button?, buttonID: String?,
    of message: InAppMessage, in view: (any MessageView)?
  ) async -> Bool

  /// Called once for each delivery, when it ends.
  func finished(_ id: MessageID, _ outcome: InAppMessage.Outcome) async
}

extension InAppMessageUIDelegate {
  /// Shows the message.
  public func displayChoice(
    for message: InAppMessage, origin: MessageOrigin
  ) async -> DisplayChoice { .now }

  /// Changes nothing.
  public func prepare(with context: inout PresentationContext) async {}

  /// Leaves the choice to the campaign.
  public func viewType(for message: InAppMessage) async -> String? { nil }

  /// Does nothing.
  public func willPresent(_ message: InAppMessage, in view: (any MessageView)?) async {}

  /// Does nothing.
  public func didPresent(_ message: InAppMessage, in view: (any MessageView)?) async {}

  /// Does nothing.
  public func willUpdate(_ message: InAppMessage, in view: (any MessageView)?) async {}

  /// Does nothing.
  public func willDismiss(
    _ message: InAppMessage, because reason: InAppMessage.DismissReason,
    in view: (any MessageView)?
  ) async {}

  /// Does nothing.
  public func didDismiss(
    _ message: InAppMessage, because reason: InAppMessage.DismissReason,
    in view: (any MessageView)?
  ) async {}

  /// Performs every click's action.
  public func shouldProcess(
    _ action: InAppMessage.ClickAction, button: InAppMessage.Button?, buttonID: String?,
    of message: InAppMessage, in view: (any MessageView)?
  ) async -> Bool { true }

  /// Does nothing.
  public func finished(_ id: MessageID, _ outcome: InAppMessage.Outcome) async {}
}

/// Performs the click actions that only an app can perform.
public protocol MessageActionHandler: Sendable {
  /// Performs an action, after the delegate has allowed it.
  ///
  /// Actions are performed one at a time, in the order of the clicks. Only later actions wait for an
  /// action that takes long, such as a question that the system asks. The clicked message leaves the
  /// screen meanwhile.
  ///
  /// - Parameters:
  ///   - action: opening a page, going to a screen of the app, asking for permission to send
  ///     notifications, or sharing the media that plays here with everyone. Actions that the
  ///     library performs itself, such as logging an event or joining a session, are not passed
  ///     here. Links lead to the web or to an app's own scheme, never into code.
  ///   - message: the message that was clicked.
  func perform(_ action: InAppMessage.ClickAction, of message: InAppMessage) async
}
