/// The delays of a client's player that the client does not account for, in microseconds.
///
/// The initial values were measured with the reference's client, version 1.6.9, and mpv. Most
/// clients are of that kind, and they cannot be told apart: 1.6.9 does not send its user interface.
struct PlayerHabits: Equatable, Sendable {
  /// How far the player runs on after another user's pause; the position to stop at is sent that
  /// much earlier.
  ///
  /// The reference's client seeks, sleeps for 30 ms, and stops 50 ms later.
  private(set) var overrun: Int32 = 80_000
  /// How long the player stands still at a seek; it is sent that much further.
  ///
  /// Negative for a client that overestimates the network delay: a client behind 150 ms seeks some
  /// 40 ms too far.
  private(set) var seekCost: Int32 = 20_000
  /// The seek cost of a player that was told to start a moment before.
  private(set) var catchUpCost: Int32 = 100_000
  /// How long the player takes to start; a start is sent that much earlier.
  ///
  /// The reference's client waits up to 50 ms before each command to its player.
  private(set) var startCost: Int32 = 40_000

  /// The additional delay of a player that is moved before it starts: the sleep and the wait
  /// between the two commands.
  private static let seekBeforeStart: Int32 = 60_000
  /// Values outside these bounds have another cause, such as a person or a file that does not load.
  private static let overruns: ClosedRange<Int64> = 0...400_000
  private static let seekCosts: ClosedRange<Int64> = -400_000...2_000_000
  private static let startCosts: ClosedRange<Int64> = 0...400_000

  /// How much further a paused player that has to start is sent.
  var seekAndStartCost: Int32 { startCost + Self.seekBeforeStart }

  /// Learns from where a player stopped, relative to where it should have stopped.
  mutating func noteStop(_ error: Int64) {
    Self.learn(&overrun, error, within: Self.overruns)
  }

  /// Learns from where a player was soon after a seek, relative to where it should have been.
  mutating func noteSeek(_ error: Int64) {
    Self.learn(&seekCost, -error, within: Self.seekCosts)
  }

  /// Learns from where a player was soon after a seek that followed its start, relative to where it
  /// should have been.
  mutating func noteCatchUp(_ error: Int64) {
    Self.learn(&catchUpCost, -error, within: Self.seekCosts)
  }

  /// Learns from where a player was soon after its start, relative to where it should have been.
  mutating func noteStart(_ error: Int64) {
    Self.learn(&startCost, -error, within: Self.startCosts)
  }

  /// Moves the cost by a quarter of the error, because the position after a seek in mpv scatters by
  /// some 40 ms; a weight of one half followed that noise.
  private static func learn(
    _ cost: inout Int32, _ error: Int64, within bounds: ClosedRange<Int64>
  ) {
    guard error.magnitude <= bounds.upperBound else { return }
    cost = Int32(min(max(Int64(cost) + error / 4, bounds.lowerBound), bounds.upperBound))
  }
}
