package import Vocabulary

/// One attempt to deliver one notification to one installation through its push service.
package struct PushMessage: Equatable, Sendable {
  /// Identifies the push; the same in each attempt.
  package var id: PushID
  /// The recipient.
  package var address: PushAddress
  /// The JSON object to deliver, in UTF-8: at most 3993 bytes for Web Push, 4096 for APNs.
  package var payload: [UInt8]
  /// Whether it shows nothing to the person; Apple treats such pushes differently.
  package var isSilent: Bool
  package var urgency: PushUrgency
  /// When the push becomes useless; `nil` asks the push service for one attempt without storing.
  ///
  /// An instant and not a duration, so that waiting does not prolong its life.
  package var expires: Instant?
  /// A later push with the same id replaces one that still waits; of any length.
  package var collapseID: String?
  /// The number of the attempt, from 1.
  package var attempt: Int

  package init(
    id: PushID, to address: PushAddress, payload: [UInt8], isSilent: Bool = false,
    urgency: PushUrgency = .normal, expires: Instant? = nil, collapseID: String? = nil,
    attempt: Int = 1
  ) {
    self.id = id
    self.address = address
    self.payload = payload
    self.isSilent = isSilent
    self.urgency = urgency
    self.expires = expires
    self.collapseID = collapseID
    self.attempt = attempt
  }
}

/// The recipient of a push.
package enum PushAddress: Hashable, Sendable {
  /// A browser, reached through the push service that it named.
  case webPush(WebPushSubscription)
  /// An Apple device.
  case apns(APNsDevice)

  /// The longest payload for this recipient, in bytes.
  package var longestPayload: Int {
    switch self {
    case .webPush: MessageEncryption.longestMessage
    case .apns: Limits.payloadBytes
    }
  }
}

/// How much of a device's battery a push is worth (RFC 8030, 5.3).
package enum PushUrgency: String, CaseIterable, Sendable {
  /// An advertisement; delivered on power and Wi-Fi.
  case veryLow = "very-low"
  /// A topic update; delivered on power or Wi-Fi.
  case low
  /// A chat message; delivered without either.
  case normal
  /// A call or an invitation; delivered even at low battery.
  case high
}

/// Identifies a push: one notification to one installation, over all attempts.
package typealias PushID = Identifier<PushKind>

package enum PushKind: Sendable {}
