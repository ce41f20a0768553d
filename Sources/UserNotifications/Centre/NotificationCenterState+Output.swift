extension NotificationCenterState {
  /// What the driver carries out, in this order.
  package enum Output: Equatable, Sendable {
    /// Shows a notification, in place of those in `replaced`.
    case show(ShownNotification)
    /// Removes these from the screen.
    case remove([NotificationID])
    /// Sets the number on the app's icon; 0 removes it.
    case badge(Int)
    /// Brings the app to the front.
    case open(NotificationID)
    /// Asks the person to unlock the device; answered by `locked(false)` or `unlockRefused`.
    case unlock(NotificationID)
    /// Calls the launch handler: the app starts because of this response.
    case launch(NotificationResponse)
    /// Calls a handler, which says with the token that it is done.
    case call(HandlerCall, CallToken)
    /// Tells the server.
    case report(NotificationID, NotificationReport)
    /// A request for a local notification was refused.
    case refuse(NotificationID, NotificationRequest.Fault)
    case warn(Warning, NotificationID)
  }

  /// A call of a handler that says when it is done.
  ///
  /// Its deadline starts when the call before it in its ``HandlerQueue`` ends.
  package enum HandlerCall: Equatable, Sendable {
    /// Answered by `presented`; without an answer within 5 s it is not shown.
    case willPresent(UserNotification)
    /// A notification arrived; with the older calls, also one that was tapped.
    case reception(UserNotification, alreadyDelivered: Bool)
    case userAction(NotificationResponse)
    /// The older calls' handler of an action, with the text that the person wrote.
    case legacyAction(NotificationResponse)
  }

  /// A problem that stops nothing, for the developer of the app.
  package enum Warning: Hashable, Sendable {
    /// The app has no handler for a response yet; the response is kept until it has one.
    case noHandler(NotificationHandler)
    /// Too many responses were kept, so this one was dropped.
    case responseDropped
    /// The category has no such action; the app hears of it but is not opened.
    case unknownAction(String)
    /// The response names no action; nothing is done.
    case noAction
    /// The notification does not stand; nothing is done.
    case notStanding
    /// Too many notifications stood, so this one, the oldest, was removed.
    case crowdedOut
    /// The reply is too long to be sent; the notification still stands.
    case replyTooLong(bytes: Int, limit: Int)
    /// The action waited too long for the device to be unlocked, or too many others waited.
    case unlockForgotten
    /// A handler ran out of time, or there were too many calls; its ``HandlerQueue`` goes on with
    /// the next call.
    case handlerSilent(NotificationHandler, CallToken)
    /// Too many handlers were at work, so the oldest call was given up.
    case tooManyCalls
  }
}
