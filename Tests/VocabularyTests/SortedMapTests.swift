import Testing
import Vocabulary

@Suite struct SortedMapTests {
  @Test(arguments: [40, 600]) func `it holds what a dictionary holds, in the order of the keys`(
    keys: UInt64
  ) {
    var random = SplitMix64(seed: 7)
    var map: SortedMap<Int, Int> = [:]
    var model: [Int: Int] = [:]
    for step in 0..<4_000 {
      let key = Int(random.next() % keys)
      // It fills, empties and fills again.
      let isEmptying = step / 1_000 % 2 == 1
      switch random.next() % (isEmptying ? 5 : 9) {
      case 0:
        #expect(map.removeValue(forKey: key) == model.removeValue(forKey: key))
      case 1,
        2 where isEmptying:
        map[key] = nil
        model[key] = nil
      case 2:
        #expect(map.change(key) { $0 += 1 } == (model[key] != nil))
        model[key]? += 1
      case 3:
        map[key]? += 1
        model[key]? += 1
      default:
        map[key] = step
        model[key] = step
      }
      #expect(map[key] == model[key])
      guard step.isMultiple(of: 8) else { continue }
      let sorted = model.sorted { $0.key < $1.key }
      #expect(map.count == model.count && map.isEmpty == model.isEmpty)
      #expect(map.map(\.key) == sorted.map(\.key))
      #expect(map.map(\.value) == sorted.map(\.value))
      #expect(map.reversed().map(\.key) == sorted.reversed().map(\.key))
      #expect(map.least { key, _ in -key } == sorted.last.map { -$0.key })
      #expect(
        map.firstValue { $0.isMultiple(of: 7) }
          == sorted.map(\.value).first { $0.isMultiple(of: 7) })
    }
  }

  @Test(arguments: [Array(0..<200), Array((0..<200).reversed()), Array(64..<128)])
  func `whatever goes, the rest is found`(keys: [Int]) {
    var map: SortedMap<Int, Int> = [:]
    for key in 0..<200 { map[key] = key }
    var model = Set(0..<200)
    for key in keys {
      #expect(map.removeValue(forKey: key) == key)
      model.remove(key)
      #expect((0..<200).allSatisfy { map[$0] == (model.contains($0) ? $0 : nil) })
      #expect(Array(map.keys) == model.sorted())
    }
  }

  @Test func `large maps are equal whatever the order their keys came in, and copies are apart`() {
    var map: SortedMap<Int, Int> = [:]
    for key in 0..<1_000 { map[key] = key }
    var other: SortedMap<Int, Int> = [:]
    for key in (0..<1_000).reversed() { other[key] = key }
    #expect(map == other)
    var copy = map
    copy[700] = 0
    #expect(copy != map && map[700] == 700)
    copy[700] = 700
    #expect(copy == map)
    copy[1_000] = 0
    #expect(copy != map)
  }

  @Test func `maps are equal whatever the order their keys came in`() {
    let map: SortedMap = ["b": 2, "a": 1, "c": 3]
    #expect(map == ["c": 3, "a": 1, "b": 2])
    #expect(map != ["c": 3, "a": 1, "b": 4])
    #expect(map != ["c": 3, "a": 1])
  }

  @Test func `the first value that matches is the one of the smallest key`() {
    let map: SortedMap = ["b": 2, "a": 1, "c": 3]
    #expect(map.firstValue { $0 > 1 } == 2)
    #expect(map.firstValue { $0 > 3 } == nil)
    #expect(Array(map.keys) == ["a", "b", "c"])
    #expect(Array(map.values) == [1, 2, 3])
  }

  @Test func `the least is that of what is drawn, wherever it stands`() {
    let map: SortedMap = ["a": 7, "b": 3, "c": 5]
    #expect(map.least { _, value in value } == 3)
    #expect(map.least { key, value in key == "b" ? nil : value } == 5)
    #expect(map.least { _, _ -> Int? in nil } == nil)
  }
}
