import Testing
import Vocabulary

@Suite struct HostTimeTests {
  @Test func `durations lead from one moment to the other`() {
    let start = HostTime(microseconds: 5_000_000)
    #expect(start + .seconds(2) - start == .seconds(2))
    #expect(start - .seconds(2) < start)
  }

  @Test func `numbers at the end of time do not trap`() {
    let last = HostTime(microseconds: .max)
    #expect(last + .seconds(1) == last)
    #expect((HostTime(microseconds: .min) - last).microseconds == .min)
  }
}
