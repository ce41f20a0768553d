import Testing
import Vocabulary

struct SecretTests {
  @Test func `a secret's text is read back, and no other text is`() throws {
    var numbers = SplitMix64(seed: .random(in: .min ... .max))
    for _ in 1...100 {
      let secret = Secret(using: &numbers)
      #expect(Secret(secret.text) == secret && secret.text.utf8.count == 26)
      #expect(secret.matches(secret.text))
      #expect(!secret.matches(secret.text.uppercased() + "0"))
    }
    let longest = try #require(Secret(Secret(high: .max, low: .max).text))
    #expect(longest == Secret(high: .max, low: .max))
    for text in [
      "", "0", String(repeating: "0", count: 25), String(repeating: "z", count: 26),
      String(repeating: "u", count: 26),
    ] {
      #expect(Secret(text) == nil, "\(text)")
    }
  }

  /// Clients in other languages write it as the protocol describes it.
  @Test func `a secret's text has thirteen digits for each half, the lowest first`() {
    #expect(Secret(high: 1, low: 1 << 63).text == "10000000000000000000000008")
    #expect(Secret(high: 32, low: 31).text == "0100000000000z000000000000")
  }

  @Test func `a secret in a log shows nothing`() {
    let secret = Secret(high: 1, low: 2)
    #expect("\(secret)" == "a secret" && !String(reflecting: secret).contains(secret.text))
    var text = ""
    dump(secret, to: &text)
    #expect(!text.contains(secret.text) && !text.contains("high"))
  }
}
