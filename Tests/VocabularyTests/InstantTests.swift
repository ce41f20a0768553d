import Testing
import Vocabulary

@Suite struct InstantTests {
  @Test func `the earlier of two is found, and nil is one that never comes`() {
    let instants: [Instant?] = [nil, Instant(microseconds: 1), Instant(microseconds: 2)]
    for left in instants {
      for right in instants {
        let known = [left, right].compactMap(\.self)
        #expect(Instant.earlier(left, right) == known.min())
      }
    }
  }
}
