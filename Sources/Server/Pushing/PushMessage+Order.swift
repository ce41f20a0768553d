import Coordination
import JSON
import PushTransports
import UserNotifications
import Vocabulary
import Wire

extension PushMessage {
  /// What an order asks to be pushed.
  init(_ order: PushOrder, _ attempt: PushAttempt) throws(PushEndpointFlaw) {
    let address = try PushAddress(order.endpoint)
    let notification = order.notification
    self.init(
      id: PushID(order, attempt), to: address,
      payload: notification.pushedBytes(limit: address.longestPayload),
      isSilent: !notification.payload.isForUser, urgency: PushUrgency(of: notification.payload),
      expires: notification.expires, collapseID: notification.collapseID, attempt: attempt.number)
  }
}

extension PushID {
  /// The name of a push over all its attempts: whose notification goes where.
  fileprivate init(_ order: PushOrder, _ attempt: PushAttempt) {
    let parts = [
      attempt.user.text, attempt.notification.text, attempt.device.text, order.endpoint.token,
    ]
    // Lengths keep apart what names of any letters would not.
    self.init(parts.map { "\($0.utf8.count):\($0)" }.joined())
  }
}

extension PushUrgency {
  /// What is shown at once is worth a device's battery; what shows nothing comes when it suits.
  fileprivate init(of payload: NotificationPayload) {
    guard payload.isForUser else {
      self = .normal
      return
    }
    switch payload.interruptionLevel {
    case .passive: self = .low
    case .active, .timeSensitive, .critical, nil: self = .high
    }
  }
}

extension RemoteNotification {
  /// The field that says which notification it is, beside `aps` and the sender's own fields.
  static let serverField = "matinee"

  /// The JSON that a push carries: the payload, and what a device needs to show it in the place of an
  /// older one, to report it and to have it taken back.
  ///
  /// Where that does not fit, the payload alone.
  func pushedBytes(limit: Int) -> [UInt8] {
    var payload = payload
    var own: [String: PayloadValue] = [
      "notification": .string(id.text), "at": .integer(date.microseconds),
    ]
    own["collapseID"] = collapseID.map { .string($0) }
    own["expires"] = expires.map { .integer($0.microseconds) }
    payload.custom[Self.serverField] = .dictionary(own)
    let bytes = Self.bytes(of: payload)
    return bytes.count <= limit ? bytes : Self.bytes(of: self.payload)
  }

  private static func bytes(of payload: NotificationPayload) -> [UInt8] {
    var writer = JSONWriter()
    payload.write(to: &writer)
    return writer.bytes
  }
}
