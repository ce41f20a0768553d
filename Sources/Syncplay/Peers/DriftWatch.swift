import Vocabulary

/// Decides when a client that drifted from the group's place is sent there; a seek is all it
/// understands.
///
/// All times are in microseconds: it is asked each second for each client. Clients correct what is
/// ahead by more than 1.5 s themselves, and what is behind not at all. Three reports in a row must
/// say the same, a seek is followed by ten seconds of peace, and by twice as many each time it was
/// of no use: so it ends with a client that cannot keep up.
struct DriftWatch: Equatable, Sendable {
  /// Less than this is not worth a seek, which people see.
  static let tolerance: Int64 = 500_000
  /// The shortest time between two seeks: what is announced for rates that clients lack.
  static let interval: Int64 = 10_000_000
  private static let longestInterval: Int64 = 80_000_000
  private static let reports: Int32 = 3

  private var next: Int64 = 0
  private var pause = Int32(interval)
  private var count: Int32 = 0

  /// Takes in how far off a client is; positive is ahead.
  ///
  /// - Parameter isExpected: whether it has to drift, since it does not play at the group's rate.
  /// - Returns: whether it is to be sent to the group now.
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

  /// Everything is new: what was seen so far says nothing.
  mutating func forget() { count = 0 }
}
