package import InAppMessaging
package import UserNotifications
package import Vocabulary

/// The client's identity and options.
package struct ClientSettings: Equatable, Sendable {
  package var user: UserID
  package var device: DeviceID
  /// The name that other participants see.
  package var name: String
  /// The host at which the client reaches the server, for addresses of the server's media.
  package var host = "localhost"
  /// What proves who the person is, where the server asks for it.
  package var credential: String?
  /// Whether the app gives a credential whenever the client wants one.
  package var givesCredentials = false
  /// The administrator's key, with which the client stands for no person.
  package var administratorKey: String?
  /// The code with which another device of the person lets this one in.
  package var pairingCode: String?
  /// Whether the client can take part in sessions; otherwise it only receives activity notices.
  package var understandsSessions = true
  /// The activity types that the app supports; `nil` for all.
  ///
  /// For other types the app receives a notice, like a client that cannot take part in sessions.
  package var activityTypes: Set<String>?
  /// Whether a player follows the group; without one, the app sends every report itself.
  package var hasPlayer = true
  /// Whether a device without a player still has the activity's item current and is always ready.
  ///
  /// Such a device can control playback, and nobody waits for it.
  package var attendsWithoutPlayer = false
  /// The delay between the position that the player reports and its audible sound.
  package var playerOffset = Duration.zero
  /// Whether the player pauses while the connection is down; by default it plays on.
  package var pausesWhileReconnecting = false
  /// Whether the player pauses when the session is over for this device; by default it does.
  package var pausesAfterSession = true
  /// Whether the client activates a session that this device started again after a server restart.
  ///
  /// The session resumes at its last position. By default the app decides.
  package var revivesSessions = false
  /// The time limit of a join: GroupActivities sets none; people wait about ten seconds.
  package var joinTimeout = Duration.seconds(10)
  /// The time limit of a request: the server's grace period of 30 s, plus a reconnection.
  package var requestTimeout = Duration.seconds(40)

  /// The settings of the in-app message presenter.
  package var presenter = PresenterSettings()
  /// The display that shows in-app messages; by default there is none.
  package var platform = PlatformState(hasDisplay: false)
  /// The app's identifier for campaigns.
  package var app: String?
  /// The app's version, such as `1.10.2`.
  package var appVersion: String?
  /// The event that is logged when a session's media is due to be watched here; `nil` logs none.
  package var mediaEvent: String?
  /// The settings of the notification center.
  package var center = CenterSettings()

  /// Creates the settings of a device with a player.
  package init(user: UserID, device: DeviceID, name: String) {
    self.user = user
    self.device = device
    self.name = name
  }
}
