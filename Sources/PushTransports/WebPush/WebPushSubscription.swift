import Cryptography
import Vocabulary

/// A browser's push subscription (`PushSubscription`).
package struct WebPushSubscription: Hashable, Sendable {
  /// The URL to which pushes are posted; it is checked each time it is used.
  package let endpoint: String
  /// The browser's public key, `p256dh`: 65 bytes, a point on the curve P-256.
  let publicKey: [UInt8]
  /// The secret shared by the browser and this server, `auth`: 16 bytes.
  let authentication: [UInt8]

  /// Decodes a subscription; the keys are in Base64URL, as the browser's `toJSON()` writes them.
  package init(
    endpoint: String, p256dh: String, auth: String
  ) throws(WebPushSubscriptionFlaw) {
    guard let publicKey = Base64URL.bytes(of: p256dh), publicKey.count == 65 else {
      throw .publicKey
    }
    guard let authentication = Base64URL.bytes(of: auth), authentication.count == 16 else {
      throw .authentication
    }
    // A point that is not on the curve would reveal the private key it is multiplied with.
    do throws(KeyFault) { _ = try PublicKey(p256Point: publicKey) } catch {
      throw .publicKey
    }
    self.endpoint = endpoint
    self.publicKey = publicKey
    self.authentication = authentication
  }
}

/// What is wrong with the keys of a subscription.
package enum WebPushSubscriptionFlaw: String, Error, Equatable, Sendable {
  /// `p256dh` is not the Base64URL of 65 bytes that are a point on the curve P-256.
  case publicKey
  /// `auth` is not the Base64URL of 16 bytes.
  case authentication
}
