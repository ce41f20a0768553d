extension Collection<Double> {
  /// The value in the middle; zero of none.
  var median: Double { percentile(50) }

  /// The smallest value that so many hundredths of all do not exceed; zero of none.
  func percentile(_ hundredths: Int) -> Double {
    guard !isEmpty else { return 0 }
    let rank = (count * hundredths + 99) / 100
    return sorted()[Swift.max(rank, 1) - 1]
  }
}
