import Signatures
import Testing

@Suite struct AdministratorKeyTests {
  private static let text = "correct-horse-battery"

  @Test func `only the very text is the key`() throws {
    let key = try AdministratorKey(Self.text)
    #expect(key.matches(Self.text))
    for other in ["", " ", Self.text + " ", Self.text.uppercased(), String(Self.text.dropLast())] {
      #expect(!key.matches(other))
    }
    let bytes = Array(Self.text.utf8)
    for bit in 0..<(8 * bytes.count) {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(!key.matches(String(decoding: changed, as: UTF8.self)))
    }
  }

  @Test func `what an editor puts around a key is no part of it`() throws {
    for text in ["\(Self.text)\n", "\r\n \(Self.text) \t\n", Self.text] {
      #expect(try AdministratorKey(text).matches(Self.text))
      #expect(AdministratorKey.trimmed(text) == Self.text)
    }
    #expect(AdministratorKey.trimmed(" \n") == "")
  }

  @Test(arguments: [
    ("", AdministratorKeyFlaw.empty), (" \n", .empty), ("fifteen-letters", .tooShort),
    ("two words are no key", .letters), ("two-lines-are\nno-key", .letters),
    ("größer-als-sechzehn", .letters), (String(repeating: "k", count: 513), .tooLong),
  ])
  func `a text that is no good key is none`(text: String, flaw: AdministratorKeyFlaw) {
    #expect(throws: flaw) { try AdministratorKey(text) }
  }

  @Test func `16 and 512 letters are a key`() throws {
    for count in [16, 512] {
      let text = String(repeating: "k", count: count)
      #expect(try AdministratorKey(text).matches(text))
    }
  }
}
