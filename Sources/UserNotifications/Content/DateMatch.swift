/// Which dates of the Gregorian calendar match, field by field.
///
/// What is not given matches anything, but fields finer than the finest given one are at their
/// beginning: hour 8 matches every day at 8:00:00. What is no date never matches, such as 31 April:
/// day 31 skips months that have none, and 29 February waits for a leap year.
public struct DateMatch: Hashable, Sendable {
  /// The year, such as 2026.
  public var year: Int?
  /// 1 … 12.
  public var month: Int?
  /// Of the month, 1 … 31.
  public var day: Int?
  /// 1 is Sunday … 7 is Saturday.
  public var weekday: Int?
  /// 0 … 23.
  public var hour: Int?
  /// 0 … 59.
  public var minute: Int?
  /// 0 … 59.
  public var second: Int?
  /// How far the clock meant is ahead of UTC; `nil` is wherever the device is.
  public var offset: Duration?

  /// A match.
  public init(
    year: Int? = nil, month: Int? = nil, day: Int? = nil, weekday: Int? = nil, hour: Int? = nil,
    minute: Int? = nil, second: Int? = nil, offset: Duration? = nil
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.weekday = weekday
    self.hour = hour
    self.minute = minute
    self.second = second
    self.offset = offset
  }
}
