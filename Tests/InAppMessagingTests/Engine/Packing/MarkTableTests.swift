import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct MarkTableTests {
  @Test func `it is what a sorted map is, whatever happens to it`() {
    var generator = SplitMix64(seed: 11)
    let sources: [EventSource] = [
      .client("phone"), .client("tv"), .client(""), .participant("phone"), .participant("p-1"),
      .client("6F9619FF-8B86-D011-B42D-00C04FC964FF"),
    ]
    for _ in 0..<200 {
      var table = MarkTable()
      var model: SortedMap<EventSource, EventMark> = [:]
      for _ in 0..<30 {
        let source = sources[Int.random(in: sources.indices, using: &generator)]
        let mark = Bool.random(using: &generator) ? Self.mark(using: &generator) : nil
        table[source] = mark
        model[source] = mark
        #expect(table.count == model.count)
        for source in sources { #expect(table[source] == model[source]) }
      }
      let pairs = Array(table)
      #expect(pairs.map(\.key) == Array(model.keys))
      #expect(pairs.map(\.value) == Array(model.values))
    }
  }

  @Test func `a device and a stay of the same name are two sources`() {
    var table = MarkTable()
    table[.client("x")] = EventMark(epoch: 7, sequence: 1, at: Instant(microseconds: 5))
    #expect(table[.participant("x")] == nil)
    table[.participant("x")] = EventMark(sequence: 2, at: Instant(microseconds: -5))
    #expect(table[.client("x")]?.epoch == 7)
    #expect(table[.participant("x")]?.at == Instant(microseconds: -5))
    #expect(table.count == 2)
  }

  private static func mark(using generator: inout SplitMix64) -> EventMark {
    EventMark(
      epoch: generator.next(), sequence: Int(truncatingIfNeeded: generator.next()),
      at: Instant(microseconds: Int64(truncatingIfNeeded: generator.next())))
  }
}
