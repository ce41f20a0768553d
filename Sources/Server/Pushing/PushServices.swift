import Coordination
import JSON
package import PushTransports
package import UserNotifications
import Vocabulary
import Wire

/// The push services that a server has keys for.
package struct PushServices: Sendable {
  /// The key for browsers; `nil` sends them no pushes.
  package var webPush: WebPushConfiguration?
  /// The key for Apple's devices; `nil` sends them no pushes.
  package var apns: APNsConfiguration?

  /// No services.
  package init() {}

  /// The routes to these services.
  ///
  /// - Parameter clocks: what the time is.
  /// - Throws: ``PushConfigurationError/certificates(path:)`` if a file has none.
  package func routes(clocks: PushClocks) throws(PushConfigurationError) -> [PushRoute] {
    var routes: [PushRoute] = []
    if let webPush { routes.append(try webPush.route(seed: Self.seed, clocks: clocks)) }
    if let apns { routes.append(try apns.route(seed: Self.seed, clocks: clocks)) }
    return routes
  }

  private static var seed: UInt64 { .random(in: .min ... .max) }

  /// What is wrong with a device's push address, and what to do; `nil` if it is valid.
  package func flaw(of endpoint: PushEndpoint) -> String? {
    let address: PushAddress
    do throws(PushEndpointFlaw) { address = try PushAddress(endpoint) } catch {
      return error.description
    }
    switch address {
    case .webPush(let subscription):
      guard let webPush else { return "this server has no key for Web Push" }
      return webPush.endpoints.fault(of: subscription.endpoint).map {
        "pushes must not go to this endpoint (\($0.rawValue))" + ($0.advice.map { ": \($0)" } ?? "")
      }
    case .apns: return apns == nil ? "this server has no key for APNs" : nil
    }
  }
}

extension PushAddress {
  /// Parses the address of a device.
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

/// Why a device's push address is invalid.
enum PushEndpointFlaw: Error, Equatable, CustomStringConvertible {
  case webPush(WebPushSubscriptionFlaw)
  case apns(APNsDeviceFlaw)

  /// What is wrong, and what is valid.
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

extension PushMessage {
  /// The push for an order.
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
  /// The identifier of a push, the same for all its attempts: user, notification and endpoint.
  fileprivate init(_ order: PushOrder, _ attempt: PushAttempt) {
    let parts = [
      attempt.user.text, attempt.notification.text, attempt.device.text, order.endpoint.token,
    ]
    // The lengths make it unambiguous, because names may contain any separator.
    self.init(parts.map { "\($0.utf8.count):\($0)" }.joined())
  }
}

extension PushUrgency {
  /// Visible notifications are sent with high priority; silent ones may wait to save battery.
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
  /// The field for the notification's identifier, in addition to `aps` and the sender's own fields.
  static let serverField = "matinee"

  /// The JSON of a push: the payload, and the fields that a device needs to replace an older
  /// notification, to report this one, and to withdraw it.
  ///
  /// If both do not fit, only the payload is sent. A payload that does not fit alone, because a
  /// browser takes less than a payload may have, is shortened: its page gets the whole when it
  /// connects.
  func pushedBytes(limit: Int) -> [UInt8] {
    var payload = payload
    var own: [String: PayloadValue] = [
      "notification": .string(id.text), "at": .integer(date.microseconds),
    ]
    own["collapseID"] = collapseID.map { .string($0) }
    own["expires"] = expires.map { .integer($0.microseconds) }
    payload.custom[Self.serverField] = .dictionary(own)
    let bytes = Self.bytes(of: payload)
    if bytes.count <= limit { return bytes }
    let alone = Self.bytes(of: self.payload)
    if alone.count <= limit { return alone }
    payload.shorten(toFit: limit, keeping: Self.serverField)
    return Self.bytes(of: payload)
  }

  private static func bytes(of payload: NotificationPayload) -> [UInt8] {
    var writer = JSONWriter()
    payload.write(to: &writer)
    return writer.bytes
  }
}
