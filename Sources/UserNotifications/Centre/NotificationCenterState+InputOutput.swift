/// Names one call of a handler until the handler says that it is done.
package struct CallToken: Hashable, Sendable {
  package let number: Int
}

extension NotificationCenterState {
  /// What happened outside.
  package enum Input: Equatable, Sendable {
    // What the app sets.
    case register(RegistrationMode)
    /// The handlers that the app has from now on; responses that waited for one are delivered.
    case handlers(Handlers)
    /// All categories; they replace those registered before.
    case categories([NotificationCategory])
    case phase(AppPhase)
    /// Whether the device is locked; once it is not, the actions that waited are carried out.
    case locked(Bool)
    /// The person did not unlock the device; the notification still stands.
    case unlockRefused(NotificationID)
    /// The wall clock was read: at the start, after it was set, and when its offset changed.
    case clock(DeviceClock)
    /// Another person uses the app, or none.
    case userChanged

    // Notifications.
    /// The server sent a notification; a repeat is recognised by its id.
    case arrived(RemoteNotification)
    /// The server's list when the device connects: `standing` already stands there, and `new`
    /// arrives. The server's other notifications no longer stand.
    case listed(standing: [RemoteNotification], new: [RemoteNotification] = [])
    /// The server knows of the response or the removal, or never will; if it still lists the
    /// notification, that stands.
    case heard(NotificationID)
    /// The server takes these back.
    case revoked([NotificationID])
    /// The app removes these.
    case remove([NotificationID])
    case schedule(NotificationRequest)
    case unschedule([NotificationID])

    // What the person does. Ignoring a banner, or swiping it away, counts as nothing.
    case tapped(NotificationID)
    /// The person takes an action; older systems may send none.
    case acted(NotificationID, action: String?, text: String? = nil)
    /// The person dismisses one on purpose.
    case dismissed(NotificationID)

    // What handlers answer.
    /// How to show a notification; without options it is not shown.
    case presented(PresentationOptions, CallToken)
    /// A handler is done; the result counts for the reception handler only.
    case completed(CallToken, FetchResult = .noData)

    /// Time passed; due at ``NotificationCenterState/nextDeadline``.
    case clockAdvanced
  }

  /// Which handlers an app has.
  package struct Handlers: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let reception = Handlers(.reception)
    package static let willPresent = Handlers(.willPresent)
    package static let userAction = Handlers(.userAction)
    package static let launch = Handlers(.launch)
    package static let legacyAction = Handlers(.legacyAction)

    package init(_ handler: NotificationHandler) {
      rawValue =
        switch handler {
        case .reception: 1
        case .willPresent: 2
        case .userAction: 4
        case .launch: 8
        case .legacyAction: 16
        }
    }
  }
}

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
