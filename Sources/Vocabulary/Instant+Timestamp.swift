extension Instant {
  /// The instant of an RFC 3339 text, such as `2026-11-21T20:15:00Z` or `2026-11-21T21:15:00.5+01:00`.
  ///
  /// A leap second is the second after it. `nil` for any other text.
  package init?(timestamp text: String) {
    var reader = TimestampReader(text)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
      reader.take("-"), let day = reader.number(2), reader.take("T") || reader.take("t"),
      let hour = reader.number(2), reader.take(":"), let minute = reader.number(2),
      reader.take(":"), let second = reader.number(2), let fraction = reader.fraction(),
      let offset = reader.offset(), reader.isAtEnd,
      let date = CalendarDay(year: Int(year), month: Int(month), day: Int(day)),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = Int64(date.daysSince1970)
    let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second
    self.init(microseconds: seconds * 1_000_000 + fraction)
  }
}

private struct TimestampReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  mutating func digit() -> Int64? {
    guard let first = rest.first, (48...57).contains(first) else { return nil }
    rest.removeFirst()
    return Int64(first) - 48
  }

  mutating func number(_ digits: Int) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// In microseconds; finer digits are cut off.
  mutating func fraction() -> Int64? {
    guard take(".") else { return 0 }
    guard var value = digit() else { return nil }
    var count = 1
    while let digit = digit() {
      if count < 6 { value = value * 10 + digit }
      count += 1
    }
    while count < 6 {
      value *= 10
      count += 1
    }
    return value
  }

  /// In minutes.
  mutating func offset() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let sign: Int64 = take("+") ? 1 : -1
    guard sign == 1 || take("-"), let hours = number(2), take(":"), let minutes = number(2),
      hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 60 + minutes)
  }
}
