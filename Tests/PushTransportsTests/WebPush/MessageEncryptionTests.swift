import Cryptography
import PushTesting
import Testing
import Vocabulary

@testable import PushTransports

@Suite struct MessageEncryptionTests {
  // RFC 8291, section 5 and appendix A.
  @Test func `the standard's example comes out byte for byte`() throws {
    let sender = try PrivateKey(
      p256: #require(Base64URL.bytes(of: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")))
    let subscription = try WebPushSubscription(
      endpoint: "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
      p256dh:
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg")
    let encryption = MessageEncryption(
      salt: try #require(Base64URL.bytes(of: "DGv6ra1nlYgDCS1FRnbzlw")), sender: sender)
    let body = try encryption.sealed(
      Array("When I grow up, I want to be a watermelon".utf8), for: subscription)
    #expect(
      Base64URL.text(of: body)
        == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY"
        + "WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexS"
        + "gSxsj_Qulcy4a-fN")
    #expect(body.count == 144)
  }

  @Test func `the standard's browser opens the standard's example`() throws {
    let browser = try LocalBrowser(
      key: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", auth: "BTBZMqHH6r4Tts7J_aSIgg")
    let body = try #require(
      Base64URL.bytes(
        of:
          "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY"
          + "WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexS"
          + "gSxsj_Qulcy4a-fN"))
    #expect(try browser.open(body) == "When I grow up, I want to be a watermelon")
  }

  @Test(arguments: [0, 1, 15, 16, 17, 1_000, MessageEncryption.longestMessage])
  func `only the browser that it is for opens a message`(length: Int) throws {
    let browser = LocalBrowser()
    let subscription = try browser.subscription(at: "https://push.example.net/1")
    let message = String(repeating: "m", count: length)
    let body = try MessageEncryption().sealed(Array(message.utf8), for: subscription)
    #expect(try browser.open(body) == message)
    #expect(throws: (any Error).self) { try LocalBrowser().open(body) }
    var damaged = body
    damaged[damaged.count - 1] ^= 1
    #expect(throws: (any Error).self) { try browser.open(damaged) }
  }

  @Test func `the longest message fills what a push service takes`() throws {
    #expect(MessageEncryption.longestMessage == 3_993)
    let subscription = try LocalBrowser().subscription(at: "https://push.example.net/1")
    let message = [UInt8](repeating: 1, count: MessageEncryption.longestMessage)
    #expect(try MessageEncryption().sealed(message, for: subscription).count == 4_096)
  }

  @Test func `each message has a salt and a key of its own`() throws {
    let subscription = try LocalBrowser().subscription(at: "https://push.example.net/1")
    let heads = try (0..<20).map { _ in
      Array(try MessageEncryption().sealed([1], for: subscription).prefix(86))
    }
    #expect(Set(heads.map { Array($0.prefix(16)) }).count == 20)
    #expect(Set(heads.map { Array($0.suffix(65)) }).count == 20)
  }
}
