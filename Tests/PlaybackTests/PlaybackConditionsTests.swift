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

  @Test func `the frame of one whose clock is poor is not believed`() throws {
    var stage = PlaybackStage(.together, ann, ben)
    stage.conditions.slowestDelay = .milliseconds(300)
    for (delay, place) in [(250, 9.9), (251, 10.0)] {
      stage.conditions.originatorDelay = .milliseconds(delay)
      try stage.run(ann, ben)
      try stage.apply(.seek(film, to: .seconds(10), immediately: true), by: ann)
      stage.pass(stage.conditions.lead)
      try stage.apply(.pause(film, at: .seconds(9.9)), by: ben)
      #expect(try stage.timeline().phase == .paused(at: .seconds(place)))
    }
  }

  @Test func `a stop is believed within a round trip and a little`() {
    let conditions = PlaybackConditions(slowestDelay: .milliseconds(100))
    #expect(conditions.pauseTolerance == .milliseconds(450))
  }
}
