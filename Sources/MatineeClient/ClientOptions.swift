import GroupSessions
import InAppMessaging
import Participation
import TLS
import Vocabulary

/// The options of a client.
public struct ClientOptions: Sendable {
  /// The player that a client drives.
  public enum Playing: Sendable {
    /// No player: the client takes part without a picture, for example as a remote control.
    ///
    /// It can control playback like any other client and is always ready. It counts as a viewer:
    /// while it is connected, the timeline advances even if all other players have stalled.
    case nothing
    /// A simulated player that only keeps the time, for tests and demos.
    case simulated
    /// mpv 0.33 or later, found in `PATH`.
    ///
    /// - Parameter window: the window's title; `nil` opens no window and plays no sound.
    case mpv(window: String?)
    /// The app's own players, one at a time: each belongs to the view that shows it, which attaches
    /// it by ``PlaybackCoordinator/coordinate(with:)`` or ``LocalPlayer/attach(_:)``.
    ///
    /// While none is attached, this device takes part as with ``nothing``: it can control playback, and
    /// nobody waits for it.
    case app
  }

  /// Limits an offset to ±5 s, which is longer than the latency of any loudspeaker.
  static func heldWithin(_ offset: Duration) -> Duration {
    min(max(offset, .seconds(-5)), .seconds(5))
  }

  /// How the connection is protected; to servers on other machines it is encrypted by default.
  public var security = ConnectionSecurity.automatic
  /// The player; the app's own by default.
  public var playing = Playing.app
  /// The program to start for ``Playing/mpv(window:)``; tests start another one.
  package var mpvProgram = "mpv"
  /// Whether the player opens a path that others name, and nobody on this device.
  ///
  /// With `true`, everybody in the group can find out which files are here. With `false`, it opens
  /// addresses, names of files in this process's folder, and what ``LocalPlayer/setOwnCopy(of:at:)``
  /// names. An app's own player gets every URL, because only the app knows which ones are its own.
  public var opensPathsOfOthers = false
  /// The delay between the player's reported position and the picture and sound, for example with a
  /// soundbar or over Bluetooth; see ``GroupWatchClient/setPlayerOffset(_:)``.
  public var playerOffset = Duration.zero
  /// Whether the player pauses while the client has no connection.
  public var pausesWhileReconnecting = false
  /// Whether the player pauses when a session is over for this device.
  public var pausesAfterSession = true
  /// Whether a session that this device started is activated again, at its last position, after a
  /// server restart.
  ///
  /// This applies if the server lost the session in the restart and this device is eligible again
  /// within 120 s. Everyone is then offered a new session. If the server keeps a journal, the
  /// session itself continues and nothing is activated.
  public var reactivatesAfterServerRestart = false
  /// The ``GroupActivity/activityIdentifier`` of each activity that the app knows; `nil` for all.
  ///
  /// A session with another activity is not delivered; ``GroupStateObserver/activityNotice`` has its
  /// title and a link.
  public var knownActivities: Set<String>?
  /// The options for in-app messages; see ``GroupWatchClient/inAppMessages``.
  public var inAppMessages = InAppMessageOptions()
  /// The options for notifications; see ``GroupWatchClient/notifications``.
  public var notifications = NotificationOptions()
  /// Gets what proves who this person is, for a server that asks for it: a token of the app's backend,
  /// or the text of a ``Secret`` that the app keeps; see <doc:ConnectingAndGroups>.
  ///
  /// It is called before the first connection, before the current token expires, and after one has
  /// expired or was refused. If it throws or takes longer than 30 s, it is called again after a
  /// pause. The connection does not wait for it while the current token is valid.
  public var credential: (@Sendable () async throws -> String)?
  /// The key that the server was started with, for a tool that administers it; it must not be part of
  /// an app.
  ///
  /// Such a client stands for no person: it joins no group, and has
  /// ``GroupWatchClient/administration``. It connects with encryption, or on the server's own
  /// machine.
  public var administratorKey: String?
  /// The code that another device of this person made; see ``GroupWatchClient/pairDevice()``.
  ///
  /// It is shown only with encryption, or on the server's own machine.
  public var pairingCode: String?
  /// How long ``GroupWatchClient/connect(to:as:options:)`` tries before it fails; by default longer than
  /// a server keeps an earlier connection of this device that is silent.
  public var connectTimeout = Duration.seconds(20)
  /// How long a join may take before it fails.
  public var joinTimeout = Duration.seconds(10)
  /// The store of the person's decisions about sharing; in memory by default.
  public var sharingPreferences: any SharingPreferenceStore = SharingPreferencesInMemory()

  /// Makes the options of a client with the app's own players, of which none is attached yet.
  public init() {}
}

extension ClientOptions {
  /// Which servers may answer at an address; `nil` if the connection is not encrypted.
  ///
  /// - Throws: ``GroupWatchError/Code/invalidSecurity``; ``GroupWatchError/Code/tlsRequired`` if
  ///   somebody on the way could read the administrator's key or the pairing code.
  func trust(for endpoint: Endpoint) throws(GroupWatchError) -> TLSTrust? {
    let showsNothing = administratorKey == nil && pairingCode == nil
    guard showsNothing || security.isPrivate(to: endpoint) else { throw .readableSecret }
    return try security.trust(for: endpoint)
  }
}

extension ClientSettings {
  init(_ identity: Identity, _ options: ClientOptions) {
    self.init(user: identity.user, device: identity.device, name: identity.name)
    givesCredentials = options.credential != nil
    administratorKey = options.administratorKey
    pairingCode = options.pairingCode
    playerOffset = ClientOptions.heldWithin(options.playerOffset)
    activityTypes = options.knownActivities
    pausesWhileReconnecting = options.pausesWhileReconnecting
    pausesAfterSession = options.pausesAfterSession
    revivesSessions = options.reactivatesAfterServerRestart
    joinTimeout = options.joinTimeout
    presenter = PresenterSettings(options.inAppMessages)
    app = options.inAppMessages.app
    appVersion = options.inAppMessages.appVersion
    mediaEvent = options.inAppMessages.mediaEvent
    center = options.notifications.settings
    switch options.playing {
    // An app's client has a player while one is attached.
    case .nothing, .app: (hasPlayer, attendsWithoutPlayer) = (false, true)
    case .simulated, .mpv: break
    }
  }
}
