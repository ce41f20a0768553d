import Testing
import Vocabulary

@Suite struct PagedTableTests {
  @Test func `it holds what a dictionary holds, and uses places again`() {
    var random = SplitMix64(seed: 5)
    var table = PagedTable<Int, [Int]>()
    var model: [Int: [Int]] = [:]
    for step in 0..<5_000 {
      let key = Int(random.next() % 300)
      switch random.next() % 4 {
      case 0:
        table[key] = nil
        model[key] = nil
      case 1:
        table[key]?.append(step)
        model[key]?.append(step)
      default:
        table[key] = [step]
        model[key] = [step]
      }
      #expect(table[key] == model[key])
      #expect(table.count == model.count)
    }
    #expect(Dictionary(uniqueKeysWithValues: table.map { ($0.key, $0.value) }) == model)
    #expect(
      table.compactMapValues { $0.count > 1 ? $0.count : nil }.count
        == model.values.filter { $0.count > 1 }.count)
    #expect(table.keys.sorted() == model.keys.sorted())
  }

  @Test func `peers are found by their slots, and a slot's next peer is another one`() {
    var random = SplitMix64(seed: 6)
    var table = PeerPages<[Int]>()
    var model: [PeerID: [Int]] = [:]
    var generations = [UInt32](repeating: 0, count: 70)
    for step in 0..<5_000 {
      let slot = Int(random.next() % 70)
      let id = PeerID(slot: UInt32(slot), generation: generations[slot])
      switch random.next() % 4 {
      case 0:
        (table[id], model[id]) = (nil, nil)
        generations[slot] += 1
        #expect(table[PeerID(slot: UInt32(slot), generation: generations[slot])] == nil)
      case 1:
        table.change(id) { $0?.append(step) }
        model[id]?.append(step)
      default: (table[id], model[id]) = ([step], [step])
      }
      #expect(table[id] == model[id])
      #expect(table.count == model.count)
    }
    #expect(Dictionary(uniqueKeysWithValues: table.map { ($0.key, $0.value) }) == model)
    #expect(table[PeerID(slot: 9_999, generation: 0)] == nil)
  }

  @Test func `a place is a key's as long as the key is here`() {
    var table = PagedTable<String, Int>()
    #expect(table.place(of: "a") == PagedTable<String, Int>.nowhere)
    (table["a"], table["b"]) = (1, 2)
    let place = table.place(of: "a")
    table["a"]? += 10
    #expect(table[at: place] == 11)
    table["a"] = nil
    #expect(table[at: place] == nil)
    #expect(table.place(of: "a") == PagedTable<String, Int>.nowhere)
    table["c"] = 3
    #expect(table.place(of: "c") == place)
    #expect(table["b"] == 2)
  }

  @Test func `what is made and taken back in one change was never here`() {
    var table = PagedTable<String, Int>()
    func makeAndTakeBack(_ value: inout Int?) {
      value = 1
      value = nil
    }
    makeAndTakeBack(&table["a"])
    #expect(table.isEmpty)
    table["b"] = 2
    #expect(table["a"] == nil)
    #expect(table["b"] == 2)
  }

  @Test func `what lies at a place is changed there, and what is nowhere is not made`() {
    var table: PagedTable<String, Int> = PagedTable()
    table["a"] = 1
    table["b"] = 2
    let place = table.place(of: "a")
    #expect(table.change(at: place) { $0.take() } == 1)
    table.change(at: place) { $0 = 5 }
    #expect(table["a"] == 5)
    #expect(table["b"] == 2)
    table.change(at: PagedTable<String, Int>.nowhere) { value in
      #expect(value == nil)
      value = 7
    }
    #expect(table["c"] == nil)
    #expect(table.change(at: PagedTable<String, Int>.nowhere) { $0 } == nil)
  }

  @Test func `a change of what is not here changes nothing`() {
    var table = PagedTable<String, Int>()
    table["a"] = 1
    table.change("a") { $0? += 1 }
    table.change("b") { $0? += 1 }
    #expect(table["a"] == 2)
    #expect(table["b"] == nil)
    table.focus(on: "b")
    #expect(table.count == 1)
  }
}
