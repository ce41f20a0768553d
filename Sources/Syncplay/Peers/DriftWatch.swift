import Vocabulary

/// Decides when a client that is elsewhere than the group is moved: a seek is all it understands.
///
/// All times are in microseconds, because it is asked each second for each client. Clients correct
/// themselves if they are more than 1.5 s ahead, and never if they are behind.
/// Three reports in a row must say the same. A seek is followed by ten seconds without another, and
/// by twice as many each time it was of no use; so the seeks end for a client that cannot keep up.
struct DriftWatch: Equatable, Sendable {
  /// A smaller offset is not worth a seek, which people see.
  static let tolerance: Int64 = 500_000
  /// The shortest time between two seeks; people are told of it at rates that clients lack.
  static let interval: Int64 = 10_000_000
  private static let longestInterval: Int64 = 80_000_000
  private static let reports: Int32 = 3

  private var next: Int64 = 0
  private var pause = Int32(interval)
  private var count: Int32 = 0

  /// Notes a client's offset; positive is ahead.
  ///
  /// - Parameter isExpected: whether it drifts because it cannot play at the group's rate.
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
