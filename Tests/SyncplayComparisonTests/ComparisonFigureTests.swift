import Testing

@testable import SyncplayComparison

@Suite struct ComparisonFigureTests {
  private func figure(
    _ values: Double?..., by summary: ComparisonFigure.Summary = .median,
    target: ComparisonFigure.Target? = nil
  ) -> ComparisonFigure {
    ComparisonFigure("pause", "frames apart then", values, by: summary, target: target)
  }

  // MARK: Targets

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

  @Test func `what misses by no more than the rounds scatter is known`() {
    let reference = figure(280, 240, 310, 290)
    let alike = figure(325, 260, 300, 280, target: .share(1))
    let apart = figure(325, 360, 320, 380, target: .share(1))
    #expect(alike.isMet(beside: reference.value) == false)
    #expect(alike.isWithinScatter(of: reference))
    #expect(!apart.isWithinScatter(of: reference))
    // Held against the share that is aimed at.
    #expect(!figure(180, 190, 200, 210, target: .share(0.5)).isWithinScatter(of: reference))
    #expect(figure(140, 150, 130, 160, target: .share(0.5)).isWithinScatter(of: reference))
    #expect(figure(325, 260, 300, 280, target: .better).isWithinScatter(of: reference))
  }

  @Test func `what did not happen in a round is no scatter`() {
    let reference = figure(280, 240, 310, 290)
    #expect(!figure(nil, 260, 300, 280, target: .share(1)).isWithinScatter(of: reference))
    #expect(!figure(325, 260, 300, 280, target: .share(1)).isWithinScatter(of: figure(nil, 240)))
    #expect(!figure(325, 260, target: .share(1)).isWithinScatter(of: nil))
    #expect(!figure(325, 260, target: .atMost(250)).isWithinScatter(of: reference))
    #expect(!figure(325, by: .largest, target: .share(1)).isWithinScatter(of: reference))
  }

  // MARK: Rounds

  @Test func `rounds are one number by their median`() {
    #expect(figure().value == nil)
    #expect(figure(7).value == 7)
    #expect(figure(9, 1, 4).value == 4)
    #expect(figure(9, 1, 4, 5).value == 4.5)
    #expect(figure(9, 1, 4).range == 1...9)
    #expect(figure(7).range == nil)
  }

  @Test func `a round in which it never happened is worse than all others`() {
    #expect(figure(3, nil, 1).value == 3)
    #expect(figure(nil, nil, 1).value == nil)
    #expect(figure(1, nil).value == nil)
    #expect(figure(3, nil, 1).range == 1...3)
  }

  @Test func `what must never be is told by its worst round, and what is counted by all`() {
    #expect(figure(9, 1, 4, by: .largest).value == 9)
    #expect(figure(9, nil, 4, by: .largest).value == nil)
    #expect(figure(9, 1, 4, by: .sum).value == 14)
    #expect(figure(9, nil, by: .sum).value == nil)
  }

  @Test func `each round adds to the figures that are there`() {
    var figures = ComparisonFigures()
    figures.add(ComparisonFigure("pause", "apart", [2]))
    figures.add(ComparisonFigure("seek", "apart", [3]))
    figures.add(ComparisonFigure("pause", "apart", [nil]))
    #expect(
      figures.all == [
        ComparisonFigure("pause", "apart", [2, nil]), ComparisonFigure("seek", "apart", [3]),
      ])
  }
}
