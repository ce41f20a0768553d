/// A moment in the group's common time, the time every timeline is anchored in.
///
/// The server makes it: wall clock read once at start, plus monotonic time since. It never steps
/// while a server runs, so differences of instants are true durations. Clients translate it to
/// their own monotonic clock with an estimate of the offset.
public struct Instant: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z as the server counts them.
  public let microseconds: Int64

  /// The instant that many microseconds after the epoch.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Orders instants by time.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The instant a duration later; an overflow is clamped to the end of representable time.
  public static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(microseconds: instant.microseconds.addingClamped(duration.microseconds))
  }

  /// The instant a duration earlier.
  public static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(microseconds: instant.microseconds.subtractingClamped(duration.microseconds))
  }

  /// The time from the right instant to the left one; negative if the left one is earlier.
  public static func - (left: Instant, right: Instant) -> Duration {
    .microseconds(left.microseconds.subtractingClamped(right.microseconds))
  }

  /// The last multiple of a step, counted from the epoch, that is not later.
  package func roundedDown(to step: Duration) -> Instant {
    let step = max(step.microseconds, 1)
    let rest = microseconds % step
    return Instant(microseconds: microseconds - (rest < 0 ? rest + step : rest))
  }

  /// The earlier of two instants; `nil` means never.
  package static func earlier(_ left: Instant?, _ right: Instant?) -> Instant? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
  }
}

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

/// A moment on this process's own monotonic clock.
///
/// Only differences have a meaning, and only within one process: the zero is arbitrary (on Linux,
/// the machine's start). Peers are told an ``Instant``.
public struct HostTime: Hashable, Comparable, Sendable {
  /// Microseconds since the clock's arbitrary zero.
  public let microseconds: Int64

  /// The moment that many microseconds after the clock's zero.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// Orders moments by time.
  public static func < (left: HostTime, right: HostTime) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The moment a duration later; an overflow is clamped to the end of representable time.
  public static func + (time: HostTime, duration: Duration) -> HostTime {
    HostTime(microseconds: time.microseconds.addingClamped(duration.microseconds))
  }

  /// The moment a duration earlier.
  public static func - (time: HostTime, duration: Duration) -> HostTime {
    HostTime(microseconds: time.microseconds.subtractingClamped(duration.microseconds))
  }

  /// The time from the right moment to the left one; negative if the left one is earlier.
  public static func - (left: HostTime, right: HostTime) -> Duration {
    .microseconds(left.microseconds.subtractingClamped(right.microseconds))
  }
}

/// A place in a media item, in whole microseconds from its start.
///
/// Integers, not seconds as `Double`: two peers that compute the same position get the same bits.
public struct MediaTime: Hashable, Comparable, Sendable {
  /// Microseconds from the start of the item.
  public let microseconds: Int64

  /// The place that many microseconds into the item.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The start of the item.
  public static let zero = MediaTime(microseconds: 0)

  /// The place that many seconds into the item, rounded to the nearest microsecond.
  ///
  /// Values beyond the range of `Int64` microseconds, and NaN, clamp to its ends and to zero.
  public static func seconds(_ seconds: Double) -> MediaTime {
    MediaTime(microseconds: Int64(clamping: seconds * 1_000_000))
  }

  /// The place in seconds, for players that use seconds.
  public var seconds: Double { Double(microseconds) / 1_000_000 }

  /// Orders places from start to end.
  public static func < (left: MediaTime, right: MediaTime) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The place that much later in the item.
  public static func + (time: MediaTime, duration: Duration) -> MediaTime {
    MediaTime(microseconds: time.microseconds.addingClamped(duration.microseconds))
  }

  /// The place that much earlier in the item.
  public static func - (time: MediaTime, duration: Duration) -> MediaTime {
    MediaTime(microseconds: time.microseconds.subtractingClamped(duration.microseconds))
  }

  /// The length of media from the right place to the left one.
  public static func - (left: MediaTime, right: MediaTime) -> Duration {
    .microseconds(left.microseconds.subtractingClamped(right.microseconds))
  }
}

/// How fast media time runs against group time; a rate of zero does not exist, that is a pause.
///
/// Kept in thousandths, so that rates compare exactly and positions need no floating point.
public struct Rate: Hashable, Comparable, Sendable {
  /// The rate times 1000.
  public let thousandths: Int32

  /// Normal speed.
  public static let normal = Rate(thousandths: 1000)
  /// The slowest rate the protocol carries: below it players produce silence or noise.
  public static let slowest = Rate(thousandths: 250)
  /// The fastest rate the protocol carries.
  public static let fastest = Rate(thousandths: 4000)

  private init(thousandths: Int32) {
    self.thousandths = thousandths
  }

  /// The rate rounded to thousandths, or `nil` outside 0.25 … 4.
  public init?(_ factor: Double) {
    guard factor >= 0.25, factor <= 4 else { return nil }
    thousandths = Int32((factor * 1000).rounded())
  }

  /// The rate as a factor; 1 is normal speed.
  public var factor: Double { Double(thousandths) / 1000 }

  /// Orders rates from slow to fast.
  public static func < (left: Rate, right: Rate) -> Bool {
    left.thousandths < right.thousandths
  }

  /// How much media passes in a stretch of time at this rate.
  public func media(in time: Duration) -> Duration {
    .microseconds(time.microseconds.scaled(by: Int64(thousandths), over: 1000))
  }

  /// How much time a stretch of media takes at this rate.
  public func time(for media: Duration) -> Duration {
    .microseconds(media.microseconds.scaled(by: 1000, over: Int64(thousandths)))
  }
}
