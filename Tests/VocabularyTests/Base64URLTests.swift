import Testing
import Vocabulary

@Suite struct Base64URLTests {
  // RFC 4648, section 10, without the signs at the end.
  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
    ("foobar", "Zm9vYmFy"),
  ])
  func `bytes are written as the standard has it`(plain: String, text: String) {
    #expect(Base64URL.text(of: Array(plain.utf8)) == text)
    #expect(Base64URL.bytes(of: text) == Array(plain.utf8))
  }

  @Test func `letters that URLs have a meaning for are not used`() {
    #expect(Base64URL.text(of: [0xFB, 0xFF, 0xFE]) == "-__-")
    #expect(Base64URL.bytes(of: "-__-") == [0xFB, 0xFF, 0xFE])
  }

  @Test(arguments: ["Zg==", "Z", "Zm9v\n", "Zm 9v", "+/+/", "Zh", "Zm9", "é", "Zm9vY"])
  func `a text that is not the one for its bytes stands for none`(text: String) {
    #expect(Base64URL.bytes(of: text) == nil)
  }

  @Test func `each pair of bytes has a text, and its own`() {
    var texts: Set<String> = []
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let text = Base64URL.text(of: [first, second])
        texts.insert(text)
        #expect(Base64URL.bytes(of: text) == [first, second])
      }
    }
    #expect(texts.count == 65_536)
  }
}
