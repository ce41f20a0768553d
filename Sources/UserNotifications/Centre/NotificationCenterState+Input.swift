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

    /// The handlers of these bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let reception = Handlers(.reception)
    package static let willPresent = Handlers(.willPresent)
    package static let userAction = Handlers(.userAction)
    package static let launch = Handlers(.launch)
    package static let legacyAction = Handlers(.legacyAction)

    /// One handler.
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
