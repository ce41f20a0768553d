import Vocabulary

/// A client that has just opened a file while others are further already; what its player does
/// meanwhile moves nobody.
///
/// When a client has loaded a file, it seeks to the start, and reports that as a person's seek; mpv
/// may resume where the file was left last week; and for five seconds a client stops a player that
/// begins. With the reference, nine of nine clients that joined late over a line of 150 ms threw
/// everyone back to 0:00.
struct Arrival: Equatable, Sendable {
  /// What a client does by itself is over by then: its five seconds, and one for the way.
  static let settling = Duration.seconds(6)
  /// Who is not where the group is by then never will be by being told.
  static let patience = Duration.seconds(30)
  /// How far off is there, in microseconds: clients correct nothing below.
  static let tolerance: Int64 = 1_500_000

  /// Who is there, and so far off, is moved once, when that is possible.
  ///
  /// Neither clients nor ``DriftWatch`` correct so little; most players land closer.
  private static let closeTolerance: Int64 = 150_000
  /// The reference's client carries out no seek to the first second of a file that it has just
  /// loaded; in seconds, with a tenth to spare.
  static let seekable = 1.1

  /// When the file was opened.
  let since: Instant
  /// Whether the client was once where the group was.
  private(set) var hasArrived = false
  /// When it may be sent to the group again.
  private var nextFetch: Instant
  /// Whether it was moved the little way from about where the group is.
  private var wasMovedCloser = false

  /// Someone who opened a file at that instant.
  init(since: Instant) {
    self.since = since
    nextFetch = since
  }

  /// Takes in how many microseconds from the group a client is that does as the group does.
  mutating func note(offset: Int64) {
    if offset.magnitude < Self.tolerance { hasArrived = true }
  }

  /// Whether a client that is so many microseconds from the group is to be sent there: once a
  /// second, or one that cannot get there would be sent by each of its answers.
  ///
  /// - Parameter place: where the group is, in seconds; `nil` if it stands still.
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

  /// Whether it is like any other from here on; of a client without a file nobody knows where it
  /// is.
  func isOver(at now: Instant, hasFile: Bool) -> Bool {
    now >= since + (hasArrived || !hasFile ? Self.settling : Self.patience)
  }
}
