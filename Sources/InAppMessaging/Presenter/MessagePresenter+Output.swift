package import Vocabulary

extension MessagePresenter {
  /// What is to be done, in this order.
  package enum Output: Equatable, Sendable {
    /// A question to the app; the answer is an input with the same token.
    case ask(Question, PresentationToken)
    case view(ViewCommand, PresentationToken)
    /// The status bar: hidden, shown, or (`nil`) as the app has it.
    case statusBar(isHidden: Bool?)
    /// How the app is to be held; `nil` as the device is.
    case hold(Orientation?)
    /// What the delegate is to hear.
    case tell(LifeCycleEvent)
    /// A click's action is to be taken; sequences come one by one.
    case perform(InAppMessage.ClickAction, InAppMessage)
    /// What the server is to hear of a delivery.
    case report(MessageID, MessageReport)
    case session(SessionStep, SessionID)
    case answer(PresentNextTag, PresentNextResult)
    case lease(LeaseTag, isGranted: Bool)
    case warn(Warning, MessageID)
  }

  /// A question to the app.
  package enum Question: Equatable, Sendable {
    /// Answered by `chose`; unanswered for 5 s it is `now`.
    case displayChoice(InAppMessage, MessageOrigin)
    /// Answered by `assets`; within 10 s.
    case loadAssets(MessageAssets)
    /// Answered by `prepared`.
    case prepare(PresentationContext)
    /// Answered by `decided`; unanswered for 5 s the action is taken.
    case shouldProcess(
      InAppMessage.ClickAction, InAppMessage.Button?, buttonID: String?, InAppMessage, click: Int)
  }

  /// What a view is to do.
  package enum ViewCommand: Equatable, Sendable {
    /// Comes on screen, and says `presented` when it is there.
    case show(ShownMessage)
    /// Shows this instead, in place.
    case update(ShownMessage)
    /// Stops what plays in it.
    case pause
    /// Goes, and says `dismissed` when it is gone.
    case dismiss(animated: Bool)
    /// What was loaded for it is no longer needed.
    case releaseAssets
  }

  /// A message as a view is to show it.
  package struct ShownMessage: Equatable, Sendable {
    package var context: PresentationContext
    /// The name of the view, of those registered.
    package var view: String
    package var colorScheme: ColorScheme
    package var orientation: Orientation
    /// Whether it covers the screen; a full screen message in a large window is a dialog.
    package var coversScreen: Bool
    /// Whether it comes with a movement.
    package var isAnimated: Bool

    /// The message's colours in these surroundings.
    package var theme: InAppMessage.Theme { context.message.themes.theme(for: colorScheme) }

    /// A button's colours in these surroundings.
    package func theme(of button: InAppMessage.Button) -> InAppMessage.Theme {
      button.themes.theme(for: colorScheme)
    }
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

  /// What is to be done about a session, in this order.
  package enum SessionStep: Equatable, Sendable {
    /// This device leaves; the server hears of it.
    case leave
    /// Observers of the session see none.
    case clearSession
    /// Observers of what is to be watched see nothing.
    case clearItem
  }

  /// What went wrong without stopping anything; for whoever develops the app.
  package enum Warning: Hashable, Sendable {
    /// Whoever draws it said nothing; it does not count as seen, and comes again.
    case impressionMissing
    /// No button has that id.
    case unknownButton(String)
    /// No view has that name, or none is there for the kind; the default one was taken.
    case unknownView(String)
    /// The app put a message with another id in its place; the delivery's own was kept.
    case identityChanged
    /// What was to be shown, or shown instead, is not in order.
    case invalidContent(ContentFault)
    /// An action's link leads nowhere one may go.
    case refusedLink(String)
    /// The session watches something else than the message says; the session's is shown.
    case otherMedia(String)
    /// The app cannot be held so, or the message not be shown so.
    case unsupportedOrientation
    /// The view did not say in time that it was there, or gone.
    case viewSilent
    /// More were asked about at once than are bearable.
    case tooManyClicks
  }
}

extension MessagePresenter.Question {
  /// What an app answers that lets everything take its course, and has no images to load.
  package func agreement(_ token: PresentationToken) -> MessagePresenter.Input {
    switch self {
    case .displayChoice: .chose(.now, token)
    case .loadAssets: .assets(.loaded, token)
    case .prepare(let context): .prepared(context, token)
    case .shouldProcess(_, _, _, _, let click): .decided(process: true, click: click, token)
    }
  }
}
