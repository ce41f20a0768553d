import UserNotifications
import Vocabulary
import Wire

extension Client {
  /// A client's side of notifications: what stands, what the server still has to hear, and what
  /// this device wants of it over all connections.
  struct Notifying: Equatable, Sendable {
    /// As many as a server keeps of one person.
    static let mostSubscriptions = TrayPolicy().subscriptions

    var center: NotificationCenterState
    var outbox = Outbox<NotificationNotice>()
    /// How this device registered; `nil` if nothing is to come here.
    var registration: TrayRequest?
    /// What the app wants to be told of, in the order it said so.
    var subscriptions: [Subscription] = []
    /// What is known of the objects among them.
    var objects: [SessionObject: FollowedObject] = [:]
    /// What the server listed last, for whoever asked.
    var listed: [ListedNotification] = []
    /// Whether the server has notifications, as far as it said.
    var isAvailable = true
    /// What the server's clock showed when it welcomed this device last.
    var serverClock: DeviceClock?

    init(_ settings: ClientSettings) {
      let start = HostTime(microseconds: 0)
      center = NotificationCenterState(
        settings.center, clock: DeviceClock(Instant(microseconds: 0), at: start))
    }
  }

  /// An object of the server's, kept up by differences.
  struct FollowedObject: Equatable, Sendable {
    /// A server whose word is older than what it sent out itself is not asked for ever.
    static let mostFetches = 3

    var mirror = StateMirror()
    var isFetching = false
    /// How often it was fetched since it was last known.
    var fetches = 0
  }
}

/// Something about notifications that the server has to hear.
enum NotificationNotice: OutboxNotice {
  case report(NotificationID, NotificationReport)
  /// What this device wants of a server that does not know it.
  case wish(TrayRequest)

  /// A full tray, shown, opened and answered, with room to spare.
  static let limit = 256
  /// No tray keeps a notification for longer.
  static let longestWait = TrayPolicy().longestTimeToLive

  /// What this device wants, it wants for as long as it says so.
  var mayGo: Bool { if case .wish = self { false } else { true } }
}
