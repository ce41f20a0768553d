import Vocabulary

extension MediaTime {
  /// The place as people write it: `1:02:03.4`, or `2:03.4` within the first hour.
  var clockText: String {
    let tenths = max(0, microseconds / 100_000)
    let (hours, minutes, seconds) = (tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60)
    let end = "\(twoDigits(seconds)).\(tenths % 10)"
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(end)" : "\(minutes):\(end)"
  }
}

private func twoDigits(_ number: Int64) -> String {
  number < 10 ? "0\(number)" : "\(number)"
}

extension Instant {
  /// The day and the second, as in `2026-11-21 15:04:05 UTC`.
  var calendarText: String {
    let length: Int64 = 86_400_000_000
    var (number, rest) = microseconds.quotientAndRemainder(dividingBy: length)
    if rest < 0 { (number, rest) = (number - 1, rest + length) }
    let second = rest / 1_000_000
    let (year, month, day) = Self.date(ofDay: number)
    let time = [second / 3600, second / 60 % 60, second % 60].map(twoDigits)
    return "\(year)-\(twoDigits(month))-\(twoDigits(day)) \(time.joined(separator: ":")) UTC"
  }

  /// The proleptic Gregorian date of a day counted from 1970-01-01; years begin in March here, so
  /// that the leap day is the last, and 400 of them have the same number of days every time.
  private static func date(ofDay number: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let isEarly = month >= 10
    return (
      yearOfEra + era * 400 + (isEarly ? 1 : 0), isEarly ? month - 9 : month + 3,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }
}

extension Duration {
  /// The duration as a clock shows it: `1:02:03.4`.
  var clockText: String { (MediaTime.zero + self).clockText }

  /// The duration in milliseconds with one decimal, with its sign where it is an offset.
  var millisecondsText: String {
    let tenths = (inMilliseconds * 10).rounded() / 10
    return "\(tenths) ms"
  }
}
