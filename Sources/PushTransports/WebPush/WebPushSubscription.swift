import Crypto
import Vocabulary

/// What a browser hands out so that it can be pushed to (`PushSubscription`).
package struct WebPushSubscription: Hashable, Sendable {
  /// The URL that a push is posted to; where it leads is judged when it is used.
  package let endpoint: String
  /// The browser's public key, `p256dh`: 65 bytes, a point of the curve P-256.
  let publicKey: [UInt8]
  /// The secret that only the browser and this server know, `auth`: 16 bytes.
  let authentication: [UInt8]

  /// A subscription, its keys in Base64URL as the browser's `toJSON()` writes them.
  package init(
    endpoint: String, p256dh: String, auth: String
  ) throws(WebPushSubscriptionFlaw) {
    guard let publicKey = Base64URL.bytes(of: p256dh), publicKey.count == 65 else {
      throw .publicKey
    }
    guard let authentication = Base64URL.bytes(of: auth), authentication.count == 16 else {
      throw .authentication
    }
    // A point beside the curve would give away the key of whoever multiplies with it.
    do { _ = try P256.KeyAgreement.PublicKey(x963Representation: publicKey) } catch {
      throw .publicKey
    }
    self.endpoint = endpoint
    self.publicKey = publicKey
    self.authentication = authentication
  }
}

/// What is wrong with the keys of a subscription.
package enum WebPushSubscriptionFlaw: String, Error, Equatable, Sendable {
  /// `p256dh` is not the Base64URL of 65 bytes that are a point of the curve P-256.
  case publicKey
  /// `auth` is not the Base64URL of 16 bytes.
  case authentication
}
