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
