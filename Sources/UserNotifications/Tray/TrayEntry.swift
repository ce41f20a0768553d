package import Vocabulary

/// A notification that stands in a person's tray, and how far it got on each device.
package struct TrayEntry: Identifiable, Equatable, Sendable {
  package let notification: RemoteNotification
  package let addressing: TrayAddressing
  /// What the person did about it last.
  package internal(set) var response: TrayResponse?
  /// What is known of the devices it went to; nothing of those that only got it over a connection and
  /// said nothing yet.
  package internal(set) var deliveries: SortedMap<DeviceID, TrayDelivery>

  package var id: NotificationID { notification.id }

  /// An entry.
  package init(
    _ notification: RemoteNotification, _ addressing: TrayAddressing,
    response: TrayResponse? = nil, deliveries: SortedMap<DeviceID, TrayDelivery> = [:]
  ) {
    self.notification = notification
    self.addressing = addressing
    self.response = response
    self.deliveries = deliveries
  }

  /// The notification as an installation gets it one way or the other; `nil` if it does not.
  package func notification(
    for installation: Installation, over transport: TransportKind
  ) -> RemoteNotification? {
    guard addressing.reaches(installation, over: transport) else { return nil }
    var notification = notification
    notification.payload = addressing.options.payload(notification.payload, over: transport)
    return notification
  }

  /// When it expires, or a push of it is due.
  var nextDeadline: Instant? {
    Instant.earlier(notification.expires, deliveries.values.lazy.compactMap(\.nextPush).min())
  }
}

/// To which of a person's devices a notification goes, and what ends it.
package struct TrayAddressing: Equatable, Sendable {
  /// The devices it is for, in order; `nil` is all of them, also those that come later.
  package var devices: [DeviceID]?
  /// Over which ways it goes, and what is otherwise on each.
  package var options: PushOptions
  /// Whether it stands on after somebody did something about it, until whoever posted it takes it
  /// back: as an invitation does that was dismissed, or answered with a text.
  package var outlivesResponse: Bool

  /// For all of a person's devices, and over once it was responded to.
  package init(
    devices: [DeviceID]? = nil, options: PushOptions = PushOptions(),
    outlivesResponse: Bool = false
  ) {
    self.devices = devices
    self.options = options
    self.outlivesResponse = outlivesResponse
  }

  func reaches(_ installation: Installation, over transport: TransportKind) -> Bool {
    devices?.contains(installation.device) != false
      && options.reaches(transport, isDevelopment: installation.isDevelopment)
  }
}

/// How far a notification got on one device.
package struct TrayDelivery: Equatable, Sendable {
  /// How often its push service was asked to take it.
  package internal(set) var attempts: Int
  /// When it is asked again, unless it says before what became of the last time.
  package internal(set) var nextPush: Instant?
  /// Whether its push service has it.
  package internal(set) var isPushed: Bool
  /// What the device said last of what became of it.
  package internal(set) var result: DeliveryResult?
  /// Whether it stands there no more, as the person put it away or responded.
  package internal(set) var isPutAway: Bool

  /// A delivery.
  package init(
    attempts: Int = 0, nextPush: Instant? = nil, isPushed: Bool = false,
    result: DeliveryResult? = nil, isPutAway: Bool = false
  ) {
    self.attempts = attempts
    self.nextPush = nextPush
    self.isPushed = isPushed
    self.result = result
    self.isPutAway = isPutAway
  }

  /// Whether the device has, or had, it.
  package var hasArrived: Bool { result != nil || isPutAway }
}

/// What a person did about a notification.
package struct TrayResponse: Equatable, Sendable {
  /// Where; `nil` where that is not known, as from a page that is not open.
  package let device: DeviceID?
  package let actionID: String
  package let text: String?

  /// A response.
  package init(actionID: String, text: String? = nil, on device: DeviceID?) {
    self.device = device
    self.actionID = actionID
    self.text = text
  }
}

/// Why a notification stands no more.
package enum TrayEntryEnd: String, Equatable, Sendable, CaseIterable {
  /// The person responded to it.
  case answered
  /// The person removed it.
  case removed
  /// Whoever sent it took it back.
  case revoked
  case expired
  /// Another one took its place.
  case collapsed
  /// There was no room for all of them, and it was the oldest.
  case displaced
  /// It was for apps alone, and all have it.
  case settled
}
