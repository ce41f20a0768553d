/// Names one call of a handler until the handler says that it is done.
package struct CallToken: Hashable, Sendable {
  package let number: Int
}

extension NotificationCenterState {
  /// What happened outside.
  package enum Input: Equatable, Sendable {
    // What the app sets.
    case register(RegistrationMode)
    /// Which handlers the app has from now on; what waited for one is delivered.
    case handlers(Handlers)
    /// All categories there are; those registered before are gone.
    case categories([NotificationCategory])
    case phase(AppPhase)
    /// Whether the person has yet to show who they are; what waited for it is done.
    case locked(Bool)
    /// The person did not show who they are; the notification still stands.
    case unlockRefused(NotificationID)
    /// The clock on the wall was read, at the start, after it was put right, and when its offset
    /// changed.
    case clock(DeviceClock)
    /// Another person uses the app, or none.
    case userChanged

    // Notifications.
    /// The server sent one; it is known by its id should it come again.
    case arrived(RemoteNotification)
    /// What stands for this device as the server lists it when the device comes; of the server's
    /// nothing else does. What is new to the device arrives with that.
    case listed(standing: [RemoteNotification], new: [RemoteNotification] = [])
    /// The server has heard what the person did about one; should it list it still, it stands.
    case heard(NotificationID)
    /// The server takes these back.
    case revoked([NotificationID])
    /// The app takes these away.
    case remove([NotificationID])
    case schedule(NotificationRequest)
    case unschedule([NotificationID])

    // What the person does. Not looking at a banner, or pushing it aside, is nothing.
    case tapped(NotificationID)
    /// Takes an action; no name is no action, as older systems may say.
    case acted(NotificationID, action: String?, text: String? = nil)
    /// Dismisses one on purpose.
    case dismissed(NotificationID)

    // What handlers answer.
    /// How to show a notification; none of the options is not at all.
    case presented(PresentationOptions, CallToken)
    /// A handler is done; the result counts of the reception handler alone.
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
