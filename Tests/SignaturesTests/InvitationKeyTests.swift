import Signatures
import Testing
import Vocabulary

@Suite struct InvitationKeyTests {
  private static let bytes = Array(UInt8(0)..<32)
  private static let text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

  @Test(arguments: [
    bytes, Array(text.utf8), Array((text + "\n").utf8), Array((text + " \r\n").utf8),
  ])
  func `a file holds the key's bytes or their text`(contents: [UInt8]) {
    #expect(InvitationKey(contents: contents) == InvitationKey(bytes: Self.bytes))
    #expect(InvitationKey(contents: contents) != nil)
  }

  @Test(arguments: [
    "", "\n", "AAECAw", " " + text, text + "=", text + "\n" + text, String(text.dropLast()),
    text + "AA", "key: " + text,
  ])
  func `anything else is no key`(contents: String) {
    #expect(InvitationKey(contents: Array(contents.utf8)) == nil)
  }

  @Test func `a new key is what chance makes of it`() {
    var chance = SplitMix64(seed: 7)
    var same = SplitMix64(seed: 7)
    let bytes = InvitationKey.bytes(using: &chance)
    #expect(bytes.count == 32 && Set(bytes).count > 16)
    #expect(InvitationKey(using: &same) == InvitationKey(bytes: bytes))
    #expect(InvitationKey(using: &chance) != InvitationKey(bytes: bytes))
  }

  @Test func `a key has 32 bytes`() {
    for count in 0..<100 {
      let key = InvitationKey(bytes: Array(repeating: 7, count: count))
      #expect((key != nil) == (count == 32))
    }
  }
}
