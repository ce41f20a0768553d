import Vocabulary

/// A client that has just opened a file in a room that is already watching; until it has settled,
/// its player does not steer the group.
///
/// A client that has loaded a file seeks to the start, and reports that as a person's seek after it
/// was told the group's position. mpv may resume where the file was left last week. For five
/// seconds a client stops a player that starts. With the reference, nine of nine late joiners
/// behind a line of 150 ms moved everyone back to 0:00.
struct Arrival: Equatable, Sendable {
  /// How long a client acts by itself: its five seconds, plus one for the network.
  static let settling = Duration.seconds(6)
  /// After this time, a client that is still at another position is treated like any other.
  static let patience = Duration.seconds(30)
  /// A client with a smaller offset, in microseconds, has arrived, because clients correct nothing
  /// below it.
  static let tolerance: Int64 = 1_500_000

  /// A client that has arrived with a larger offset, in microseconds, is moved once.
  ///
  /// Neither clients nor ``DriftWatch`` correct an offset this small; most players land closer.
  private static let closeTolerance: Int64 = 150_000
  /// The first position, in seconds, to which a client seeks: the reference's client ignores a seek
  /// to the first second of a file that it has just loaded; 0.1 s is margin.
  static let seekable = 1.1

  /// How long after a file was opened a seek may be the player's own.
  ///
  /// Clients look at their player a second after it has loaded a file, and then report where it
  /// resumed the file; the other second is for a slow line.
  private static let resuming = Duration.seconds(2)

  /// When the file was opened.
  let since: Instant
  /// Whether the client has been at the group's position.
  private(set) var hasArrived = false
  /// When the client may be moved again.
  private var nextFetch: Instant
  /// Whether the final correction below ``tolerance`` was made.
  private var wasMovedCloser = false

  /// A client that opened a file at that instant.
  init(since: Instant) {
    self.since = since
    nextFetch = since
  }

  /// Records the offset, in microseconds, of a client that is paused or plays like the group.
  mutating func note(offset: Int64) {
    if offset.magnitude < Self.tolerance { hasArrived = true }
  }

  /// Whether a client with an offset in microseconds has to be moved.
  ///
  /// At most once a second, because a client that cannot get there would be moved after each of its
  /// answers.
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

  /// Whether a seek that the client counts as its own is a person's: clients themselves seek to the
  /// start of a file only.
  func isJump(_ place: SyncplayClientState.Place, at now: Instant) -> Bool {
    place.isSeek && hasArrived && place.position >= Self.seekable && now >= since + Self.resuming
  }

  /// Whether the client is treated like any other from now on; the position of a client without a
  /// file is unknown.
  func isOver(at now: Instant, hasFile: Bool) -> Bool {
    now >= since + (hasArrived || !hasFile ? Self.settling : Self.patience)
  }
}
