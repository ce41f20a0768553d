import GroupSessions
import InAppMessaging
import Participation
import Vocabulary

/// How a client behaves.
public struct ClientOptions: Sendable {
  /// What plays.
  public enum Playing: Sendable {
    /// Nothing: the client takes part without a picture, such as a remote control.
    ///
    /// It steers like any other, is always ready, and counts as one who watches: while it is there,
    /// time runs on although everybody else has stalled.
    case nothing
    /// A player that only keeps the time, for trying things out.
    case simulated
    /// mpv 0.33 or later, from the `PATH`.
    ///
    /// - Parameter window: the title of its window; `nil` opens none and makes no sound.
    case mpv(window: String?)
    /// The app's own player.
    case app(any PlaybackControl)
  }

  /// An offset within five seconds either way: longer than any loudspeaker is late.
  static func heldWithin(_ offset: Duration) -> Duration {
    min(max(offset, .seconds(-5)), .seconds(5))
  }

  /// What plays; nothing by default.
  public var playing = Playing.nothing
  /// How much later than the player says its picture and sound come out, on a soundbar or over
  /// Bluetooth; see ``GroupWatchClient/setPlayerOffset(_:)``.
  public var playerOffset = Duration.zero
  /// Whether the player stands still while the connection is away.
  public var pausesWhileReconnecting = false
  /// Whether the player stops when a session is over for this device.
  public var pausesAfterSession = true
  /// Whether a session that this device started is activated again, where it was, when its server
  /// forgot it in a restart and the group is back together.
  ///
  /// Everyone is offered a new session then. Where the server keeps a journal, the session itself
  /// goes on, and nothing is activated.
  public var reactivatesAfterServerRestart = false
  /// How in-app messages are gone about; see ``GroupWatchClient/inAppMessages``.
  public var inAppMessages = InAppMessageOptions()
  /// How notifications are gone about; see ``GroupWatchClient/notifications``.
  public var notifications = NotificationOptions()
  /// How long ``GroupWatchClient/connect(to:as:options:)`` tries before it gives up.
  public var connectTimeout = Duration.seconds(10)
  /// How long a join may take.
  public var joinTimeout = Duration.seconds(10)
  /// Where the person's decisions about sharing are kept; in memory by default.
  public var sharingPreferences: any SharingPreferenceStore = SharingPreferencesInMemory()

  /// The options of a client that plays nothing.
  public init() {}
}

extension ClientSettings {
  init(_ identity: Identity, _ options: ClientOptions) {
    self.init(user: identity.user, device: identity.device, name: identity.name)
    playerOffset = ClientOptions.heldWithin(options.playerOffset)
    pausesWhileReconnecting = options.pausesWhileReconnecting
    pausesAfterSession = options.pausesAfterSession
    revivesSessions = options.reactivatesAfterServerRestart
    joinTimeout = options.joinTimeout
    presenter = PresenterSettings(options.inAppMessages)
    app = options.inAppMessages.app
    appVersion = options.inAppMessages.appVersion
    mediaEvent = options.inAppMessages.mediaEvent
    center = options.notifications.settings
    if case .nothing = options.playing { (hasPlayer, attendsWithoutPlayer) = (false, true) }
  }
}
