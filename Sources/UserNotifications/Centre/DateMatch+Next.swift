package import Vocabulary

extension DateMatch {
  /// The first whole second after an instant at which this matches; `nil` if none ever does, or
  /// nothing is given that could match.
  ///
  /// - Parameters:
  ///   - instant: the time after which it is looked for.
  ///   - deviceOffset: how far the device's clock is ahead of UTC, if no clock is given.
  package func next(after instant: Instant, deviceOffset: Duration) -> Instant? {
    let offset = offset(onDevice: deviceOffset)
    let (today, time) = (instant + offset).calendarDay
    guard let depth, let date = firstDay(from: today, at: depth) else { return nil }
    let second = Int(time / 1_000_000) + 1
    if date == today, let time = firstTime(from: second, at: depth) {
      return Instant(day: date, second: time) - offset
    }
    let tomorrow = CalendarDay(daysSince1970: today.daysSince1970 + 1)
    guard let date = date == today ? firstDay(from: tomorrow, at: depth) : date,
      let time = firstTime(from: 0, at: depth)
    else { return nil }
    return Instant(day: date, second: time) - offset
  }

  /// How far its clock is ahead of UTC, or else the device's.
  ///
  /// No clock is more than a day away from UTC, so a larger offset is cut to a day.
  func offset(onDevice deviceOffset: Duration) -> Duration {
    (offset ?? deviceOffset).clamped(to: .seconds(-86_400)...(.seconds(86_400)))
  }

  /// The unit of the finest field that is given.
  private enum Depth: Int, Comparable {
    case year, month, day, hour, minute, second

    static func < (left: Depth, right: Depth) -> Bool { left.rawValue < right.rawValue }
  }

  private var depth: Depth? {
    if second != nil { return .second }
    if minute != nil { return .minute }
    if hour != nil { return .hour }
    if day != nil || weekday != nil { return .day }
    if month != nil { return .month }
    return year != nil ? .year : nil
  }

  /// Leap years and weekdays come around within 40 years, over a century's end included.
  private static let longestCycle = 40

  private func firstDay(from first: CalendarDay, at depth: Depth) -> CalendarDay? {
    let months = month ?? (depth < .month ? 1 : nil)
    let days = day ?? (depth < .day ? 1 : nil)
    let years = year.map { $0...$0 } ?? first.year...first.year + Self.longestCycle
    for year in years where year >= first.year {
      for month in 1...12 where (months ?? month) == month {
        guard year > first.year || month >= first.month else { continue }
        let isFirst = year == first.year && month == first.month
        for day in (isFirst ? first.day : 1)...31 where (days ?? day) == day {
          guard let date = CalendarDay(year: year, month: month, day: day) else { break }
          if weekday ?? date.weekday == date.weekday { return date }
        }
      }
    }
    return nil
  }

  /// The first matching second of a day, from one of its seconds on.
  private func firstTime(from first: Int, at depth: Depth) -> Int? {
    let hours = hour ?? (depth < .hour ? 0 : nil)
    let minutes = minute ?? (depth < .minute ? 0 : nil)
    let second = second ?? 0
    guard (0..<60).contains(second) else { return nil }
    for hour in 0..<24 where (hours ?? hour) == hour {
      for minute in 0..<60 where (minutes ?? minute) == minute {
        let time = (hour * 60 + minute) * 60 + second
        if time >= first { return time }
      }
    }
    return nil
  }
}

extension Instant {
  /// The instant at that second of a day in UTC.
  fileprivate init(day: CalendarDay, second: Int) {
    let microsecond = Duration.seconds(day.daysSince1970 * 86_400 + second)
    self = Instant(microseconds: 0) + microsecond
  }
}
