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

  @Test func `eight pings in the first second and then one every four`() {
    var schedule = ClockSchedule(from: .seconds(0))
    #expect(
      pings(&schedule, until: 10)
        == [0, 125, 250, 375, 500, 625, 750, 875, 4875, 8875])
  }

  @Test func `a late wake-up does not pile up pings`() {
    var schedule = ClockSchedule(from: .seconds(0))
    _ = pings(&schedule, until: 1)
    schedule.pinged(at: .seconds(100))
    #expect(schedule.nextPing == .seconds(104))
  }

  @Test func `a restart bursts again`() {
    var schedule = ClockSchedule(from: .seconds(0))
    _ = pings(&schedule, until: 10)
    schedule.restart(at: .seconds(10))
    #expect(pings(&schedule, until: 11).count == 8)
  }
}
