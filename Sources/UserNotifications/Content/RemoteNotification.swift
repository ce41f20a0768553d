public import Vocabulary

/// A notification as the server sends it to a device.
public struct RemoteNotification: Hashable, Sendable, Identifiable {
  /// Its id, which is never reused.
  public var id: NotificationID
  /// When it was sent.
  public var date: Instant
  /// Its payload.
  public var payload: NotificationPayload
  /// A later notification with the same collapse id replaces it where it stands; at most 64 bytes.
  public var collapseID: String?
  /// When it expires; it is then removed on its own.
  public var expires: Instant?

  /// A notification.
  public init(
    id: NotificationID, date: Instant, payload: NotificationPayload, collapseID: String? = nil,
    expires: Instant? = nil
  ) {
    self.id = id
    self.date = date
    self.payload = payload
    self.collapseID = collapseID
    self.expires = expires
  }
}

/// Where a push service finds one app on one device.
///
/// The transport that uses the texts validates them.
public enum PushEndpoint: Hashable, Sendable {
  /// A browser's subscription: the URL that is posted to, and its keys `p256dh` and `auth` in
  /// Base64URL (RFC 8291).
  case webPush(endpoint: String, publicKey: String, secret: String)
  /// An Apple device: its token, the app's bundle id, and whether APNs' development environment
  /// serves it.
  case apns(token: String, topic: String, isSandbox: Bool)

  /// The way it belongs to.
  package var transport: TransportKind {
    switch self {
    case .webPush: .webPush
    case .apns: .apns
    }
  }

  /// What identifies it: a later installation with the same one takes it over.
  package var token: String {
    switch self {
    case .webPush(let endpoint, _, _): endpoint
    case .apns(let token, _, _): token
    }
  }

  /// How many bytes its texts take.
  package var byteCount: Int {
    switch self {
    case .webPush(let endpoint, let publicKey, let secret):
      endpoint.utf8.count + publicKey.utf8.count + secret.utf8.count
    case .apns(let token, let topic, _): token.utf8.count + topic.utf8.count
    }
  }
}
