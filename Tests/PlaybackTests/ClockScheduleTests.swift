import Playback
import Testing
import Vocabulary

@Suite struct ClockScheduleTests {
  /// The moments of the pings up to an end, in milliseconds.
  private func pings(_ schedule: inout ClockSchedule, until end: Double) -> [Int64] {
    var moments: [Int64] = []
    while schedule.nextPing <= .seconds(end) {
      moments.append(schedule.nextPing.microseconds / 1000)
      schedule.pinged(at: schedule.nextPing)
    }
    return moments
  }

  @Test func `sixteen pings in the first second, one a second for a while, then one every four`() {
    var schedule = ClockSchedule(from: .seconds(0))
    let burst: [Int64] = (0..<16).map { $0 * 60 }
    let settling: [Int64] = (1...20).map { 900 + $0 * 1000 }
    #expect(pings(&schedule, until: 30) == burst + settling + [24_900, 28_900])
  }

  @Test func `a late wake-up does not pile up pings`() {
    var schedule = ClockSchedule(from: .seconds(0))
    _ = pings(&schedule, until: 30)
    schedule.pinged(at: .seconds(100))
    #expect(schedule.nextPing == .seconds(104))
  }

  @Test func `a restart bursts again`() {
    var schedule = ClockSchedule(from: .seconds(0))
    _ = pings(&schedule, until: 10)
    schedule.restart(at: .seconds(10))
    #expect(pings(&schedule, until: 10.95).count == 16)
  }
}
