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

  @Test func `a burst, a slower round, and then a ping every four seconds`() {
    var schedule = ClockSchedule(from: .seconds(0))
    let moments = pings(&schedule, until: 20)
    #expect(Array(moments[..<16]) == (0..<16).map { $0 * 75 })
    #expect(Array(moments[16..<32]) == (1...16).map { 1125 + $0 * 500 })
    #expect(Array(moments[32...]) == [13125, 17125])
  }

  @Test func `a late wake-up does not pile up pings`() {
    var schedule = ClockSchedule(from: .seconds(0))
    _ = pings(&schedule, until: 10)
    schedule.pinged(at: .seconds(100))
    #expect(schedule.nextPing == .seconds(104))
  }

  @Test func `a restart bursts again`() {
    var schedule = ClockSchedule(from: .seconds(0))
    _ = pings(&schedule, until: 10)
    schedule.restart(at: .seconds(10))
    #expect(pings(&schedule, until: 11).count == 14)
  }
}
