import Playback
import Vocabulary

/// When a client that is not where the group is gets sent there: a seek is all it understands.
///
/// Clients correct what is ahead by more than 1.5 s themselves, and what is behind not at all.
/// Three reports in a row must say the same, a seek is followed by ten seconds of peace, and by
/// twice as many each time it was of no use: so it ends with a client that cannot keep up.
struct DriftWatch: Equatable, Sendable {
  /// Less than this is not worth a seek, which people see.
  static let tolerance = Duration.milliseconds(500)
  /// The shortest time between two seeks: what is announced for rates that clients lack.
  static let interval = Duration.seconds(10)
  private static let longestInterval = Duration.seconds(80)
  private static let reports = 3

  private var count = 0
  private var next = Instant(microseconds: 0)
  private var pause = interval

  /// Takes in how far off a client is; positive is ahead.
  ///
  /// - Parameter isExpected: whether it has to drift, since it does not play at the group's rate.
  /// - Returns: whether it is to be sent to the group now.
  mutating func note(_ offset: Duration, isExpected: Bool, at now: Instant) -> Bool {
    guard offset.magnitude > Self.tolerance else {
      if now >= next { pause = Self.interval }
      count = 0
      return false
    }
    count += 1
    guard count >= Self.reports, now >= next else { return false }
    count = 0
    next = now + pause
    if !isExpected { pause = min(pause * 2, Self.longestInterval) }
    return true
  }

  /// Everything is new: what was seen so far says nothing.
  mutating func forget() { count = 0 }
}
