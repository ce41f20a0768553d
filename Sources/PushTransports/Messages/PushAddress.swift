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
