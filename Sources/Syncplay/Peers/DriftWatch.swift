import Vocabulary

/// Decides when a client that drifted from the group is moved by a seek, the only correction that
/// it understands.
///
/// All times are in microseconds, because each client is checked every second. Clients correct
/// themselves if they are more than 1.5 s ahead, and never if they are behind.
///
/// A seek needs three reports in a row beyond the tolerance. After a seek there is none for ten
/// seconds. The interval doubles after each seek, up to 80 s, until the client is back within the
/// tolerance, so that a client that cannot keep up is moved less and less often.
struct DriftWatch: Equatable, Sendable {
  /// A smaller offset, in microseconds, does not justify a seek, which people see.
  static let tolerance: Int64 = 500_000
  /// The shortest time between two seeks, in microseconds.
  ///
  /// It is announced to the users when the room plays at a rate that clients lack.
  static let interval: Int64 = 10_000_000
  private static let longestInterval: Int64 = 80_000_000
  private static let reports: Int32 = 3

  private var next: Int64 = 0
  private var pause = Int32(interval)
  private var count: Int32 = 0

  /// Records a client's offset; positive is ahead.
  ///
  /// - Parameter isExpected: whether the client drifts because it cannot play at the group's rate.
  /// - Returns: whether it has to be moved now.
  mutating func note(_ offset: Int64, isExpected: Bool, at now: Instant) -> Bool {
    guard offset.magnitude > Self.tolerance else {
      if now.microseconds >= next { pause = Int32(Self.interval) }
      count = 0
      return false
    }
    count += 1
    guard count >= Self.reports, now.microseconds >= next else { return false }
    count = 0
    next = now.microseconds + Int64(pause)
    if !isExpected { pause = Int32(min(Int64(pause) * 2, Self.longestInterval)) }
    return true
  }

  /// Forgets the reports so far.
  mutating func forget() { count = 0 }
}
