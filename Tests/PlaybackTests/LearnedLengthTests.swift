import Playback
import Testing
import Vocabulary

/// How long an item is: who is believed, and when that changes.
@Suite struct LearnedLengthTests {
  private let right = Duration.seconds(90)
  private let wrong = Duration.seconds(10)

  @Test func `one who says otherwise changes nothing, most of them do`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben, eve)
    try stage.open(film, ann, duration: wrong)
    #expect(
      try stage.apply(.transition(to: film, duration: right), by: ben).last
        == .durationDoubted(film, right, by: ben))
    #expect(try stage.timeline().duration == wrong)
    let events = try stage.apply(.transition(to: film, duration: right), by: eve)
    #expect(
      events.suffix(2) == [
        .durationDoubted(film, right, by: eve), .durationLearned(film, right),
      ])
    #expect(try stage.timeline().duration == right)
    #expect(try stage.timeline().doubts.isEmpty)
  }

  @Test func `those who doubt have to agree`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben, eve)
    try stage.open(film, ann, duration: wrong)
    try stage.open(film, ben, duration: right)
    try stage.open(film, eve, duration: .seconds(50))
    #expect(try stage.timeline().duration == wrong)
  }

  @Test func `a doubt said again, or within what players round, is nothing new`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben, eve)
    try stage.open(film, ann, ben, eve, duration: wrong)
    #expect(try stage.apply(.transition(to: film, duration: .seconds(10.9)), by: ben) == [])
    #expect(try stage.apply(.transition(to: film, duration: right), by: ben).count == 1)
    #expect(try stage.apply(.transition(to: film, duration: right), by: ben) == [])
  }

  @Test func `a doubt can be taken back, and goes with who had it`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben, eve, sue)
    try stage.open(film, ann, ben, eve, sue, duration: wrong)
    for id in [ben, eve] { try stage.apply(.transition(to: film, duration: right), by: id) }
    try stage.apply(.transition(to: film, duration: wrong), by: ben)
    stage.leave(eve)
    try stage.apply(.transition(to: film, duration: right), by: sue)
    #expect(try stage.timeline().duration == wrong)
    try stage.apply(.transition(to: trailer), by: sue)
    #expect(try stage.timeline().doubts.keys.elementsEqual([ben]))
  }

  @Test func `one who watches alone corrects the length alone`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann, duration: wrong)
    try stage.apply(.ready(film, seq: stage.timeline().seq, duration: right), by: ann)
    #expect(try stage.timeline().duration == right)
  }

  @Test func `a large audience is not asked`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    stage.conditions.limits.barrierParticipants = 1
    try stage.open(film, ann, ben, duration: wrong)
    #expect(try stage.apply(.transition(to: film, duration: right), by: ben) == [])
  }

  @Test func `a length corrected to less than where the item is ends it`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann, duration: right)
    try stage.run(ann, from: .zero)
    stage.pass(.seconds(20))
    try stage.apply(.ready(film, seq: stage.timeline().seq, duration: wrong), by: ann)
    #expect(stage.describe() == "ended 10")
  }

  @Test func `reports of the end count once each, and late ones are no mistake`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben, eve)
    try stage.run(ann, ben, eve)
    let seq = try stage.timeline().seq
    #expect(try stage.apply(.reportEnd(film, seq: seq), by: ann).count == 1)
    #expect(try stage.apply(.reportEnd(film, seq: seq), by: ann) == [])
    try stage.apply(.reportEnd(film, seq: seq), by: ben)
    #expect(stage.describe() == "ended 0")
    #expect(try stage.apply(.reportEnd(film, seq: seq), by: eve) == [])
    #expect(try stage.apply(.reportEnd(film, seq: seq), by: ann) == [])
  }
}
