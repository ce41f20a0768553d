package import Vocabulary

/// A notification that stands in a person's tray, and its delivery to each device.
package struct TrayEntry: Identifiable, Equatable, Sendable {
  package let notification: RemoteNotification
  package let addressing: TrayAddressing
  /// The person's last response.
  package internal(set) var response: TrayResponse?
  /// The delivery to each device.
  ///
  /// A device that got it over a connection has none until it reports.
  package internal(set) var deliveries: SortedMap<DeviceID, TrayDelivery>

  package var id: NotificationID { notification.id }

  package init(
    _ notification: RemoteNotification, _ addressing: TrayAddressing,
    response: TrayResponse? = nil, deliveries: SortedMap<DeviceID, TrayDelivery> = [:]
  ) {
    self.notification = notification
    self.addressing = addressing
    self.response = response
    self.deliveries = deliveries
  }

  /// The notification as an installation gets it over a transport; `nil` if it gets none.
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

/// Which of a person's devices a notification goes to, and what ends it.
package struct TrayAddressing: Equatable, Sendable {
  /// The devices it is for, in order; `nil` is all of them, also those that register later.
  package var devices: [DeviceID]?
  /// The transports it goes over, and how it differs on each.
  package var options: PushOptions
  /// Whether it stands after a response until its sender revokes it, as an invitation does that was
  /// dismissed or answered with a text.
  package var outlivesResponse: Bool

  /// By default for all of a person's devices, and ended by a response.
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

/// The delivery of a notification to one device.
package struct TrayDelivery: Equatable, Sendable {
  /// How many pushes were attempted.
  package internal(set) var attempts: Int
  /// When the push is attempted again, unless the push service answers before.
  package internal(set) var nextPush: Instant?
  /// Whether the push service took it.
  package internal(set) var isPushed: Bool
  /// The device's last acknowledgement.
  package internal(set) var result: DeliveryResult?
  /// Whether the person dismissed it there or responded to it.
  package internal(set) var isPutAway: Bool

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

  /// Whether the device may show it: its push service took it or is to be asked again, or the
  /// device reported it.
  ///
  /// A push that waits for another attempt may have arrived with one that was not answered.
  /// What a browser's page reported was shown by the page itself, or by nobody.
  func mayBeShown(over transport: TransportKind) -> Bool {
    !isPutAway && (isPushed || nextPush != nil || (result != nil && transport != .webPush))
  }

  /// A push is attempted, and again at `until` unless the push service answers before.
  mutating func beginPush(until: Instant) {
    attempts += 1
    nextPush = until
  }

  /// The push service took it.
  mutating func endPush() {
    isPushed = true
    nextPush = nil
  }

  mutating func acknowledge(_ result: DeliveryResult) {
    self.result = result
    nextPush = nil
  }

  mutating func putAway() {
    isPutAway = true
    nextPush = nil
  }
}

/// A person's response to a notification.
package struct TrayResponse: Equatable, Sendable {
  /// The device; `nil` if it is unknown, as from a page that is not open.
  package let device: DeviceID?
  package let actionID: String
  package let text: String?

  package init(actionID: String, text: String? = nil, on device: DeviceID?) {
    self.device = device
    self.actionID = actionID
    self.text = text
  }

  /// How many bytes its texts take.
  var byteCount: Int { actionID.utf8.count + (text?.utf8.count ?? 0) }
}

/// Why a notification ended.
package enum TrayEntryEnd: String, Equatable, Sendable, CaseIterable {
  /// The person responded to it.
  case answered
  /// The person removed it.
  case removed
  /// The sender revoked it.
  case revoked
  case expired
  /// A later one replaced it.
  case collapsed
  /// The tray was full, and it was the oldest.
  case displaced
  /// It was for apps alone, and all have it.
  case settled
}
