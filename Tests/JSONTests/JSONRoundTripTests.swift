import Foundation
import JSON
import Testing
import Vocabulary

@Suite struct JSONRoundTripTests {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `what is written, Foundation reads as the same value`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let value = RandomJSON(from: &generator)
      let read = try JSONSerialization.jsonObject(
        with: Data(line(of: value)), options: .fragmentsAllowed)
      let object = try #require(read as? [String: Any])
      let found = try #require(object["v"])
      #expect(Self.same(value, found), "seed \(seed): \(value) became \(found)")
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `what is written reads back, and as raw JSON is the same text`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var parser = JSONParser(maximumBytes: 1_000_000)
    for _ in 0..<50 {
      let value = RandomJSON(from: &generator)
      var plain = JSONWriter()
      plain.element(value)
      try parser.parse(line(of: value).span) { (line) throws(DecodingFlaw) in
        let found = try line.rawJSONOrNull("v")
        #expect(found == String(decoding: plain.bytes, as: UTF8.self), "seed \(seed)")
      }
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `strings survive with every scalar`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let text = RandomJSON.text(from: &generator)
      let ours = String(decoding: line(of: .string(text)), as: UTF8.self)
      let fromOurs = try read(ours) { (o) throws(DecodingFlaw) in
        try o.string("v", maximum: 1000)
      }
      #expect(Array(fromOurs.unicodeScalars) == Array(text.unicodeScalars), "seed \(seed)")
      let theirs = try JSONSerialization.data(withJSONObject: ["v": text])
      let fromTheirs = try read(String(decoding: theirs, as: UTF8.self)) {
        (o) throws(DecodingFlaw) in try o.string("v", maximum: 1000)
      }
      #expect(Array(fromTheirs.unicodeScalars) == Array(text.unicodeScalars), "seed \(seed)")
    }
  }

  private func line(of value: RandomJSON) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { $0.field("v", value) }
    return writer.bytes
  }

  private static func same(_ value: RandomJSON, _ other: Any) -> Bool {
    switch value {
    case .string(let text):
      return (other as? String).map { Array($0.utf8) == Array(text.utf8) } ?? false
    case .integer(let number): return (other as? NSNumber)?.int64Value == number
    case .number(let number):
      // Foundation reads numbers by way of a decimal type, which may cost the last bits.
      let other = (other as? NSNumber)?.doubleValue ?? .nan
      return abs(other - number) <= abs(number) * 1e-14
    case .boolean(let truth): return (other as? Bool) == truth
    case .null: return other is NSNull
    case .array(let elements):
      guard let others = other as? [Any], others.count == elements.count else { return false }
      return zip(elements, others).allSatisfy { same($0, $1) }
    case .object(let fields):
      guard let others = other as? [String: Any], others.count <= fields.count else {
        return false
      }
      return fields.allSatisfy { name, field in others[name].map { same(field, $0) } ?? false }
    }
  }
}

extension JSONObject {
  /// The text of a field's value; an absent one is `null`.
  fileprivate func rawJSONOrNull(_ name: String) throws(DecodingFlaw) -> String {
    try optionalRawJSON(name, maximum: .max)?.text ?? "null"
  }
}
