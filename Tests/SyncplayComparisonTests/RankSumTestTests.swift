import Testing

@testable import SyncplayComparison

@Suite struct RankSumTestTests {
  struct Case: Sendable {
    let larger: [Double]
    let others: [Double]
    let probability: Double
  }

  /// Of the choices of ranks, those as extreme or more, counted by hand.
  @Test(arguments: [
    Case(larger: [4, 5, 6], others: [1, 2, 3], probability: 1 / 20),
    Case(larger: [3, 5, 6], others: [1, 2, 4], probability: 2 / 20),
    Case(larger: [1, 2, 3], others: [4, 5, 6], probability: 1),
    Case(larger: [5, 6, 7, 8], others: [1, 2, 3, 4], probability: 1 / 70),
    Case(larger: [2], others: [1], probability: 1 / 2),
  ])
  func `it counts the choices as extreme as what was seen`(known: Case) {
    let probability = RankSumTest.probability(that: known.larger, exceed: known.others)
    #expect(abs(probability - known.probability) < 1e-12)
  }

  @Test func `equal values share their ranks`() {
    // Ranks 3.5, 3.5 of 1, 2, 3.5, 3.5: one choice of six has that sum, none a higher one.
    #expect(abs(RankSumTest.probability(that: [7, 7], exceed: [1, 2]) - 1.0 / 6) < 1e-12)
    #expect(RankSumTest.probability(that: [7, 7], exceed: [7, 7]) == 1)
  }

  @Test func `nothing says nothing`() {
    #expect(RankSumTest.probability(that: [], exceed: [1]) == 1)
    #expect(RankSumTest.probability(that: [1], exceed: []) == 1)
  }
}
