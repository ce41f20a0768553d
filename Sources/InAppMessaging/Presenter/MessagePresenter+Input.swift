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
