import UserNotifications

/// What an app brought for its notifications.
struct NotificationTools: Sendable {
  var delegate: (any NotificationCenterDelegate)?
  var receiver: (any NotificationReceiver)?
  var legacyActionHandler: (any LegacyNotificationActionHandler)?
  var categories: [NotificationCategory]
  var phase: AppPhase
  var isLocked = false

  init(_ options: NotificationOptions) {
    categories = options.categories
    phase = options.phase
  }

  /// Which handlers there are; the app can always look why it was started.
  var handlers: NotificationCenterState.Handlers {
    var handlers: NotificationCenterState.Handlers = [.launch]
    if delegate != nil { handlers.insert(.userAction) }
    if delegate is any NotificationPresentationDelegate { handlers.insert(.willPresent) }
    if receiver != nil { handlers.insert(.reception) }
    if legacyActionHandler != nil { handlers.insert(.legacyAction) }
    return handlers
  }
}
