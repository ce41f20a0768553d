/// How a notification is shown while its app is in front; the raw values are UserNotifications' own.
public struct PresentationOptions: OptionSet, Hashable, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// The options of these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The number on the app's icon is changed.
  public static let badge = PresentationOptions(rawValue: 1)
  /// The sound is heard.
  public static let sound = PresentationOptions(rawValue: 2)
  /// An older name of ``list`` and ``banner`` together.
  @available(*, deprecated, message: "use list and banner")
  public static let alert = PresentationOptions(rawValue: 4)
  /// It stands in the list of notifications.
  public static let list = PresentationOptions(rawValue: 8)
  /// It appears over the screen, with its actions.
  public static let banner = PresentationOptions(rawValue: 16)

  /// Everything that a notification does while its app is not in front.
  public static let all: PresentationOptions = [.badge, .sound, .list, .banner]

  /// These options without the older name.
  public var modern: PresentationOptions {
    let older = PresentationOptions(rawValue: 4)
    return contains(older) ? subtracting(older).union([.list, .banner]) : self
  }
}

/// Where an app is, as its user sees it.
///
/// In a browser, the three are a visible page; a hidden page or a live service worker; and no page.
public enum AppPhase: String, Hashable, Sendable, CaseIterable {
  /// In front.
  case foreground
  /// Running, and not in front.
  case background
  /// Not running, or starting because of a notification.
  case notRunning
}

/// How an app registered for notifications, which decides which of its handlers are called.
///
/// The calls decide, not the version of the system: an app that registers with the older calls gets
/// the older handlers and the older rules (Kii, "User Action Handler").
public enum RegistrationMode: String, Hashable, Sendable, CaseIterable {
  /// With the notification centre and its delegate; iOS 10 and later.
  case center
  /// With notification settings and one handler for each way in which a notification arrives; iOS 8
  /// and 9.
  case legacySettings
}

/// A notification as it is to be drawn.
public struct ShownNotification: Hashable, Sendable {
  /// The notification.
  public let notification: UserNotification
  /// Its category, which lists its actions and says whether a dismissal is reported; `nil` if it
  /// has no registered category.
  public let category: NotificationCategory?
  /// How to present it; without banner and list it is only audible.
  public let options: PresentationOptions
  /// The notifications it replaces, including its own earlier version.
  public let replaced: [NotificationID]
}
