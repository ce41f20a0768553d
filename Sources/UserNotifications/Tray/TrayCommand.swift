package import Vocabulary

/// A command to a person's tray, or something that happened to it.
package enum TrayCommand: Equatable, Sendable {
  /// Registers a device for notifications, in place of its earlier registration and of another
  /// device with the same token.
  case register(
    DeviceID, mode: RegistrationMode = .center, isDevelopment: Bool = false, PushEndpoint? = nil)
  case unregister(DeviceID)
  /// Another person registered with that token.
  case tokenTaken(String)
  case subscribe(Subscription)
  case unsubscribe(Subscription)
  /// Objects are over, so the subscriptions to them end.
  case objectsOver([ServerObject])
  /// Posts a notification to the person. A repeat changes nothing; one without an expiry gets one.
  indirect case post(RemoteNotification, TrayAddressing = TrayAddressing())
  /// A report on a notification from a device, or from a person without a known device, as from a
  /// page that is not open.
  case report(NotificationID, NotificationReport, on: DeviceID?)
  /// The person removes notifications from all devices.
  case remove([NotificationID])
  /// The sender revokes notifications.
  case revoke([NotificationID])
  /// A device connected.
  case connected(DeviceID)
  /// Devices lost their connections, or the server was down.
  case presenceChanged
  /// The result of an attempt to push to a device's endpoint.
  case pushEnded(NotificationID, to: DeviceID, at: PushEndpoint, attempt: Int, PushResult)
  /// Deletes everything.
  case wipe
  /// Time passed; harmless at any moment, due at ``NotificationTray/nextDeadline``.
  case clockAdvanced
}

/// How an attempt to push ended.
package enum PushResult: Equatable, Sendable {
  /// The push service took it.
  case delivered
  /// The push should be attempted again after that time.
  case retry(after: Duration)
  /// The push service has not known the endpoint since that instant.
  case forget(since: Instant)
  /// This push never succeeds.
  case refused
}

/// The circumstances of a command: the bounds, and the connected devices.
package struct TrayConditions: Equatable, Sendable {
  package var policy: TrayPolicy
  /// The person's devices that have a connection, or are expected back on one.
  package var connected: Set<DeviceID>

  package init(policy: TrayPolicy = TrayPolicy(), connected: Set<DeviceID> = []) {
    self.policy = policy
    self.connected = connected
  }
}

/// How trays behave on a server, and their bounds with their reasons.
package struct TrayPolicy: Equatable, Sendable {
  /// Devices of one person: a household's, and a few browsers that are no longer used.
  package var installations = 16
  /// Subscriptions of one person: the groups of an active member.
  package var subscriptions = 128
  /// Notifications that stand for one person: as many as a person looks through, and 256 KiB with
  /// the longest payloads.
  package var notifications = 64
  /// The default time to live of a notification: a person who returns from a holiday need not read
  /// older ones.
  package var timeToLive = Duration.seconds(14 * 24 * 3_600)
  /// The longest time to live of a notification: push services keep none longer.
  package var longestTimeToLive = Limits.pushLifetime
  /// The time to live of a pushed removal: by then the device was on, or it gets the list when it
  /// connects.
  package var revocationLifetime = Duration.seconds(24 * 3_600)
  /// How long an attempt to push may take before the server that made it counts as gone: longer
  /// than any transport's deadline.
  package var pushPatience = Duration.seconds(120)
  /// Bytes of a push endpoint's texts: the longest URL, and the keys with 110.
  package var endpointBytes = Limits.urlBytes + 256
  /// Bytes of a response's action and text: the longest reply of a device, and the action's name.
  package var responseBytes = Limits.payloadBytes + 128
  /// Bytes of a collapse id: Apple's limit.
  package var collapseBytes = 64
  /// People whose notifications a server keeps: the members of a large club, ten times; most have a
  /// device or two and a few topics, 1 KiB.
  ///
  /// With none, the server has no notifications.
  package var trays = 100_000
  /// Subscribers of one topic.
  ///
  /// A message to the topic is kept for all of them in one turn, all or none; two thousand take a
  /// server 50 ms.
  package var topicSubscribers = 2_000
  /// Subscribers of one part of a session: each pause keeps a change for each of them.
  package var objectSubscribers = 512
  /// Bytes of a payload's JSON.
  package var payloadBytes = NotificationPayload.byteLimit

  /// The policy a server starts with.
  package init() {}
}
