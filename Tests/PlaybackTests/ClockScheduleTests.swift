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

  @Test func `often at first, then less and less, and at last every two seconds`() {
    var schedule = ClockSchedule(from: .seconds(0))
    let moments = pings(&schedule, until: 100)
    #expect(Array(moments[..<25]) == (0..<25).map { $0 * 75 })
    let pauses = zip(moments.dropFirst(), moments).map { $0 - $1 }
    #expect(pauses == pauses.sorted())
    #expect((75...85).contains(moments.count { $0 > 1_800 && $0 <= 48_000 }))
    #expect(pauses.suffix(20).allSatisfy { $0 == 2_000 })
  }

  @Test func `a late wake-up does not pile up pings`() {
    var schedule = ClockSchedule(from: .seconds(0))
    _ = pings(&schedule, until: 10)
    schedule.pinged(at: .seconds(100))
    #expect(schedule.nextPing == .seconds(102))
  }

  @Test func `a restart bursts again`() {
    var schedule = ClockSchedule(from: .seconds(0))
    _ = pings(&schedule, until: 10)
    schedule.restart(at: .seconds(10))
    #expect(pings(&schedule, until: 11).count == 14)
  }
}
