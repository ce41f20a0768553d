public import Vocabulary

/// The content of a notification, with all texts in the person's language.
public struct NotificationContent: Hashable, Sendable {
  /// The first line.
  public var title: String
  /// The second line, smaller.
  public var subtitle: String
  /// The text.
  public var body: String
  /// The number on the app's icon; 0 clears it, `nil` leaves it.
  public var badge: Int?
  /// The sound; `nil` is silent.
  public var sound: NotificationSound?
  /// Notifications of the same thread stand together.
  public var threadID: String?
  /// Which category's actions it offers.
  public var categoryID: String?
  /// What the app shows while it starts because of it.
  public var launchImageName: String?
  /// Which of the app's windows it belongs to.
  public var targetContentID: String?
  /// How much it may disturb.
  public var interruptionLevel: InterruptionLevel
  /// The relevance among many notifications, 0 … 1; `nil` if it is unknown.
  public var relevanceScore: Double?
  /// Data for the app.
  public var userInfo: [String: PayloadValue]

  /// A text.
  public init(title: String = "", subtitle: String = "", body: String = "") {
    self.title = title
    self.subtitle = subtitle
    self.body = body
    interruptionLevel = .active
    userInfo = [:]
  }

  /// Whether there is a text to show.
  public var hasText: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty }
}

/// A notification on one device: its content, its date and its trigger.
public struct UserNotification: Hashable, Sendable, Identifiable {
  /// Its name.
  ///
  /// A remote one has the server's id, which is never reused. A local one has the id of its
  /// request; a later one with that id replaces it.
  public let id: NotificationID
  /// When the server sent it, or this device made it.
  public let date: Instant
  /// Its content.
  public let content: NotificationContent
  /// Its trigger.
  public let trigger: NotificationTrigger

  /// A notification.
  public init(
    id: NotificationID, date: Instant, content: NotificationContent, trigger: NotificationTrigger
  ) {
    self.id = id
    self.date = date
    self.content = content
    self.trigger = trigger
  }
}

/// One notification.
public typealias NotificationID = Identifier<UserNotification>

/// How much a notification may disturb; the raw values are those of `aps.interruption-level`.
public enum InterruptionLevel: String, Hashable, Sendable, CaseIterable {
  /// Listed, without light or sound.
  case passive
  /// Shown at once.
  case active
  /// Shown at once, also in a Focus that lets only urgent notifications through.
  case timeSensitive = "time-sensitive"
  /// Shown and heard even if the device is muted.
  case critical
}

/// The sound of a notification that arrives.
public struct NotificationSound: Hashable, Sendable {
  /// The file's name; `default` is the device's own sound.
  public var name: String
  /// Whether it is heard even on a muted device.
  public var isCritical: Bool
  /// The volume of a critical sound, 0 … 1; `nil` is the device's own.
  public var volume: Double?

  /// A sound; the volume is clamped to 0 … 1.
  public init(_ name: String, isCritical: Bool = false, volume: Double? = nil) {
    self.name = name
    self.isCritical = isCritical
    self.volume = volume.map { $0.isNaN ? 1 : min(max($0, 0), 1) }
  }

  /// The device's own sound.
  public static let `default` = NotificationSound("default")
}
