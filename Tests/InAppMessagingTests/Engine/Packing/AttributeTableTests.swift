import InAppMessaging
import Testing
import Vocabulary

@Suite struct AttributeTableTests {
  @Test func `every value comes back as it was`() {
    let values: [PropertyValue] = [
      .string(""), .string("tea"), .string(String(repeating: "ä", count: 5_000)),
      .string("a\u{0}b"), .number(0), .number(-1.5), .number(.infinity),
      .number(.leastNonzeroMagnitude), .bool(true), .bool(false), .list([]), .list([""]),
      .list(["drama", "", String(repeating: "x", count: 200), "日本"]),
    ]
    var table = AttributeTable()
    for (number, value) in values.enumerated() { table["key \(number)"] = value }
    #expect(table.count == values.count)
    for (number, value) in values.enumerated() { #expect(table["key \(number)"] == value) }
    #expect(table["key"] == nil && table["key 99"] == nil && table[""] == nil)
  }

  @Test func `it is what a dictionary is, whatever happens to it`() {
    var generator = SplitMix64(seed: 7)
    let keys = ["", "a", "ab", "b", "z", "ä", "日本", String(repeating: "long", count: 60)]
    for _ in 0..<200 {
      var table = AttributeTable()
      var model: [String: PropertyValue] = [:]
      for _ in 0..<40 {
        let key = keys[Int.random(in: keys.indices, using: &generator)]
        let value = Self.value(using: &generator)
        table[key] = value
        model[key] = value
        #expect(table.count == model.count && table.isEmpty == model.isEmpty)
        for key in keys { #expect(table[key] == model[key]) }
      }
      let pairs = Array(table)
      #expect(Dictionary(uniqueKeysWithValues: pairs.map { ($0.key, $0.value) }) == model)
      #expect(
        zip(pairs, pairs.dropFirst()).allSatisfy {
          $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
        })
    }
  }

  @Test func `tables of the same attributes are equal, in whatever order they came`() {
    var one: AttributeTable = ["a": .string("x"), "b": .bool(true)]
    let other: AttributeTable = ["b": .bool(true), "a": .string("x")]
    #expect(one == other)
    one["b"] = .bool(false)
    #expect(one != other)
    one["a"] = nil
    one["b"] = nil
    #expect(one == AttributeTable())
  }

  private static func value(using generator: inout SplitMix64) -> PropertyValue? {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: nil
    case 1: .number(Double.random(in: -9...9, using: &generator))
    case 2: .bool(Bool.random(using: &generator))
    case 3: .list(["x", "y"].shuffled(using: &generator))
    default:
      .string(String(repeating: "é", count: Int.random(in: 0..<300, using: &generator)))
    }
  }
}
