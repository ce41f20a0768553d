package import Vocabulary

/// What happened in a person's tray: what is kept, and what is replayed.
package enum TrayEvent: Equatable, Sendable {
  indirect case registered(Installation)
  case unregistered(DeviceID, InstallationEnd)
  indirect case subscribed(Subscription)
  indirect case unsubscribed(Subscription)
  indirect case posted(RemoteNotification, TrayAddressing)
  /// The push services of these devices are being asked; unless they answer, again at that instant.
  case pushing(NotificationID, to: [DeviceID], until: Instant)
  /// A push service has it.
  case pushed(NotificationID, to: DeviceID)
  /// A push service is to be asked again at that instant.
  case pushPostponed(NotificationID, to: DeviceID, until: Instant)
  /// A push service is not asked again.
  case pushRefused(NotificationID, to: DeviceID)
  /// There was no need to ask again: the device has a connection, or no push service any more.
  case pushSpared(NotificationID, to: DeviceID)
  case acknowledged(NotificationID, DeliveryResult, on: DeviceID)
  case putAway(NotificationID, on: DeviceID)
  indirect case responded(NotificationID, TrayResponse)
  /// These stand no more.
  case ended([NotificationID], TrayEntryEnd)
  case wiped
}
