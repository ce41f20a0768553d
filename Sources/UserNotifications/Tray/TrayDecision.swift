package import Vocabulary

/// A tray's answer to a command.
package struct TrayDecision: Equatable, Sendable {
  /// What happened, to be kept and made so, in order.
  package internal(set) var events: [TrayEvent] = []
  /// What is to be done once the events are kept.
  package internal(set) var effects: [TrayEffect] = []

  init() {}

  /// Whether the command was nothing new, such as a response that was told again.
  package var isRepeat: Bool { events.isEmpty }
}

/// What a shell does for a tray.
package enum TrayEffect: Equatable, Sendable {
  /// Sends a notification over a device's connection.
  indirect case deliver(RemoteNotification, to: DeviceID)
  /// Tells a device that has just come all that stands; what it shows beside that is out of date.
  case list([ListedNotification], to: DeviceID)
  /// Takes notifications back from a connected device.
  case revoke([NotificationID], on: DeviceID)
  /// Asks a push service, and tells the tray what became of it.
  indirect case push(PushOrder)
}

/// One attempt to push.
package struct PushOrder: Equatable, Sendable {
  package let notification: RemoteNotification
  package let device: DeviceID
  package let endpoint: PushEndpoint
  /// Which attempt it is, from 1; its outcome is told with it.
  package let attempt: Int
}

/// A notification as a tray lists it for a device.
package struct ListedNotification: Equatable, Sendable {
  package let notification: RemoteNotification
  /// Whether the device has not said yet that it got it: to it, it arrives just now.
  package let isNew: Bool
  /// Whether it was put away there: it stands for the person still, but is not shown by itself.
  package let isPutAway: Bool

  /// A notification in a list.
  package init(_ notification: RemoteNotification, isNew: Bool, isPutAway: Bool = false) {
    self.notification = notification
    self.isNew = isNew
    self.isPutAway = isPutAway
  }
}

/// Why a tray refused a command; it is as before.
package enum TrayRejection: Error, Equatable, Sendable {
  /// The payload cannot travel.
  case payload(PayloadFault)
  /// It would come too late for everybody.
  case expired
  case tooManySubscriptions(limit: Int)
  /// An endpoint's texts, a response's, or a collapse id are longer than the tray keeps.
  case tooLong(limit: Int)
  /// The person was never sent such a notification, or long ago.
  case unknownNotification
  /// It was answered, removed, taken back, or it expired.
  case notificationOver
}

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
