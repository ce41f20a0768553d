/// A day of the proleptic Gregorian calendar.
///
/// Years begin in March in its arithmetic, so that the leap day is the last, and 400 of them have
/// the same number of days every time (Howard Hinnant, "chrono-compatible low-level date
/// algorithms").
package struct CalendarDay: Hashable, Sendable {
  /// The year; 0 is the one before 1.
  package let year: Int
  /// 1 … 12.
  package let month: Int
  /// Of the month, 1 … 31.
  package let day: Int

  /// The day of that date; `nil` if it does not exist, such as 29 February of most years.
  ///
  /// - Parameter year: at most a hundred thousand years from now; otherwise the result is `nil`.
  package init?(year: Int, month: Int, day: Int) {
    guard (-100_000...100_000).contains(year), (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day so many days after 1970-01-01.
  ///
  /// - Parameter number: as many as fit into an ``Instant``.
  package init(daysSince1970 number: Int) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let isEarly = month >= 10
    year = yearOfEra + era * 400 + (isEarly ? 1 : 0)
    self.month = isEarly ? month - 9 : month + 3
    day = dayOfYear - (153 * month + 2) / 5 + 1
  }

  /// Days since 1970-01-01.
  package var daysSince1970: Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// 1 is Sunday … 7 is Saturday.
  package var weekday: Int {
    // 1970 began on a Thursday.
    let day = (daysSince1970 + 4) % 7
    return (day < 0 ? day + 7 : day) + 1
  }

  /// How many days a month has.
  package static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Instant {
  /// The day in UTC, and the microseconds since it began.
  package var calendarDay: (day: CalendarDay, microseconds: Int64) {
    let length: Int64 = 86_400_000_000
    var (number, rest) = microseconds.quotientAndRemainder(dividingBy: length)
    if rest < 0 { (number, rest) = (number - 1, rest + length) }
    return (CalendarDay(daysSince1970: Int(number)), rest)
  }
}
