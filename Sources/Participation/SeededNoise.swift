/// Numbers that look random and come from a seed: SplitMix64 (Steele, Lea and Flood, 2014).
package struct SeededNoise: RandomNumberGenerator, Equatable, Sendable {
  private var state: UInt64

  /// The sequence of that seed.
  package init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A duration around zero with that standard deviation: the sum of twelve uniform ones.
  package mutating func normal(deviation: Duration) -> Duration {
    let sum = (0..<12).reduce(-6.0) { sum, _ in
      sum + Double(next() >> 11) / 9_007_199_254_740_992
    }
    return deviation * sum
  }

  /// A duration between zero and `limit`, each as likely.
  package mutating func uniform(below limit: Duration) -> Duration {
    limit * (Double(next() >> 11) / 9_007_199_254_740_992)
  }
}
