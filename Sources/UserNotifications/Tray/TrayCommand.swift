package import Vocabulary

/// What someone wants of a person's tray, or what happened to it.
package enum TrayCommand: Equatable, Sendable {
  /// Notifications are to go to a device; in place of what it registered before, and of whichever
  /// device had its token.
  case register(
    DeviceID, mode: RegistrationMode = .center, isDevelopment: Bool = false, PushEndpoint? = nil)
  case unregister(DeviceID)
  /// Another person registered with that token.
  case tokenTaken(String)
  case subscribe(Subscription)
  case unsubscribe(Subscription)
  /// A session is over: nothing of it changes any more.
  case sessionOver(SessionID)
  /// A notification for the person. Told again, it is the same; without an expiry it gets one.
  indirect case post(RemoteNotification, TrayAddressing = TrayAddressing())
  /// What a device says of a notification, or a person without one that is known, as from a page that
  /// is not open.
  case report(NotificationID, NotificationReport, on: DeviceID?)
  /// The person removes notifications from all devices.
  case remove([NotificationID])
  /// Whoever sent them takes notifications back.
  case revoke([NotificationID])
  /// A device has a connection from here on.
  case connected(DeviceID)
  /// Some devices have no connection any more, or the server was away.
  case presenceChanged
  /// What became of an attempt to push.
  case pushEnded(NotificationID, to: DeviceID, attempt: Int, PushResult)
  /// Everything goes.
  case wipe
  /// Time passed; harmless at any moment, due at ``NotificationTray/nextDeadline``.
  case clockAdvanced
}

/// How an attempt to push ended.
package enum PushResult: Equatable, Sendable {
  /// The push service has it.
  case delivered
  /// To be tried again after that time.
  case retry(after: Duration)
  /// The push service knows the installation no more; since then, if it says.
  case forget(since: Instant?)
  /// This push never succeeds.
  case refused
}

/// What the moment adds to a command: the bounds, and who is there.
package struct TrayConditions: Equatable, Sendable {
  package var policy: TrayPolicy
  /// The person's devices that have a connection, or are expected back on one.
  package var connected: Set<DeviceID>

  /// Conditions.
  package init(policy: TrayPolicy = TrayPolicy(), connected: Set<DeviceID> = []) {
    self.policy = policy
    self.connected = connected
  }
}

/// How trays behave on a server, and their bounds with their reasons.
package struct TrayPolicy: Equatable, Sendable {
  /// Devices of one person that notifications go to: a household's, and a few browsers that nobody
  /// told of their end yet.
  package var installations = 16
  /// Topics and objects that one person wants to hear of: the groups of an active member.
  package var subscriptions = 128
  /// Notifications that stand for one person: what anybody looks through, and with the longest
  /// payloads a quarter of a megabyte.
  package var notifications = 64
  /// How long a notification stands that says nothing about it: who comes back from a holiday is
  /// spared older ones.
  package var timeToLive = Duration.seconds(14 * 24 * 3_600)
  /// How long a notification stands at most, whatever it says: push services keep none longer.
  package var longestTimeToLive = Duration.seconds(28 * 24 * 3_600)
  /// How long a push service is asked to keep the word that something stands no more: by then its
  /// device was on, or lists what stands when it is.
  package var revocationLifetime = Duration.seconds(24 * 3_600)
  /// How long an attempt to push may take to say what became of it, before the server that made it
  /// counts as gone: longer than any transport's deadline.
  package var pushPatience = Duration.seconds(120)
  /// Bytes of a push endpoint's texts: URLs of push services have some 200, and browsers stop at
  /// 2 KiB; the keys have 110.
  package var endpointBytes = 2_048 + 256
  /// Bytes of a response's action and text: as long a reply as a device takes, and the name.
  package var responseBytes = 4_096 + 128
  /// Bytes of what notifications are collapsed by, as Apple's push service has it.
  package var collapseBytes = 64
  /// People whose notifications a server keeps: the members of a large club, ten times; most have a
  /// device or two and a few topics, 1 KiB.
  ///
  /// With none, the server has no notifications.
  package var trays = 100_000
  /// People who hear of one topic: whatever is said there is kept for each of them in one turn, all or
  /// none, and two thousand hold a server up for 50 ms.
  package var topicSubscribers = 2_000
  /// People who hear of one part of a session: each time somebody pauses, a change is kept for each.
  package var objectSubscribers = 512
  /// Bytes of a payload's JSON.
  package var payloadBytes = NotificationPayload.byteLimit

  /// The policy a server starts with.
  package init() {}
}
