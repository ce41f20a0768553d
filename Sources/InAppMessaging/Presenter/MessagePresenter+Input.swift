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
    case view(ViewEvent, PresentationToken)
    case reported(DisplayReport, PresentationToken)

    // What the app does otherwise.
    /// Dismisses what is on screen, and leaves the session it belongs to unless told otherwise.
    case dismiss(leavesSession: Bool = true)
    case suppress(Suppression)
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

  /// What a view reports.
  package enum ViewEvent: Equatable, Sendable {
    /// It is on screen, and its animation is over.
    case presented
    /// It is gone, and its animation is over.
    case dismissed
    case clicked(Click)
    /// A page of HTML logs a click that does nothing.
    case loggedClick(button: String?)
    case closed(CloseGesture)
    /// It declines to show the message now.
    case declined
    /// It disappeared without being asked to; that is a dismissal, which leaves the message's session
    /// unless told otherwise.
    case detached(leavesSession: Bool = true)
    case failed(ViewFailure)
  }

  /// A click in a view.
  package struct Click: Equatable, Sendable {
    /// The button's id; `nil` is the body.
    package var button: String?
    /// The action that a page of HTML or a custom view chooses; otherwise the message's own.
    package var action: InAppMessage.ClickAction?
    /// Whether the message stays: a page of HTML opens another beside it.
    package var isTransient: Bool
    /// Whether a control of the view was touched, a switch or a link, which keeps the touch.
    package var isOnControl: Bool

    /// A click.
    package init(
      _ button: String? = nil, action: InAppMessage.ClickAction? = nil, isTransient: Bool = false,
      isOnControl: Bool = false
    ) {
      self.button = button
      self.action = action
      self.isTransient = isTransient
      self.isOnControl = isOnControl
    }
  }

  /// How a person closes a message without a click on an action.
  package enum CloseGesture: Equatable, Sendable {
    case button
    case tapOutside
    case escape
    /// Towards its edge; a swipe that begins on a control does not close the message.
    case swipe(fromControl: Bool = false)
  }

  /// Why a view could not show a message.
  package enum ViewFailure: Equatable, Sendable, CaseIterable {
    case image
    case content
    case other
  }

  /// What an app that draws messages itself reports; Firebase's way.
  package enum DisplayReport: Equatable, Sendable {
    case impression
    /// It was clicked, and goes.
    case clicked(button: String?)
    /// It is gone.
    case dismissed(InAppMessage.DismissReason)
    case failed(ViewFailure)
  }

  /// How messages are treated while the app wants none.
  package enum Suppression: String, Equatable, Sendable, CaseIterable {
    /// The app wants messages.
    case none
    /// They are refused, and may come again.
    case discard
    /// They wait.
    case queue
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

extension MessagePresenter.ViewFailure {
  var refusal: InAppMessage.Refusal {
    switch self {
    case .image: .assets
    case .content: .invalidContent
    case .other: .noDisplay
    }
  }
}
