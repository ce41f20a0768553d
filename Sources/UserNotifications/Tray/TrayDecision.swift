package import Vocabulary

/// A tray's answer to a command.
package struct TrayDecision: Equatable, Sendable {
  /// What happened, to be kept and applied in order.
  package internal(set) var events: [TrayEvent] = []
  /// What the shell does once the events are kept.
  package internal(set) var effects: [TrayEffect] = []

  init() {}
}

/// What a shell does for a tray.
package enum TrayEffect: Equatable, Sendable {
  /// Sends a notification over a device's connection.
  indirect case deliver(RemoteNotification, to: DeviceID)
  /// Sends a device that just connected all standing notifications; others that it shows are out of
  /// date.
  case list([ListedNotification], to: DeviceID)
  /// Revokes notifications on a connected device.
  case revoke([NotificationID], on: DeviceID)
  /// Pushes, and reports the result to the tray.
  indirect case push(PushOrder)
}

/// One attempt to push.
package struct PushOrder: Equatable, Sendable {
  package let notification: RemoteNotification
  package let device: DeviceID
  package let endpoint: PushEndpoint
  /// The number of the attempt, from 1; its result is reported with it.
  package let attempt: Int
}

/// A notification as a tray lists it for a device.
package struct ListedNotification: Equatable, Sendable {
  package let notification: RemoteNotification
  /// Whether the device has not acknowledged it yet: to the device, it arrives now.
  package let isNew: Bool
  /// Whether it was dismissed there: it still stands for the person, but the device does not show
  /// it on its own.
  package let isPutAway: Bool

  /// A notification in a list.
  package init(_ notification: RemoteNotification, isNew: Bool, isPutAway: Bool = false) {
    self.notification = notification
    self.isNew = isNew
    self.isPutAway = isPutAway
  }
}

/// Why a tray refused a command; the tray is unchanged.
package enum TrayRejection: Error, Equatable, Sendable {
  /// The payload cannot travel.
  case payload(PayloadFault)
  /// It has expired already.
  case expired
  case tooManySubscriptions(limit: Int)
  /// The texts of an endpoint or a response, or a collapse id, are longer than the tray keeps.
  case tooLong(limit: Int)
  /// The person was never sent this notification, or it ended long ago.
  case unknownNotification
  /// It was answered, removed or revoked, or it expired.
  case notificationOver
}

/// What happened in a person's tray, as it is kept and replayed.
package enum TrayEvent: Equatable, Sendable {
  indirect case registered(Installation)
  case unregistered(DeviceID, InstallationEnd)
  indirect case subscribed(Subscription)
  indirect case unsubscribed(Subscription)
  indirect case posted(RemoteNotification, TrayAddressing)
  /// Pushes to these devices are attempted, and again at that instant unless the push services
  /// answer.
  case pushing(NotificationID, to: [DeviceID], until: Instant)
  /// A push service took it.
  case pushed(NotificationID, to: DeviceID)
  /// The push is attempted again at that instant.
  case pushPostponed(NotificationID, to: DeviceID, until: Instant)
  /// The push is not attempted again.
  case pushRefused(NotificationID, to: DeviceID)
  /// No further push is needed: the device is connected, or no longer has a push service.
  case pushSpared(NotificationID, to: DeviceID)
  case acknowledged(NotificationID, DeliveryResult, on: DeviceID)
  case putAway(NotificationID, on: DeviceID)
  indirect case responded(NotificationID, TrayResponse)
  /// These ended.
  case ended([NotificationID], TrayEntryEnd)
  case wiped
}

extension TrayEvent {
  /// The approximate size of what people and apps wrote into it, in bytes.
  package var bytes: Int {
    switch self {
    case .registered(let installation): installation.endpoint?.byteCount ?? 0
    case .posted(let notification, _): notification.payload.jsonByteCount
    case .responded(_, let response): response.byteCount
    default: 0
    }
  }
}
