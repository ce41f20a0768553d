import Vocabulary

extension Instant {
  /// The instant that RFC 3339 writes so (section 5.6), such as `2026-12-24T18:00:00.5+09:00`.
  ///
  /// Nil is what it does not write, and what is no day. A leap second is the first of the next
  /// minute.
  init?(rfc3339 text: String) {
    let pattern =
      /(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))/
    guard let match = text.wholeMatch(of: pattern.asciiOnlyDigits()) else { return nil }
    let parts = match.output
    guard let year = Int64(parts.1), let month = Int64(parts.2), let day = Int64(parts.3),
      let hour = Int64(parts.4), let minute = Int64(parts.5), let second = Int64(parts.6),
      year >= 1, (1...12).contains(month), (1...Self.length(ofMonth: month, year)).contains(day),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    var offset: Int64 = 0
    if let sign = parts.8, let hours = parts.9.flatMap({ Int64($0) }),
      let minutes = parts.10.flatMap({ Int64($0) })
    {
      guard hours < 24, minutes < 60 else { return nil }
      offset = (hours * 60 + minutes) * (sign == "-" ? -1 : 1)
    }
    let digits = String((parts.7 ?? "").prefix(6))
    let padding = String(repeating: "0", count: 6 - digits.count)
    let minutes = Self.number(ofDay: day, month, year) * 1440 + hour * 60 + minute - offset
    self.init(microseconds: (minutes * 60 + second) * 1_000_000 + (Int64(digits + padding) ?? 0))
  }

  private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
    if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
    return [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// The proleptic Gregorian day counted from 1970-01-01; years begin in March here, so that the
  /// leap day is the last.
  private static func number(ofDay day: Int64, _ month: Int64, _ year: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = year * 365 + year / 4 - year / 100 + year / 400
    return days + dayOfYear - 719_468
  }
}
