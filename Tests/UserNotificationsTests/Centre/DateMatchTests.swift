import Foundation
import Testing
import UserNotifications
import Vocabulary

@Suite struct DateMatchTests {
  private static func instant(_ text: String) throws -> Instant {
    let seconds = try Date(text, strategy: .iso8601).timeIntervalSince1970
    return Instant(microseconds: Int64(seconds) * 1_000_000)
  }

  /// After when, what, and when it matches first.
  static let matches: [(String, DateMatch, String?)] = [
    // Each day, hour, minute.
    ("2026-11-21T07:59:59Z", DateMatch(hour: 8), "2026-11-21T08:00:00Z"),
    ("2026-11-21T08:00:00Z", DateMatch(hour: 8), "2026-11-22T08:00:00Z"),
    ("2026-11-21T20:15:00Z", DateMatch(minute: 15), "2026-11-21T21:15:00Z"),
    ("2026-11-21T20:15:00Z", DateMatch(second: 30), "2026-11-21T20:15:30Z"),
    ("2026-11-21T20:15:30Z", DateMatch(second: 30), "2026-11-21T20:16:30Z"),
    ("2026-11-21T23:59:59Z", DateMatch(second: 0), "2026-11-22T00:00:00Z"),
    ("2026-11-21T20:15:00Z", DateMatch(hour: 20, minute: 15), "2026-11-22T20:15:00Z"),
    ("2026-11-21T20:15:00Z", DateMatch(hour: 20, second: 7), "2026-11-21T20:15:07Z"),
    ("2026-11-21T20:59:30Z", DateMatch(hour: 20, second: 7), "2026-11-22T20:00:07Z"),
    // Month ends.
    ("2026-11-30T00:00:00Z", DateMatch(day: 31), "2026-12-31T00:00:00Z"),
    ("2026-12-31T00:00:00Z", DateMatch(day: 31), "2027-01-31T00:00:00Z"),
    ("2027-01-31T12:00:00Z", DateMatch(day: 31, hour: 9), "2027-03-31T09:00:00Z"),
    ("2026-01-30T00:00:00Z", DateMatch(day: 30), "2026-03-30T00:00:00Z"),
    ("2026-12-31T23:59:59Z", DateMatch(day: 1), "2027-01-01T00:00:00Z"),
    ("2026-11-21T00:00:00Z", DateMatch(month: 4, day: 31), nil),
    ("2026-11-21T00:00:00Z", DateMatch(month: 2, day: 30), nil),
    // Leap years, also over the end of a century that is none.
    ("2026-11-21T00:00:00Z", DateMatch(month: 2, day: 29), "2028-02-29T00:00:00Z"),
    ("2096-02-29T00:00:00Z", DateMatch(month: 2, day: 29), "2104-02-29T00:00:00Z"),
    ("1996-02-29T00:00:00Z", DateMatch(month: 2, day: 29), "2000-02-29T00:00:00Z"),
    ("2024-02-28T12:00:00Z", DateMatch(day: 29), "2024-02-29T00:00:00Z"),
    ("2026-02-28T12:00:00Z", DateMatch(day: 29), "2026-03-29T00:00:00Z"),
    ("2076-03-01T00:00:00Z", DateMatch(month: 2, day: 29, weekday: 7), "2116-02-29T00:00:00Z"),
    ("2026-11-21T00:00:00Z", DateMatch(year: 2027, month: 2, day: 29), nil),
    ("2026-11-21T00:00:00Z", DateMatch(year: 2128, month: 2, day: 29), "2128-02-29T00:00:00Z"),
    // Weekdays.
    ("2026-11-21T00:00:00Z", DateMatch(weekday: 7), "2026-11-28T00:00:00Z"),
    ("2026-11-21T07:00:00Z", DateMatch(weekday: 7, hour: 8), "2026-11-21T08:00:00Z"),
    ("2026-11-21T00:00:00Z", DateMatch(day: 13, weekday: 6), "2027-08-13T00:00:00Z"),
    ("2026-11-21T00:00:00Z", DateMatch(weekday: 1, hour: 20, minute: 15), "2026-11-22T20:15:00Z"),
    // Years and months begin at their beginning.
    ("2026-11-21T00:00:00Z", DateMatch(year: 2027), "2027-01-01T00:00:00Z"),
    ("2026-11-21T00:00:00Z", DateMatch(year: 2026), nil),
    ("2026-11-21T00:00:00Z", DateMatch(year: 2025, month: 12), nil),
    ("2026-11-21T00:00:00Z", DateMatch(month: 11), "2027-11-01T00:00:00Z"),
    ("2026-11-21T00:00:00Z", DateMatch(month: 11, hour: 8), "2026-11-21T08:00:00Z"),
    ("2026-11-30T09:00:00Z", DateMatch(month: 11, hour: 8), "2027-11-01T08:00:00Z"),
    (
      "2026-11-21T20:15:00Z",
      DateMatch(year: 2026, month: 11, day: 21, hour: 20, minute: 15, second: 1),
      "2026-11-21T20:15:01Z"
    ),
    // What is nothing.
    ("2026-11-21T00:00:00Z", DateMatch(), nil),
    ("2026-11-21T00:00:00Z", DateMatch(offset: .seconds(3600)), nil),
    ("2026-11-21T00:00:00Z", DateMatch(hour: 24), nil),
    ("2026-11-21T00:00:00Z", DateMatch(minute: 60), nil),
    ("2026-11-21T00:00:00Z", DateMatch(second: -1), nil),
    ("2026-11-21T00:00:00Z", DateMatch(second: 60), nil),
    ("2026-11-21T00:00:00Z", DateMatch(weekday: 8), nil),
    ("2026-11-21T00:00:00Z", DateMatch(month: 13), nil),
    ("2026-11-21T00:00:00Z", DateMatch(year: .max), nil),
    ("2026-11-21T00:00:00Z", DateMatch(year: .min), nil),
    ("2026-11-21T00:00:00Z", DateMatch(day: .max), nil),
    // Clocks elsewhere.
    ("2026-11-21T06:00:00Z", DateMatch(hour: 8, offset: .seconds(3600)), "2026-11-21T07:00:00Z"),
    ("2026-11-21T07:30:00Z", DateMatch(hour: 8, offset: .seconds(3600)), "2026-11-22T07:00:00Z"),
    ("2026-12-31T23:30:00Z", DateMatch(day: 1, offset: .seconds(3600)), "2027-01-31T23:00:00Z"),
    (
      "2027-01-01T01:00:00Z", DateMatch(year: 2027, offset: .seconds(-7200)), "2027-01-01T02:00:00Z"
    ),
  ]

  @Test(arguments: matches)
  func `a date comes when the calendar says so`(
    after: String, match: DateMatch, expected: String?
  ) throws {
    let next = match.next(after: try Self.instant(after), deviceOffset: .zero)
    #expect(try next == expected.map(Self.instant))
  }

  @Test func `where no clock is named it is the device's`() throws {
    let after = try Self.instant("2026-11-21T06:30:00Z")
    #expect(
      try DateMatch(hour: 8).next(after: after, deviceOffset: .seconds(3600))
        == Self.instant("2026-11-21T07:00:00Z"))
    #expect(
      try DateMatch(hour: 8, offset: .zero).next(after: after, deviceOffset: .seconds(3600))
        == Self.instant("2026-11-21T08:00:00Z"))
  }

  @Test func `parts of seconds are not lost`() throws {
    let sharp = try Self.instant("2026-11-21T08:00:00Z")
    let eight = DateMatch(hour: 8)
    #expect(eight.next(after: sharp - .microseconds(1), deviceOffset: .zero) == sharp)
    #expect(eight.next(after: sharp, deviceOffset: .zero) == sharp + .seconds(86_400))
  }

  @Test func `the end of time has no next date`() {
    for microseconds in [Int64.max, .min, .max - 1] {
      let instant = Instant(microseconds: microseconds)
      #expect(DateMatch(second: 1).next(after: instant, deviceOffset: .zero) == nil)
      #expect(DateMatch(second: 1).next(after: instant, deviceOffset: .seconds(9e18)) == nil)
    }
  }

  /// The judge looks at every day and every minute.
  @Test func `no match is passed over, and none made up`() {
    var random = SplitMix64(seed: 3)
    func maybe(_ range: ClosedRange<Int>, _ percent: Int, _ random: inout SplitMix64) -> Int? {
      Int.random(in: 0..<100, using: &random) < percent
        ? Int.random(in: range, using: &random) : nil
    }
    for _ in 0..<400 {
      let match = DateMatch(
        month: maybe(1...12, 40, &random), day: maybe(1...31, 40, &random),
        weekday: maybe(1...7, 25, &random), hour: maybe(0...23, 50, &random),
        minute: maybe(0...59, 50, &random), second: maybe(0...59, 30, &random))
      let start = Int64.random(in: 1_700_000_000...1_900_000_000, using: &random) * 1_000_000
      let after = Instant(microseconds: start)
      #expect(match.next(after: after, deviceOffset: .zero) == judge(match, after), "\(match)")
    }
  }

  private func judge(_ match: DateMatch, _ after: Instant) -> Instant? {
    let isTimed = match.hour != nil || match.minute != nil || match.second != nil
    let isDated = match.day != nil || match.weekday != nil
    guard isTimed || isDated || match.month != nil else { return nil }
    let firstHour = match.hour ?? (match.minute == nil && match.second == nil ? 0 : nil)
    let firstMinute = match.minute ?? (match.second == nil ? 0 : nil)
    let firstDay = match.day ?? (isDated || isTimed ? nil : 1)
    let today = after.calendarDay.day.daysSince1970
    for number in today...today + 40 * 366 {
      let date = CalendarDay(daysSince1970: number)
      guard match.month ?? date.month == date.month, firstDay ?? date.day == date.day,
        match.weekday ?? date.weekday == date.weekday
      else { continue }
      for minute in 0..<1_440 {
        guard firstHour ?? minute / 60 == minute / 60, firstMinute ?? minute % 60 == minute % 60
        else { continue }
        let second = (number * 1_440 + minute) * 60 + (match.second ?? 0)
        let instant = Instant(microseconds: Int64(second) * 1_000_000)
        if instant > after { return instant }
      }
    }
    return nil
  }
}
