public import Vocabulary

/// A notification as the server sends it to a device.
public struct RemoteNotification: Hashable, Sendable, Identifiable {
  /// Its name, never used again.
  public var id: NotificationID
  /// When it was sent.
  public var date: Instant
  /// What it carries.
  public var payload: NotificationPayload
  /// A later one with the same takes its place where it stands; at most 64 bytes.
  public var collapseID: String?
  /// When it is good for nothing any more; it goes by itself then.
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
/// What the texts are worth, the transport judges that uses them.
public enum PushEndpoint: Hashable, Sendable {
  /// A browser's subscription: the URL that is posted to, and its keys `p256dh` and `auth` in
  /// Base64URL (RFC 8291).
  case webPush(endpoint: String, publicKey: String, secret: String)
  /// A device of Apple's: its token, the app's bundle id, and whether APNs keeps it apart as one
  /// under development.
  case apns(token: String, topic: String, isSandbox: Bool)

  /// The way it belongs to.
  package var transport: TransportKind {
    switch self {
    case .webPush: .webPush
    case .apns: .apns
    }
  }

  /// What tells it from all others: whoever installs the same one has taken it over.
  package var token: String {
    switch self {
    case .webPush(let endpoint, _, _): endpoint
    case .apns(let token, _, _): token
    }
  }

  /// How many bytes its texts take.
  var byteCount: Int {
    switch self {
    case .webPush(let endpoint, let publicKey, let secret):
      endpoint.utf8.count + publicKey.utf8.count + secret.utf8.count
    case .apns(let token, let topic, _): token.utf8.count + topic.utf8.count
    }
  }
}
