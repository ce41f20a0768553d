import Foundation
import Testing
import UserNotifications
import Vocabulary

@Suite struct PayloadValueTests {
  @Test(
    arguments: [
      ("", 2), ("abc", 5), ("ü", 4), ("🎬", 6), ("\"\\\n\r\t", 12), ("\u{0}\u{1f}", 14),
      ("\u{7f}/", 4), ("\u{2028}", 5),
    ] as [(String, Int)])
  func `a text takes its bytes, its quotes and the escapes JSON demands`(text: String, count: Int) {
    #expect(PayloadValue.string(text).jsonByteCount == count)
  }

  @Test(
    arguments: [
      (0, "0"), (-7, "-7"), (1.5, "1.5"), (true, "true"), (false, "false"), (.null, "null"),
      ([], "[]"), ([:], "{}"), ([1, "a", .null], #"[1,"a",null]"#),
      (["a": [1, 2], "b": ["c": 0.25]], #"{"a":[1,2],"b":{"c":0.25}}"#),
      (.number(.nan), "null"), (.number(.infinity), "null"),
      (.integer(.min), "-9223372036854775808"),
    ] as [(PayloadValue, String)])
  func `a value takes as many bytes as its text`(value: PayloadValue, text: String) {
    #expect(value.jsonByteCount == text.utf8.count)
  }

  @Test func `bytes are counted as a writer of JSON writes them`() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<500 {
      let value = PayloadValue.dictionary([
        "value": .random(depth: 3, using: &random), "ö\"": .random(depth: 2, using: &random),
      ])
      let data = try JSONSerialization.data(
        withJSONObject: value.object, options: [.withoutEscapingSlashes])
      #expect(value.jsonByteCount == data.count)
    }
  }

  // Proves: K18
  @Test func `a value is what it is, and nothing else`() {
    #expect(PayloadValue.string("1").integer == nil)
    #expect(PayloadValue.integer(1).string == nil)
    #expect(PayloadValue.integer(1).number == 1)
    #expect(PayloadValue.number(2).integer == 2)
    #expect(PayloadValue.number(2.5).integer == nil)
    #expect(PayloadValue.number(1e300).integer == nil)
    #expect(PayloadValue.number(.nan).integer == nil)
    #expect(PayloadValue.bool(true).integer == nil)
    #expect(PayloadValue.bool(true).bool == true)
    #expect(PayloadValue.null.dictionary == nil)
    #expect(PayloadValue.list([1]).list == [1])
    #expect(PayloadValue.dictionary(["a": 1]).dictionary == ["a": 1])
  }
}

extension PayloadValue {
  /// A value that JSONSerialization writes as it is written here.
  static func random(depth: Int, using random: inout SplitMix64) -> PayloadValue {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: .integer(Int64.random(in: -1_000_000...1_000_000, using: &random))
    case 1: .bool(Bool.random(using: &random))
    case 2: .null
    case 3: .number(Double(Int.random(in: 1...999, using: &random)) + 0.5)
    case 4: .string(text(using: &random))
    case 5:
      .list(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          .random(depth: depth - 1, using: &random)
        })
    default:
      .dictionary(
        Dictionary(
          (0..<Int.random(in: 0...3, using: &random)).map { _ in
            (text(using: &random), .random(depth: depth - 1, using: &random))
          }, uniquingKeysWith: { $1 }))
    }
  }

  private static func text(using random: inout SplitMix64) -> String {
    let letters = ["a", "ß", "\"", "\\", "\n", "\t", "\u{1}", "🎬", "/", " "]
    return (0..<Int.random(in: 0...6, using: &random))
      .map { _ in letters.randomElement(using: &random) ?? "" }.joined()
  }

  /// The value as Foundation knows it.
  var object: Any {
    switch self {
    case .string(let text): text
    case .integer(let number): NSNumber(value: number)
    case .number(let number): NSNumber(value: number)
    case .bool(let bool): NSNumber(value: bool)
    case .null: NSNull()
    case .list(let values): values.map(\.object)
    case .dictionary(let values): values.mapValues(\.object)
    }
  }
}
