/// What a client's player does beyond what its client is told, as far as it shows; in microseconds.
///
/// Each begins with what was measured of the reference's client, version 1.6.9, with mpv, since
/// most clients are that one, and none says what it is: 1.6.9 does not tell its user interface.
struct PlayerHabits: Equatable, Sendable {
  /// How far it runs on after somebody else's pause: where it is told to stop is that much earlier.
  ///
  /// The reference's client seeks, sleeps for 30 ms, and stops 50 ms later.
  private(set) var overrun: Int32 = 80_000
  /// How long it stands still at a seek: it is sent that much further.
  ///
  /// Less than nothing of a client that takes the way for longer than it is: one behind 150 ms goes
  /// some forty milliseconds too far.
  private(set) var seekCost: Int32 = 20_000
  /// The same of a player that was told to start a moment before.
  private(set) var catchUpCost: Int32 = 100_000
  /// How long it takes until it runs: a start is told that much earlier.
  ///
  /// The reference's client waits up to 50 ms before each word to its player.
  private(set) var startCost: Int32 = 40_000

  /// What a player that is moved before it starts takes longer: the sleep and the wait between.
  private static let seekBeforeStart: Int32 = 60_000
  /// Beyond these it was something else: a person, or a file that would not load.
  private static let overruns: ClosedRange<Int64> = 0...400_000
  private static let seekCosts: ClosedRange<Int64> = -400_000...2_000_000
  private static let startCosts: ClosedRange<Int64> = 0...400_000

  /// How much further a player is sent that stands still and is to run.
  var seekAndStartCost: Int32 { startCost + Self.seekBeforeStart }

  /// Takes in where a player stopped, against where it was to stop.
  mutating func noteStop(_ error: Int64) {
    Self.learn(&overrun, error, within: Self.overruns)
  }

  /// Takes in where a player was soon after a seek, against where it was to be.
  mutating func noteSeek(_ error: Int64) {
    Self.learn(&seekCost, -error, within: Self.seekCosts)
  }

  /// Takes in where a player was soon after a seek that followed its start, against where it was to
  /// be.
  mutating func noteCatchUp(_ error: Int64) {
    Self.learn(&catchUpCost, -error, within: Self.seekCosts)
  }

  /// Takes in where a player was soon after it started, against where it was to be.
  mutating func noteStart(_ error: Int64) {
    Self.learn(&startCost, -error, within: Self.startCosts)
  }

  /// By a quarter: where mpv lands after a seek scatters by some 40 ms, and half of that was
  /// learned.
  private static func learn(
    _ cost: inout Int32, _ error: Int64, within bounds: ClosedRange<Int64>
  ) {
    guard error.magnitude <= bounds.upperBound else { return }
    cost = Int32(min(max(Int64(cost) + error / 4, bounds.lowerBound), bounds.upperBound))
  }
}
