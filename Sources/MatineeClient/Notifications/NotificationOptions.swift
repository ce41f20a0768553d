import UserNotifications

/// A client's settings for notifications.
public struct NotificationOptions: Sendable {
  /// The app's localized texts, keyed by the names that payloads use.
  public var texts: [String: String] = [:]
  /// The registered categories, until the app replaces them; see
  /// ``UserNotificationCenter/setCategories(_:)``.
  public var categories: [NotificationCategory] = [.groupWatchInvite()]
  /// The app's initial phase; ``AppPhase/notRunning`` for an app that a notification starts.
  public var phase = AppPhase.foreground
  /// The handlers' deadline; tests raise it when they keep every thread busy.
  package var handlerPatience: Duration?

  /// The default settings.
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

/// The app's handlers, categories and state for notifications.
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

  /// The handlers that are present; launch is always one, because any app can read its launch
  /// response.
  var handlers: NotificationCenterState.Handlers {
    var handlers: NotificationCenterState.Handlers = [.launch]
    if delegate != nil { handlers.insert(.userAction) }
    if delegate is any NotificationPresentationDelegate { handlers.insert(.willPresent) }
    if receiver != nil { handlers.insert(.reception) }
    if legacyActionHandler != nil { handlers.insert(.legacyAction) }
    return handlers
  }
}
