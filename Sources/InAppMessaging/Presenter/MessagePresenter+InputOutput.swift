package import Vocabulary

/// Names one presentation; inputs that name one that is over are ignored.
package struct PresentationToken: Hashable, Sendable {
  package let number: Int
}

/// Names a call of `presentNext()` until it is answered.
package struct PresentNextTag: Hashable, Sendable {
  package let number: Int

  /// A name of the caller's choice.
  package init(_ number: Int) {
    self.number = number
  }
}

/// Names a pop-up of the app itself, which wants the screen alone.
package struct LeaseTag: Hashable, Sendable {
  package let number: Int

  /// A name of the caller's choice.
  package init(_ number: Int) {
    self.number = number
  }
}

extension MessagePresenter {
  /// What happened outside.
  package enum Input: Equatable, Sendable {
    // Messages and users.
    /// The server delivered a message; a repeat is recognised by its id.
    ///
    /// - `timeToLive`: how long it may be shown, unless it waits; `nil` is the settings' time.
    /// - `wasSeen`: it was on screen before its client started anew, and is shown again without
    ///   counting
    /// again.
    case deliver(InAppMessage, timeToLive: Duration? = nil, wasSeen: Bool = false)
    /// The app presents a message of its own.
    case present(InAppMessage)
    /// These are revoked: their campaign is over, or was seen elsewhere.
    case revoke([MessageID], force: Bool = false)
    case presentNext(PresentNextTag)
    /// Another person uses the app, or none.
    case userChanged(UserID?)
    case dataWiped

    // What the app answers.
    case chose(DisplayChoice, PresentationToken)
    case prepared(PresentationContext, PresentationToken)
    /// Whether a click's action is to be taken.
    case decided(process: Bool, click: Int, PresentationToken)
    case assets(AssetReport, PresentationToken)

    // What the view, or the app that draws in its place, reports.
    case view(MessageViewEvent, PresentationToken)
    case reported(DisplayReport, PresentationToken)

    // What the app does otherwise.
    /// Dismisses what is on screen, and leaves the session it belongs to unless told otherwise.
    case dismiss(leavesSession: Bool = true)
    case suppress(MessageSuppression)
    case acquireLease(LeaseTag)
    case releaseLease(LeaseTag)
    case platform(PlatformState)
    /// The page or the program closes.
    case pageClosed

    case session(SessionChange)
    /// Time passed; due at ``MessagePresenter/nextDeadline``.
    case clockAdvanced
  }

  /// How far loading a message's images is.
  package enum AssetReport: Equatable, Sendable {
    /// All images are loaded, apart from those that failed.
    case loaded
    /// The image for landscape could not be loaded; the other is used.
    case landscapeFailed
    /// The message's image could not be loaded.
    case failed
  }

  /// What an app that draws messages itself reports; Firebase's way.
  package enum DisplayReport: Equatable, Sendable {
    case impression
    /// It was clicked, and goes.
    case clicked(button: String?)
    /// It is gone.
    case dismissed(InAppMessage.DismissReason)
    case failed(MessageViewFailure)
  }

  /// Changes of the session that this device takes part in.
  package enum SessionChange: Equatable, Sendable {
    /// This device takes part; also after it had left and came back.
    case joined(SessionID, SessionMedia?)
    case media(SessionID, SessionMedia)
    /// It is over for this device: it ended, or the device left it other than by dismissing a
    /// message.
    case ended(SessionID)
  }
}

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
