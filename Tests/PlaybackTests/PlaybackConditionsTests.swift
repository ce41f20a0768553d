import Playback
import Testing
import Vocabulary

@Suite struct PlaybackConditionsTests {
  @Test(arguments: [(0, 50), (10, 50), (100, 140), (960, 1000), (5000, 1000)])
  func `the lead covers the slowest and a player's start, within bounds`(delay: Int, lead: Int) {
    let conditions = PlaybackConditions(slowestDelay: .milliseconds(delay))
    #expect(conditions.lead == .milliseconds(lead))
  }

  @Test(arguments: [(0, 1000), (125, 1000), (500, 4000), (5000, 10_000)])
  func `preparation covers some round trips of the slowest, within bounds`(
    delay: Int, preparation: Int
  ) {
    let conditions = PlaybackConditions(slowestDelay: .milliseconds(delay))
    #expect(conditions.preparation == .milliseconds(preparation))
  }

  @Test func `a stop is believed within a round trip and a little`() {
    let conditions = PlaybackConditions(slowestDelay: .milliseconds(100))
    #expect(conditions.pauseTolerance == .milliseconds(450))
  }
}
