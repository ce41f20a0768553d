/// How likely chance alone makes some measurements as much larger than others as they are.
///
/// The exact rank sum test (Wilcoxon, *Individual comparisons by ranking methods*, 1945; Mann and
/// Whitney, 1947), one-sided: it asks for no distribution of the values, and for few of them. Equal
/// values share their ranks.
enum RankSumTest {
  /// What is less probable than one in twenty is not put down to chance, as is usual.
  static let significance = 0.05

  /// The probability that the larger ones have ranks as high as theirs, or higher.
  ///
  /// - Parameters:
  ///   - larger: those that seem larger; at most some dozens with the others.
  ///   - others: what they are held against.
  /// - Returns: from 0 to 1; 1 if there are none of either.
  static func probability(that larger: [Double], exceed others: [Double]) -> Double {
    let all = (larger + others).sorted()
    guard !larger.isEmpty, !others.isEmpty else { return 1 }
    // Twice the rank, which is then whole also where values are equal.
    func doubledRank(_ value: Double) -> Int {
      let below = all.count { $0 < value }
      return 2 * below + all.count { $0 == value } + 1
    }
    let observed = larger.reduce(0) { $0 + doubledRank($1) }
    // ways[n][sum]: how many choices of n of the values have these ranks together.
    var ways = [[Int: Double]](repeating: [:], count: larger.count + 1)
    ways[0] = [0: 1]
    for value in all {
      let rank = doubledRank(value)
      for count in stride(from: larger.count, to: 0, by: -1) {
        for (sum, number) in ways[count - 1] { ways[count][sum + rank, default: 0] += number }
      }
    }
    let choices = ways[larger.count]
    let extreme = choices.reduce(0) { $1.key >= observed ? $0 + $1.value : $0 }
    return extreme / choices.values.reduce(0, +)
  }
}
