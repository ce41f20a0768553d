/// A request for a local notification.
public struct NotificationRequest: Hashable, Sendable, Identifiable {
  /// Its id; a later request with the same id replaces it.
  public var id: NotificationID
  /// Its content.
  public var content: NotificationContent
  /// When; never ``NotificationTrigger/push``.
  public var trigger: NotificationTrigger

  /// A request.
  public init(
    id: NotificationID, content: NotificationContent, trigger: NotificationTrigger = .none
  ) {
    self.id = id
    self.content = content
    self.trigger = trigger
  }

  /// What is wrong with a request.
  public enum Fault: String, Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Only the server can send a push.
    case push
    /// The time is not ahead; or it is to be repeated more often than once a minute.
    case interval
    /// No date from now on matches.
    case date
    /// Too many requests wait already; remove some, or let one repeat.
    case tooMany

    /// What is wrong and what to do, for people.
    public var description: String {
      switch self {
      case .push: "only the server can send a push; choose another trigger"
      case .interval: "the time is not ahead, or it repeats more often than once a minute"
      case .date: "no date from now on matches; check its parts"
      case .tooMany: "too many requests wait already; remove some, or let one repeat"
      }
    }
  }
}

/// What triggers a notification.
public enum NotificationTrigger: Hashable, Sendable {
  /// The server; all others are local.
  case push
  /// An interval after the request; if it repeats, each further interval.
  case timeInterval(Duration, repeats: Bool)
  /// The next date that matches; if it repeats, each one that matches.
  case calendar(DateMatch, repeats: Bool)
  /// Nothing: it fires at once.
  case none

  /// Whether the server sent it.
  public var isRemote: Bool { self == .push }
}

/// Which dates of the Gregorian calendar match, field by field.
///
/// A field that is not given matches anything, but fields finer than the finest given one are at
/// their beginning: hour 8 matches every day at 8:00:00. An impossible date such as 31 April never
/// matches; day 31 skips months without one, and 29 February waits for a leap year.
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
  /// The offset from UTC of the clock that is meant; `nil` is the device's own.
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
