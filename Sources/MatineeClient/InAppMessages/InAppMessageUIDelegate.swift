public import InAppMessaging

/// What an app has to say about messages, and hears of them: Braze's delegate of that name.
///
/// Every requirement has a default, so that an app writes only what it wants. An app's class on the
/// main actor, an actor or a plain value may conform; its methods need not be `async`.
///
/// The calls come one after another, in the order in which things happen. An answer that is slow
/// holds nothing else up than the message it is about, and not for ever: after five seconds
/// ``displayChoice(for:origin:)`` counts as `now`, and ``shouldProcess(_:button:buttonID:in:)`` as
/// yes. The methods that only tell should return soon: what comes after them waits, 256 of it, and
/// then the oldest goes.
///
/// With a ``MessageDisplay`` of the app's own the delegate is silent.
public protocol InAppMessageUIDelegate: Sendable {
  /// Decides about a message that is about to be shown; by default it is.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - origin: by which way it comes; one from the stack is asked about again.
  func displayChoice(for message: InAppMessage, origin: MessageOrigin) async -> DisplayChoice

  /// Changes how a message is presented, or puts another message in its place.
  ///
  /// The delivery keeps its id and its campaign, whatever is shown.
  func prepare(with context: inout PresentationContext) async

  /// Names the view for a message; `nil`, as by default, leaves it to ``prepare(with:)``, to the
  /// campaign's `view_type`, to the kind, and then to the default view.
  func viewType(for message: InAppMessage) async -> String?

  /// A message is coming on screen.
  func willPresent(_ message: InAppMessage) async

  /// A message is on screen.
  func didPresent(_ message: InAppMessage) async

  /// What is on screen changes in place, such as to a session's new video.
  func willUpdate(_ message: InAppMessage) async

  /// A message is going.
  func willDismiss(_ message: InAppMessage, because reason: InAppMessage.DismissReason) async

  /// A message is gone.
  func didDismiss(_ message: InAppMessage, because reason: InAppMessage.DismissReason) async

  /// Decides whether a click does what its author meant; the click is counted and closes the
  /// message either way.
  ///
  /// - Parameters:
  ///   - action: what it would do.
  ///   - button: the button, found by its id; `nil` for the body, or if none has that id.
  ///   - buttonID: what was clicked, as the view named it; `nil` is the body.
  ///   - message: the message.
  func shouldProcess(
    _ action: InAppMessage.ClickAction, button: InAppMessage.Button?, buttonID: String?,
    in message: InAppMessage
  ) async -> Bool

  /// A delivery came to its end; each does once.
  func finished(_ id: MessageID, _ outcome: InAppMessage.Outcome) async
}

extension InAppMessageUIDelegate {
  /// Shows it.
  public func displayChoice(
    for message: InAppMessage, origin: MessageOrigin
  ) async -> DisplayChoice { .now }

  /// Changes nothing.
  public func prepare(with context: inout PresentationContext) async {}

  /// Leaves it to the campaign.
  public func viewType(for message: InAppMessage) async -> String? { nil }

  /// Does nothing.
  public func willPresent(_ message: InAppMessage) async {}

  /// Does nothing.
  public func didPresent(_ message: InAppMessage) async {}

  /// Does nothing.
  public func willUpdate(_ message: InAppMessage) async {}

  /// Does nothing.
  public func willDismiss(
    _ message: InAppMessage, because reason: InAppMessage.DismissReason
  ) async {}

  /// Does nothing.
  public func didDismiss(
    _ message: InAppMessage, because reason: InAppMessage.DismissReason
  ) async {}

  /// Lets every click do what it is to do.
  public func shouldProcess(
    _ action: InAppMessage.ClickAction, button: InAppMessage.Button?, buttonID: String?,
    in message: InAppMessage
  ) async -> Bool { true }

  /// Does nothing.
  public func finished(_ id: MessageID, _ outcome: InAppMessage.Outcome) async {}
}

/// Does what a click means that only an app can do.
public protocol MessageActionHandler: Sendable {
  /// Does it; called after the delegate had its say.
  ///
  /// - Parameters:
  ///   - action: opening a page, going to a place in the app, asking for leave to send
  ///     notifications, or sharing what plays here with everyone. What the library does by itself,
  ///     such as logging an event or joining a session, does not come here. Links lead to the web
  ///     or to an app's own scheme, never into code.
  ///   - message: the message that was clicked.
  func perform(_ action: InAppMessage.ClickAction, of message: InAppMessage) async
}
