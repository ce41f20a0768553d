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
