/// What a client's player does beyond what its client is told, as far as it shows.
struct PlayerHabits: Equatable, Sendable {
  /// How far it runs on after somebody else's pause: where it is told to stop is that much
  /// earlier.
  ///
  /// In microseconds, as ``seekCost``.
  private(set) var overrun: Int32
  /// How long it stands still at a seek: it is sent that much further.
  private(set) var seekCost: Int32 = 100_000

  /// The reference's client seeks, sleeps for 30 ms, and stops 50 ms later.
  private static let referenceOverrun: Int32 = 80_000
  /// Beyond these it was something else: a person, or a file that would not load.
  private static let largestOverrun: Int64 = 400_000
  private static let largestSeekCost: Int64 = 2_000_000

  /// The habits of a client before anything was seen of them.
  init(isReference: Bool) {
    overrun = isReference ? Self.referenceOverrun : 0
  }

  /// Takes in where a player stopped, against where it was to stop, in microseconds.
  mutating func noteStop(_ error: Int64) {
    guard error.magnitude <= Self.largestOverrun else { return }
    overrun = Int32(min(max(Int64(overrun) + error / 2, 0), Self.largestOverrun))
  }

  /// Takes in where a player was soon after a seek, against where it was to be, in microseconds.
  mutating func noteSeek(_ error: Int64) {
    guard error.magnitude <= Self.largestSeekCost else { return }
    seekCost = Int32(min(max(Int64(seekCost) - error / 2, 0), Self.largestSeekCost))
  }
}
