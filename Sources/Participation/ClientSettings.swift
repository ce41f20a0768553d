package import InAppMessaging
package import UserNotifications
package import Vocabulary

/// Who a client is, and what it does when nobody asks.
package struct ClientSettings: Equatable, Sendable {
  package var user: UserID
  package var device: DeviceID
  /// What others see.
  package var name: String
  /// Whether the client takes part in sessions; without it, it is only told of activities.
  package var understandsSessions = true
  /// The types of activities that the app knows, or `nil` if it takes part in all.
  ///
  /// Of others it is told by a notice, as one that does not take part in sessions is.
  package var activityTypes: Set<String>?
  /// Whether a player carries out what the group does; without one, an app sends every report.
  package var hasPlayer = true
  /// Whether a device without a player has what everyone watches current all the same, and is
  /// always ready: so it can steer, and nobody waits for it.
  package var attendsWithoutPlayer = false
  /// How much later than the player says its sound comes out.
  package var playerOffset = Duration.zero
  /// Whether the player stands still while the connection is away; by default it plays on.
  package var pausesWhileReconnecting = false
  /// Whether the player stops when the session is over for this device; by default it does.
  package var pausesAfterSession = true
  /// Whether a session that this device started is begun again, where it was, after the server
  /// restarted; by default that is the app's decision.
  package var revivesSessions = false
  /// How long a join may take: GroupActivities leaves it open, ten seconds is a person's patience.
  package var joinTimeout = Duration.seconds(10)
  /// How long a request may wait for its answer: a server's grace of thirty seconds, and a
  /// reconnect.
  package var requestTimeout = Duration.seconds(40)

  /// How in-app messages are presented.
  package var presenter = PresenterSettings()
  /// Where they are shown; by default there is nothing to show them on.
  package var platform = PlatformState(hasDisplay: false)
  /// The app, as campaigns know it.
  package var app: String?
  /// The app's version, such as `1.10.2`.
  package var appVersion: String?
  /// The event that is logged when a session's media is to be watched here; `nil` logs none.
  package var mediaEvent: String?
  /// How the centre of notifications goes about its work.
  package var center = CenterSettings()

  /// The settings of a device with a player.
  package init(user: UserID, device: DeviceID, name: String) {
    self.user = user
    self.device = device
    self.name = name
  }
}
