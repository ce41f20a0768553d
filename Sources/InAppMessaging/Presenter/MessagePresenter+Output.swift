package import Vocabulary

extension MessagePresenter {
  /// What the driver carries out, in this order.
  package enum Output: Equatable, Sendable {
    /// A question to the app; the answer is an input with the same token.
    case ask(Question, PresentationToken)
    case view(ViewCommand, PresentationToken)
    /// The status bar: hidden, shown, or (`nil`) as the app has it.
    case statusBar(isHidden: Bool?)
    /// The orientation of the app; `nil` follows the device.
    case hold(Orientation?)
    /// Tells the delegate.
    case tell(LifeCycleEvent)
    /// Carries out a click's action; the actions of a sequence come one by one.
    case perform(InAppMessage.ClickAction, InAppMessage)
    /// Reports a delivery to the server.
    case report(MessageID, MessageReport)
    case session(SessionStep, SessionID)
    case answer(PresentNextTag, PresentNextResult)
    case lease(LeaseTag, isGranted: Bool)
    case warn(Warning, MessageID)
  }

  /// A question to the app.
  package enum Question: Equatable, Sendable {
    /// Answered by `chose`; without an answer within 5 s, the message is shown.
    case displayChoice(InAppMessage, MessageOrigin)
    /// Answered by `assets`; within 10 s.
    case loadAssets(MessageAssets)
    /// Answered by `prepared`.
    case prepare(PresentationContext)
    /// Answered by `decided`; without an answer within 5 s, the action is carried out.
    case shouldProcess(
      InAppMessage.ClickAction, InAppMessage.Button?, buttonID: String?, InAppMessage, click: Int)
  }

  /// An instruction to a view.
  package enum ViewCommand: Equatable, Sendable {
    /// Appears, and reports `presented` when it is on screen.
    case show(ShownMessage)
    /// Shows this instead, in place.
    case update(ShownMessage)
    /// Stops what plays in it.
    case pause
    /// Disappears, and reports `dismissed` when it is gone.
    case dismiss(animated: Bool)
    /// What was loaded for it is no longer needed.
    case releaseAssets
  }

  /// What the delegate hears of a message, in order; each delivery ends with `finished`, once.
  package enum LifeCycleEvent: Equatable, Sendable {
    case willPresent(InAppMessage)
    case impression(InAppMessage)
    case didPresent(InAppMessage)
    /// What is on screen changes in place.
    case willUpdate(InAppMessage)
    case willDismiss(InAppMessage, InAppMessage.DismissReason)
    case didDismiss(InAppMessage, InAppMessage.DismissReason)
    case finished(MessageID, InAppMessage.Outcome)
  }

  /// What to do about a session, in this order.
  package enum SessionStep: Equatable, Sendable {
    /// This device leaves; the server hears of it.
    case leave
    /// Observers of the session see none.
    case clearSession
    /// Observers of what is to be watched see nothing.
    case clearItem
  }

  /// A problem that stops nothing, for the developer of the app.
  package enum Warning: Hashable, Sendable {
    /// The view reported no impression, so the message comes again.
    case impressionMissing
    /// No button has that id.
    case unknownButton(String)
    /// No view is registered for that name or kind; the default view is used.
    case unknownView(String)
    /// The app replaced the message with one of another id; the delivery keeps its own.
    case identityChanged
    /// The content of the message is invalid.
    case invalidContent(ContentFault)
    /// The link of an action may not be opened.
    case refusedLink(String)
    /// The session watches something else than the message says; the session's is shown.
    case otherMedia(String)
    /// The app does not support the orientation, or the message is not shown in it.
    case unsupportedOrientation
    /// The view did not report in time that it appeared or disappeared.
    case viewSilent
    /// The app was asked about too many messages at once.
    case tooManyClicks
  }
}

extension MessagePresenter.Question {
  /// The answers of an app that changes nothing and loads no images.
  package func agreement(_ token: PresentationToken) -> MessagePresenter.Input {
    switch self {
    case .displayChoice: .chose(.now, token)
    case .loadAssets: .assets(.loaded, token)
    case .prepare(let context): .prepared(context, token)
    case .shouldProcess(_, _, _, _, let click): .decided(process: true, click: click, token)
    }
  }
}
