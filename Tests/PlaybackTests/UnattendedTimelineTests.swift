import Playback
import Testing
import Vocabulary

/// An item that everybody left is remembered for a while.
@Suite struct UnattendedTimelineTests {
  @Test func `the last one to leave an item starts its time, and the first back stops it`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.open(film, ann, ben)
    try stage.apply(.transition(to: trailer), by: ann)
    #expect(try stage.timeline().keptUntil == nil)
    let left = try stage.apply(.transition(to: trailer), by: ben)
    let until = stage.now + stage.conditions.limits.timelineGrace
    #expect(left.last == .timelineUnattended(film, until: until))
    stage.pass(.seconds(100))
    #expect(stage.settle() == [])
    try stage.open(film, ann)
    #expect(try stage.timeline().keptUntil == nil)
  }

  @Test func `whoever goes for good leaves the item unattended, too`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.open(film, ann)
    #expect(stage.leave(ann).count == 1)
    #expect(try stage.timeline().keptUntil != nil)
  }

  @Test func `one whose connection is lost still has it current`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann)
    stage.lose(ann)
    #expect(try stage.timeline().keptUntil == nil)
  }

  @Test func `an item runs on for those whom a restart of the server disconnected`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    stage.pass(.seconds(7))
    stage.interrupt()
    #expect(stage.settle() == [])
    stage.comeBack(ann)
    stage.lose(ann)
    #expect(stage.describe() == "playing 7")
    stage.leave(ben)
    #expect(stage.describe() == "frozen 7")
  }

  @Test func `an item does not run on for one who was suspended before the restart`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    try stage.apply(.suspend(.audioSessionInterrupted), by: ben)
    stage.interrupt()
    stage.leave(ann)
    #expect(stage.describe() == "frozen 0")
  }
}
