import Playback
import Testing

@Suite struct LearnedCostTests {
  @Test func `it begins with what is expected and comes to what is so`() {
    var cost = LearnedCost.seeking
    #expect(cost.likely == .milliseconds(60))
    for _ in 0..<7 { cost.learn(.milliseconds(37)) }
    #expect(cost.likely == .milliseconds(37))
  }

  @Test func `one wild time moves nothing`() {
    var cost = LearnedCost(first: .milliseconds(40))
    for _ in 0..<4 { cost.learn(.milliseconds(40)) }
    cost.learn(.seconds(4000))
    #expect(cost.likely == .milliseconds(40))
    #expect(cost.cautious == .milliseconds(120))
  }

  @Test func `the cautious cost covers the slow ones`() {
    var cost = LearnedCost(first: .milliseconds(40))
    for milliseconds in [35, 38, 68, 41, 37] { cost.learn(.milliseconds(milliseconds)) }
    #expect(cost.cautious == .milliseconds(68))
  }
}
