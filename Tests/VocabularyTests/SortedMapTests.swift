import Testing
import Vocabulary

@Suite struct SortedMapTests {
  @Test func `it holds what a dictionary holds, in the order of the keys`() {
    var random = SplitMix64(seed: 7)
    var map: SortedMap<Int, Int> = [:]
    var model: [Int: Int] = [:]
    for step in 0..<2_000 {
      let key = Int(random.next() % 40)
      switch random.next() % 5 {
      case 0:
        #expect(map.removeValue(forKey: key) == model.removeValue(forKey: key))
      case 1:
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
      #expect(map.map(\.key) == model.keys.sorted())
      #expect(map.map(\.value) == model.sorted { $0.key < $1.key }.map(\.value))
    }
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
