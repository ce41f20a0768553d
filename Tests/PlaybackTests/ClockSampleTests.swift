import Playback
import Testing
import Vocabulary

@Suite struct ClockSampleTests {
  private func sample(_ t1: Int64, _ t2: Int64, _ t3: Int64, _ t4: Int64) throws -> ClockSample {
    try ClockSample(
      asked: HostTime(microseconds: t1), heard: Instant(microseconds: t2),
      answered: Instant(microseconds: t3), received: HostTime(microseconds: t4))
  }

  @Test func `offset and round trip are those of RFC 5905`() throws {
    let sample = try sample(1000, 501_200, 501_300, 1600)
    #expect(sample.offset == .microseconds(499_950))
    #expect(sample.roundTrip == .microseconds(500))
    #expect(sample.at == HostTime(microseconds: 1300))
  }

  @Test func `timestamps no network can make are refused with the reason`() {
    #expect(throws: ClockSample.Flaw.repliedBeforeAsked) { try sample(10, 0, 0, 9) }
    #expect(throws: ClockSample.Flaw.answeredBeforeHeard) { try sample(0, 9, 8, 20) }
    #expect(throws: ClockSample.Flaw.heldLongerThanTheRoundTrip) { try sample(0, 0, 1000, 900) }
  }

  @Test func `rounding on a loopback is forgiven`() throws {
    #expect(try sample(0, 100, 120, 10).roundTrip == .zero)
  }
}
