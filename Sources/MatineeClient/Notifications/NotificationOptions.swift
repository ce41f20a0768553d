import UserNotifications

/// How a client goes about notifications.
public struct NotificationOptions: Sendable {
  /// The app's texts in its user's language, by the names that payloads call them.
  public var texts: [String: String] = [:]
  /// What may be done about which notifications, until the app says otherwise; see
  /// ``UserNotificationCenter/setCategories(_:)``.
  public var categories: [NotificationCategory] = [.groupWatchInvite()]
  /// Where the app is at first; ``AppPhase/notRunning`` for one that starts because of a
  /// notification.
  public var phase = AppPhase.foreground
  /// How long handlers are waited for; longer where tests keep every thread busy.
  package var handlerPatience: Duration?

  /// The usual ways.
  public init() {}

  var settings: CenterSettings {
    var settings = CenterSettings()
    settings.texts = texts
    if let handlerPatience {
      settings.choicePatience = handlerPatience
      settings.completionPatience = handlerPatience
    }
    return settings
  }
}

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
