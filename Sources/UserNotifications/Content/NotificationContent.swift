public import Vocabulary

/// What a notification says, with all texts in the person's language.
public struct NotificationContent: Hashable, Sendable {
  /// The first line.
  public var title: String
  /// The second line, smaller.
  public var subtitle: String
  /// The text.
  public var body: String
  /// The number on the app's icon; 0 clears it, `nil` leaves it.
  public var badge: Int?
  /// What is heard; `nil` is nothing.
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
  /// Which of many to show first, 0 … 1; `nil` if nobody says.
  public var relevanceScore: Double?
  /// What travels along for the app.
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

/// A notification on one device: what it says, when it came, and what brought it.
public struct UserNotification: Hashable, Sendable, Identifiable {
  /// Its name.
  ///
  /// A remote one's is the server's and never used again; a local one's is its request's, and a
  /// later one of that name takes its place.
  public let id: NotificationID
  /// When the server sent it, or this device made it.
  public let date: Instant
  /// What it says.
  public let content: NotificationContent
  /// What brought it.
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
  /// Shown at once, also to those who want to hear only what cannot wait.
  case timeSensitive = "time-sensitive"
  /// Shown and heard whatever the device was told.
  case critical
}

/// What is heard when a notification arrives.
public struct NotificationSound: Hashable, Sendable {
  /// The file's name; `default` is the device's own sound.
  public var name: String
  /// Whether it is heard even on a device that was told to be silent.
  public var isCritical: Bool
  /// Of a critical sound, 0 … 1; `nil` is as loud as the device has it.
  public var volume: Double?

  /// A sound; a volume beyond 0 … 1 is the nearer of the two.
  public init(_ name: String, isCritical: Bool = false, volume: Double? = nil) {
    self.name = name
    self.isCritical = isCritical
    self.volume = volume.map { $0.isNaN ? 1 : min(max($0, 0), 1) }
  }

  /// The device's own sound.
  public static let `default` = NotificationSound("default")
}
