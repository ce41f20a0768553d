import Vocabulary

/// Somebody who has just opened a file where others are further already: whatever their player
/// does meanwhile moves nobody.
///
/// A client seeks to the start when it has loaded a file, and tells so as a person's seek, after
/// it was first told where the group is; mpv may go to where the file was left last week; and for
/// five seconds a client stops a player that begins. With the reference, nine of nine who came
/// late over a line of 150 ms threw everyone back to 0:00.
struct Arrival: Equatable, Sendable {
  /// What a client does by itself is over by then: its five seconds, and one for the way.
  static let settling = Duration.seconds(6)
  /// Who is not where the group is by then never will be by being told.
  static let patience = Duration.seconds(30)
  /// How far off is there, in microseconds: clients correct nothing below.
  static let tolerance: Int64 = 1_500_000

  /// When the file was opened.
  let since: Instant
  /// Whether the client was once where the group was.
  private(set) var hasArrived = false
  /// When it may be sent to the group again.
  private var nextFetch: Instant

  /// Someone who opened a file at that instant.
  init(since: Instant) {
    self.since = since
    nextFetch = since
  }

  /// Takes in how many microseconds from the group a client is that does as the group does.
  mutating func note(offset: Int64) {
    if offset.magnitude < Self.tolerance { hasArrived = true }
  }

  /// Whether a client that is so many microseconds from the group is to be sent there: once a second,
  /// or one that cannot get there would be sent by each of its answers.
  mutating func fetches(offset: Int64, at now: Instant) -> Bool {
    guard offset.magnitude >= Self.tolerance, now >= nextFetch else { return false }
    nextFetch = now + SyncplayLimits.statePeriod
    return true
  }

  /// Whether it is like any other from here on; of a client without a file nobody knows where it
  /// is.
  func isOver(at now: Instant, hasFile: Bool) -> Bool {
    now >= since + (hasArrived || !hasFile ? Self.settling : Self.patience)
  }
}
