import InAppMessaging
import Testing

@Suite struct EdgeOffsetTests {
  // Proves: A4, A7
  @Test func `set again, with each rotation, it never adds up`() {
    var offset = EdgeOffset(message("m", kind: .slideup) { $0.extras["edge_offset"] = .number(24) })
    for _ in 1...2 { offset.base = 34 }
    #expect(offset.distance == 58)
    offset.base = 21
    #expect(offset.distance == 45)
    for _ in 1...2 { offset.adjustment = 8 }
    #expect(offset.distance == 29)
  }

  // Proves: A5
  @Test func `the older name says the whole distance`() {
    var offset = EdgeOffset(
      message("m", kind: .banner) { $0.extras["slideConstraint"] = .number(50) })
    offset.base = 34
    #expect(offset.distance == 50)
  }

  @Test func `away from an edge, or with nonsense, there is none`() {
    #expect(EdgeOffset(message("m") { $0.extras["edge_offset"] = .number(24) }).distance == 0)
    #expect(
      EdgeOffset(message("m", kind: .slideup) { $0.extras["edge_offset"] = .number(.nan) }).distance
        == 0)
  }
}
