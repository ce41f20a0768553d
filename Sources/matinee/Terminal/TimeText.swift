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
    let (day, rest) = calendarDay
    let second = rest / 1_000_000
    let date = [Int64(day.month), Int64(day.day)].map(twoDigits).joined(separator: "-")
    let time = [second / 3600, second / 60 % 60, second % 60].map(twoDigits)
    return "\(day.year)-\(date) \(time.joined(separator: ":")) UTC"
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
