@testable import MatineeClient
import Testing

@Suite struct ObservedTests {
  @Test func `a sequence begins with the current value`() async {
    let number = Observed(1)
    number.set(2)
    var values = number.values.makeAsyncIterator()
    #expect(await values.next() == 2)
    number.set(3)
    #expect(await values.next() == 3)
  }

  @Test func `a slow reader misses what was in between, never the newest`() async {
    let number = Observed(0)
    var values = number.values.makeAsyncIterator()
    for next in 1...10_000 { number.set(next) }
    #expect(await values.next() == 10_000)
    number.finish()
    #expect(await values.next() == nil)
  }

  @Test func `the last value is told even after the end, to old readers and new`() async {
    let state = Observed("waiting")
    var old = state.values.makeAsyncIterator()
    #expect(await old.next() == "waiting")
    state.set("over")
    state.finish()
    state.set("too late")
    #expect(await old.next() == "over")
    #expect(await old.next() == nil)
    var new = state.values.makeAsyncIterator()
    #expect(await new.next() == "over")
    #expect(await new.next() == nil)
  }

  @Test(arguments: 1...20)
  func `readers that come while values change see the newest in the end`(turn: Int) async {
    let number = Observed(0)
    await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<8 {
        group.addTask {
          var seen: [Int] = []
          for await value in number.values { seen.append(value) }
          return seen
        }
      }
      group.addTask {
        for next in 1...500 { number.set(next) }
        number.finish()
        return []
      }
      for await seen in group where !seen.isEmpty {
        #expect(seen.last == 500)
        #expect(seen == seen.sorted())
      }
    }
  }

  @Test func `whoever sets last is seen last, whatever the threads`() async {
    let number = Observed(0)
    var values = number.values.makeAsyncIterator()
    await withTaskGroup(of: Void.self) { group in
      for writer in 1...8 {
        group.addTask { for step in 0..<500 { number.set(writer * 1000 + step) } }
      }
    }
    #expect(await values.next() == number.current)
  }

  @Test func `equal values are told once where asked for`() async {
    let number = Observed(1)
    var values = number.values.makeAsyncIterator()
    #expect(await values.next() == 1)
    number.update(1)
    number.update(2)
    #expect(await values.next() == 2)
  }
}
