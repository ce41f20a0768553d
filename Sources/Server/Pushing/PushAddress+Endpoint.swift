import PushTransports
import UserNotifications

extension PushAddress {
  /// The address that a device named, if it is one.
  init(_ endpoint: PushEndpoint) throws(PushEndpointFlaw) {
    switch endpoint {
    case .webPush(let endpoint, let publicKey, let secret):
      do throws(WebPushSubscriptionFlaw) {
        self = .webPush(
          try WebPushSubscription(endpoint: endpoint, p256dh: publicKey, auth: secret))
      } catch { throw .webPush(error) }
    case .apns(let token, let topic, let isSandbox):
      do throws(APNsDeviceFlaw) {
        self = .apns(try APNsDevice(token: token, topic: topic, isSandbox: isSandbox))
      } catch { throw .apns(error) }
    }
  }
}

/// Why nothing can be pushed to where a device wants its pushes to go.
enum PushEndpointFlaw: Error, Equatable, CustomStringConvertible {
  case webPush(WebPushSubscriptionFlaw)
  case apns(APNsDeviceFlaw)

  /// What is wrong, and what would be right.
  var description: String {
    switch self {
    case .webPush(.publicKey):
      "p256dh is no point of the curve P-256: send what the browser's subscription has, in Base64URL"
    case .webPush(.authentication):
      "auth is not 16 bytes: send what the browser's subscription has, in Base64URL"
    case .apns(.token): "the token is no even number of hexadecimal digits, 2 to 200"
    case .apns(.topic):
      "the topic is no bundle id: 1 to 255 letters, digits, hyphens and full stops"
    }
  }
}
