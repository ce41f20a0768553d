import Testing

@testable import SyncplayComparison

@Suite struct ComparisonFigureTests {
  private func figure(
    _ value: Double?, target: ComparisonFigure.Target?
  ) -> ComparisonFigure {
    ComparisonFigure("pause", "frames apart then", value, target: target)
  }

  @Test(
    arguments: [
      (ComparisonFigure.Target.share(1), 80.0, true), (.share(1), 81, false),
      (.share(0.5), 40, true), (.share(0.5), 41, false),
      (.better, 79, true), (.better, 80, false),
      (.atMost(250), 250, true), (.atMost(250), 251, false),
    ] as [(ComparisonFigure.Target, Double, Bool)])
  func `a target is met beside the reference's own figure`(
    target: ComparisonFigure.Target, value: Double, isMet: Bool
  ) {
    #expect(figure(value, target: target).isMet(beside: 80) == isMet)
  }

  @Test func `without a reference only what needs none is judged`() {
    #expect(figure(1, target: .share(1)).isMet(beside: nil) == nil)
    #expect(figure(1, target: .better).isMet(beside: nil) == nil)
    #expect(figure(1, target: .atMost(250)).isMet(beside: nil) == true)
    #expect(figure(1, target: nil).isMet(beside: 80) == nil)
  }

  @Test func `what was not measured misses its target`() {
    #expect(figure(nil, target: .share(1)).isMet(beside: 80) == false)
    #expect(figure(nil, target: .atMost(250)).isMet(beside: nil) == false)
  }
}
