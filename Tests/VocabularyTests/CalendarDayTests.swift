import Testing
import Vocabulary

@Suite struct CalendarDayTests {
  @Test func `numbers and dates lead to each other, day by day through eight centuries`() throws {
    var number = try #require(CalendarDay(year: 1600, month: 1, day: 1)).daysSince1970
    var weekday = CalendarDay(daysSince1970: number).weekday
    for year in 1600...2400 {
      for month in 1...12 {
        for day in 1...CalendarDay.days(in: month, of: year) {
          let date = try #require(CalendarDay(year: year, month: month, day: day))
          #expect(date.daysSince1970 == number && date.weekday == weekday)
          #expect(CalendarDay(daysSince1970: number) == date)
          (number, weekday) = (number + 1, weekday % 7 + 1)
        }
      }
    }
  }

  @Test func `days are those of others' calendars`() throws {
    #expect(CalendarDay(daysSince1970: 0) == CalendarDay(year: 1970, month: 1, day: 1))
    #expect(CalendarDay(year: 1969, month: 12, day: 31)?.daysSince1970 == -1)
    #expect(CalendarDay(year: 0, month: 2, day: 29) != nil)
    // A Thursday, a Saturday.
    #expect(CalendarDay(daysSince1970: 0).weekday == 5)
    #expect(CalendarDay(year: 2026, month: 11, day: 21)?.weekday == 7)
    #expect(CalendarDay(year: 2026, month: 11, day: 21)?.daysSince1970 == 20_778)
  }

  @Test(arguments: [
    (2026, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0),
    (2026, 1, 32), (.max, 1, 1), (.min, 1, 1),
  ])
  func `what is no date is none`(year: Int, month: Int, day: Int) {
    #expect(CalendarDay(year: year, month: month, day: day) == nil)
  }

  @Test func `every instant has its day`() {
    #expect(Instant(microseconds: -1).calendarDay.day == CalendarDay(daysSince1970: -1))
    #expect(Instant(microseconds: -1).calendarDay.microseconds == 86_399_999_999)
    #expect(Instant(microseconds: .max).calendarDay.day.year == 294_247)
    #expect(Instant(microseconds: .min).calendarDay.day.year == -290_308)
  }
}
