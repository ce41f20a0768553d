import PushTesting
import PushTransports
import Testing
import Vocabulary

@Suite struct WebPushSubscriptionTests {
  private static let key =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
  private static let secret = "BTBZMqHH6r4Tts7J_aSIgg"

  private func flaw(_ p256dh: String, _ auth: String) -> WebPushSubscriptionFlaw? {
    do throws(WebPushSubscriptionFlaw) {
      _ = try WebPushSubscription(endpoint: "https://a.example/", p256dh: p256dh, auth: auth)
      return nil
    } catch { return error }
  }

  @Test func `a browser's own keys are taken`() {
    #expect(flaw(Self.key, Self.secret) == nil)
  }

  @Test func `a key that is no point of the curve is refused`() throws {
    var bytes = try #require(Base64URL.bytes(of: Self.key))
    #expect(flaw("", Self.secret) == .publicKey)
    #expect(flaw(Self.key + "=", Self.secret) == .publicKey)
    #expect(flaw(Base64URL.text(of: bytes.dropLast()), Self.secret) == .publicKey)
    bytes[64] ^= 1
    #expect(flaw(Base64URL.text(of: bytes), Self.secret) == .publicKey)
    bytes[64] ^= 1
    bytes[0] = 2
    #expect(flaw(Base64URL.text(of: bytes), Self.secret) == .publicKey)
    #expect(
      flaw(Base64URL.text(of: [4] + [UInt8](repeating: 0, count: 64)), Self.secret) == .publicKey)
  }

  @Test(arguments: [
    "", "BTBZMqHH6r4Tts7J_aSI", "BTBZMqHH6r4Tts7J_aSIggAA", "BTBZMqHH6r4Tts7J+aSIgg",
  ])
  func `a secret of another length is refused`(auth: String) {
    #expect(flaw(Self.key, auth) == .authentication)
  }
}
