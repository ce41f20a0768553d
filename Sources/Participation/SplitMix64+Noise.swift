package import Vocabulary

// The jitter of a player and of a network in a test: from a seed, so that it comes out the same.
extension SplitMix64 {
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
