import Vocabulary

/// How long a push service asks to be left alone (RFC 9110, 10.2.3).
enum RetryAfter {
  /// The time from `now`; `nil` if the field is missing, or no such field.
  static func duration(of field: String?, at now: Instant) -> Duration? {
    guard let field else { return nil }
    if !field.isEmpty, field.utf8.allSatisfy({ (48...57).contains($0) }) {
      // Whoever writes more digits than fit means for ever.
      return .seconds(Int32(field) ?? .max)
    }
    return instant(of: field).map { max(.zero, $0 - now) }
  }

  private static let months = [
    "Jan": "01", "Feb": "02", "Mar": "03", "Apr": "04", "May": "05", "Jun": "06", "Jul": "07",
    "Aug": "08", "Sep": "09", "Oct": "10", "Nov": "11", "Dec": "12",
  ]

  /// The instant of `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that is written today.
  private static func instant(of date: String) -> Instant? {
    let words = date.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT",
      let month = months[String(words[2])]
    else { return nil }
    return Instant(timestamp: "\(words[3])-\(month)-\(words[1])T\(words[4])Z")
  }
}
