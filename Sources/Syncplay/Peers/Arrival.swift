import Vocabulary

/// Somebody who has just opened a file in a room that is already watching: what their player does
/// meanwhile moves nobody else.
///
/// A client that has loaded a file seeks to the start, and reports that as a person's seek, after
/// it was told the group's position; mpv may go to where the file was left last week; and for five
/// seconds a client stops a player that begins. With the reference, nine of nine latecomers over a
/// line of 150 ms threw everyone back to 0:00.
struct Arrival: Equatable, Sendable {
  /// How long a client acts by itself: its five seconds, and one for the way.
  static let settling = Duration.seconds(6)
  /// After this time, a client that is still elsewhere is treated like any other.
  static let patience = Duration.seconds(30)
  /// A client with a smaller offset, in microseconds, has arrived: clients correct nothing below.
  static let tolerance: Int64 = 1_500_000

  /// A client that has arrived with a larger offset, in microseconds, is moved once.
  ///
  /// Neither clients nor ``DriftWatch`` correct so little; most players land closer.
  private static let closeTolerance: Int64 = 150_000
  /// The reference's client ignores a seek to the first second of a file that it has just loaded;
  /// in seconds, with a tenth to spare.
  static let seekable = 1.1

  /// When the file was opened.
  let since: Instant
  /// Whether the client was once at the group's position.
  private(set) var hasArrived = false
  /// When it may be moved again.
  private var nextFetch: Instant
  /// Whether it was moved the last bit.
  private var wasMovedCloser = false

  /// Someone who opened a file at that instant.
  init(since: Instant) {
    self.since = since
    nextFetch = since
  }

  /// Notes the offset, in microseconds, of a client that is paused or runs as the group does.
  mutating func note(offset: Int64) {
    if offset.magnitude < Self.tolerance { hasArrived = true }
  }

  /// Whether a client with an offset in microseconds is to be moved: once a second at most, because
  /// a client that cannot get there would be moved after each of its answers.
  ///
  /// - Parameter place: the group's position, in seconds; `nil` if it is paused.
  mutating func fetches(offset: Int64, to place: Double?, at now: Instant) -> Bool {
    guard now >= nextFetch else { return false }
    if offset.magnitude < Self.tolerance {
      guard let place, place >= Self.seekable, offset.magnitude >= Self.closeTolerance,
        !wasMovedCloser
      else { return false }
      wasMovedCloser = true
    }
    nextFetch = now + SyncplayLimits.statePeriod
    return true
  }

  /// Whether the client is like any other from here on; the position of one without a file is
  /// unknown.
  func isOver(at now: Instant, hasFile: Bool) -> Bool {
    now >= since + (hasArrived || !hasFile ? Self.settling : Self.patience)
  }
}
