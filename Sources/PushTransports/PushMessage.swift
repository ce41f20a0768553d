package import Vocabulary

/// One attempt to hand one notification to the push service of one installation.
package struct PushMessage: Equatable, Sendable {
  /// Which push it is; the same in each attempt.
  package var id: PushID
  /// Where it goes.
  package var address: PushAddress
  /// The JSON object that travels, in UTF-8: 3993 bytes at most by Web Push, 4096 by APNs.
  package var payload: [UInt8]
  /// Whether it shows nothing; Apple treats those differently.
  package var isSilent: Bool
  /// What it is worth to the battery.
  package var urgency: PushUrgency
  /// When it is good for nothing any more; `nil` asks for one try by the push service, at once.
  ///
  /// A point in time and not a length, so that what waited does not live longer for it.
  package var expires: Instant?
  /// A later push with the same one takes its place where it still waits; of any length.
  package var collapseID: String?
  /// Which attempt it is, from 1.
  package var attempt: Int

  /// A push.
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

/// Where a push goes.
package enum PushAddress: Hashable, Sendable {
  /// To a browser, through the push service that the browser named.
  case webPush(WebPushSubscription)
  /// To a device of Apple's.
  case apns(APNsDevice)

  /// The longest payload that goes there, in bytes.
  package var longestPayload: Int {
    switch self {
    case .webPush: MessageEncryption.longestMessage
    case .apns: APNsRequests.longestPayload
    }
  }
}

/// How much a push is worth to a device's battery (RFC 8030, 5.3).
package enum PushUrgency: String, CaseIterable, Sendable {
  /// An advertisement; on power and a free network.
  case veryLow = "very-low"
  /// An update of a topic; on power or a free network.
  case low
  /// A message of a chat; on neither.
  case normal
  /// A call, an invitation; also when the battery is nearly empty.
  case high
}

/// One push: one notification on its way to one installation, over all its attempts.
package typealias PushID = Identifier<PushKind>

/// Marks identifiers of pushes.
package enum PushKind: Sendable {}
