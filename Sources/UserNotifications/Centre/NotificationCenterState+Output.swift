extension NotificationCenterState {
  /// What is to be done, in this order.
  package enum Output: Equatable, Sendable {
    /// A notification is shown; one that stands and has the same name, or is named, makes way.
    case show(ShownNotification)
    /// These stand no longer.
    case remove([NotificationID])
    /// The number on the app's icon; 0 is none.
    case badge(Int)
    /// The app is to come to the front.
    case open(NotificationID)
    /// The person is to show who they are; answered by `locked(false)` or `unlockRefused`.
    case unlock(NotificationID)
    /// The launch handler is called: the app starts because of this.
    case launch(NotificationResponse)
    /// A handler is called, and says with the token that it is done.
    case call(HandlerCall, CallToken)
    /// What the server is to hear.
    case report(NotificationID, NotificationReport)
    /// A request for a local notification is not in order, and was not taken.
    case refuse(NotificationID, NotificationRequest.Fault)
    case warn(Warning, NotificationID)
  }

  /// A notification as it is to be shown.
  package struct ShownNotification: Equatable, Sendable {
    package var notification: UserNotification
    /// Its actions, and whether the app hears of a dismissal; `nil` if it has none.
    package var category: NotificationCategory?
    /// Where and how; without banner and list it is only heard.
    package var options: PresentationOptions
    /// Those whose place it takes, itself among them if it stood.
    package var replaced: [NotificationID]
  }

  /// A call of a handler that says when it is done.
  package enum HandlerCall: Equatable, Sendable {
    /// Answered by `presented`; unanswered for 5 s it is not shown.
    case willPresent(UserNotification)
    /// A notification arrived, or by the older calls was tapped.
    case reception(UserNotification, alreadyDelivered: Bool)
    case userAction(NotificationResponse)
    /// An action by the older calls, with the text that was written.
    case legacyAction(NotificationResponse)
  }

  /// What went wrong without stopping anything; for whoever develops the app.
  package enum Warning: Hashable, Sendable {
    /// There is no handler for a response yet; it is kept until there is.
    case noHandler(NotificationHandler)
    /// Too many responses were kept; this one is dropped.
    case responseDropped
    /// Its category has no such action; the app hears of it, and nothing is opened.
    case unknownAction(String)
    /// No action was named; nothing is done.
    case noAction
    /// It does not stand, or no longer; nothing is done.
    case notStanding
    /// Too many stood; this one makes way.
    case crowdedOut
    /// What was written is too long to be sent; the notification still stands.
    case replyTooLong(bytes: Int, limit: Int)
    /// Too many actions waited for the person to show who they are, or for too long.
    case unlockForgotten
    /// A handler did not say in time that it was done.
    case handlerSilent(NotificationHandler)
    /// Too many handlers were at work; the oldest is taken as silent.
    case tooManyCalls
  }
}
