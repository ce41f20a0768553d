/// A small generator with a seed, for orders and jitter that must come out the same again.
///
/// Sebastiano Vigna's SplitMix64 (public domain, 2015). Not for secrets.
public struct SplitMix64: RandomNumberGenerator, Equatable, Sendable {
  private var state: UInt64

  /// A generator whose numbers all follow from the seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next of 2^64 equally likely numbers.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
