import Testing
import Vocabulary

@testable import JSON

@Suite struct JSONScannerTests {
  private static func double(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    var scanner = JSONScanner(bytes.span)
    guard let number = scanner.double(), scanner.isAtEnd() else { return nil }
    return number
  }

  @Test(
    arguments: [
      "0", "0.0", "7", "0.1", "12.345678", "1764000000.123456", "1764000000.1234567",
      // Half way between two doubles, and a little to either side.
      "9007199254740993", "9007199254740993.0", "9007199254740993.001", "9007199254740995",
      "9007199254740992.9", "9999999999999999999", "0.9999999999999999999", "999999999.9999999999",
      "0.000000000000000001", "184467440737095516.1", "0.0006399154663085938", "4503599627370497.5",
      "4503599627370498.5",
    ])
  func `numbers are as near as can be`(text: String) {
    #expect(Self.double(text) == Double(text))
  }

  @Test(arguments: 0..<4)
  func `random numbers are as near as can be`(seed: Int) {
    var chance = SplitMix64(seed: UInt64(seed))
    for _ in 0..<50_000 {
      let digits = String(
        UInt64.random(in: 0..<10_000_000_000_000_000_000, using: &chance)
          >> UInt64.random(in: 0..<60, using: &chance))
      let places = Int.random(in: 0..<19, using: &chance)
      let padded = String(repeating: "0", count: max(places + 1 - digits.count, 0)) + digits
      let text = padded.dropLast(places) + (places > 0 ? "." : "") + padded.suffix(places)
      #expect(Self.double(String(text)) == Double(text), "\(text)")
    }
  }

  @Test(
    arguments: [
      "", "a", ".", ".5", "5.", "00", "01", "-1", "+1", "1e5", "1.5E3", "1..5", "1.5.5", "0x1",
      "12345678901234567890", "1.2345678901234567890", "0.12345678901234567890",
      "1844674407370955161.9", "Infinity",
    ])
  func `what is no plain number is not read`(text: String) {
    #expect(Self.double(text) == nil)
  }

  @Test func `whole numbers fit`() {
    func int(_ text: String) -> Int? {
      let bytes = Array(text.utf8)
      var scanner = JSONScanner(bytes.span)
      guard let number = scanner.int(), scanner.isAtEnd() else { return nil }
      return number
    }
    #expect(int("0") == 0)
    #expect(int(" 42 ") == 42)
    #expect(int("999999999999999999") == 999_999_999_999_999_999)
    #expect(int("1000000000000000000") == nil)
    #expect(int("1.0") == nil)
    #expect(int("01") == nil)
    #expect(int("") == nil)
  }

  @Test func `fields are read in any order, spaces apart`() {
    let text = Array(#" { "b": true , "list of a":{"a":12.5},"c":false } "#.utf8)
    var scanner = JSONScanner(text.span)
    var read: [String] = []
    let isRead = scanner.object { field in
      if field.name("list of a") {
        return field.object { inner in
          guard inner.name("a"), let number = inner.double() else { return false }
          read.append("a \(number)")
          return true
        }
      }
      let name = field.name("b") ? "b" : field.name("c") ? "c" : nil
      guard let name, let truth = field.bool() else { return false }
      read.append("\(name) \(truth)")
      return true
    }
    let isAtEnd = scanner.isAtEnd()
    #expect(isRead && isAtEnd)
    #expect(read == ["b true", "a 12.5", "c false"])
  }

  @Test func `a name is that name and no longer one, nor a shorter one`() {
    for text in [
      #""ab":1"#, #""abcd":1"#, #""abx":1"#, #""abc"1"#, #""abc":"#, #"abc:1"#, #""abc"#,
    ] {
      let bytes = Array(text.utf8)
      var scanner = JSONScanner(bytes.span)
      let isRead = scanner.name("abc")
      #expect(isRead == (text == #""abc":"#), "\(text)")
    }
  }
}
