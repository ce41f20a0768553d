import Playback
import Testing
import Vocabulary

/// The life of a timeline: one test for each way it may go.
@Suite struct CoordinatedPlaybackTests {
  // MARK: Empty

  @Test func `the first to open an item brings where it stands`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann, proposing: .init(mediaTime: .seconds(9), rate: .normal))
    stage.pass(.seconds(1))
    #expect(stage.describe() == "playing 10")
  }

  @Test func `a proposal of a pause stands still`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann, proposing: .init(mediaTime: .seconds(9)))
    stage.pass(.seconds(1))
    #expect(stage.describe() == "paused 9")
  }

  @Test func `without an opinion an item is paused at its start`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann)
    #expect(stage.describe() == "paused 0")
  }

  @Test func `a proposal outside the item is brought inside`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    let beyond = ProposedTiming(mediaTime: .seconds(500))
    try stage.open(film, ann, proposing: beyond, duration: .seconds(90))
    #expect(try stage.timeline().phase == .paused(at: .seconds(90)))
    try stage.open(trailer, ann, proposing: .init(mediaTime: .seconds(-5)))
    #expect(stage.describe(trailer) == "paused 0")
  }

  @Test func `a later one's proposal counts for nothing`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.open(film, ann, proposing: .init(mediaTime: .seconds(9)))
    try stage.open(film, ben, proposing: .init(mediaTime: .seconds(70), rate: .normal))
    #expect(stage.describe() == "paused 9")
  }

  // MARK: Paused

  @Test func `play prepares, and starts for all at one instant ahead`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.open(film, ann, ben)
    try stage.apply(.play(film), by: ann)
    try stage.ready(ann)
    #expect(stage.describe() == "preparing 0")
    try stage.ready(ben)
    let start = TimelineAnchor(
      mediaTime: .zero, at: stage.now + stage.conditions.lead, rate: .normal)
    #expect(try stage.timeline().phase == .playing(start))
  }

  @Test func `play at once waits only for the lead`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.open(film, ann, ben)
    try stage.apply(.play(film, immediately: true), by: ann)
    #expect(stage.describe() == "starting 0")
    stage.pass(stage.conditions.lead)
    #expect(stage.describe() == "playing 0")
  }

  @Test func `a seek while paused stays paused there, inside the item`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann, duration: .seconds(90))
    try stage.apply(.seek(film, to: .seconds(70)), by: ann)
    #expect(stage.describe() == "paused 70")
    try stage.apply(.seek(film, to: .seconds(700)), by: ann)
    #expect(stage.describe() == "paused 90")
    try stage.apply(.seek(film, to: .seconds(-7)), by: ann)
    #expect(stage.describe() == "paused 0")
  }

  @Test func `a rate chosen while paused is the rate it runs at next`() throws {
    let double = try #require(Rate(2))
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann)
    try stage.apply(.setRate(film, double), by: ann)
    try stage.apply(.play(film, immediately: true), by: ann)
    stage.pass(stage.conditions.lead + .seconds(3))
    #expect(stage.describe() == "playing 6 ×2.0")
  }

  // MARK: Playing

  @Test func `a pause lands everyone on the originator's frame`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    stage.pass(.seconds(10))
    try stage.apply(.pause(film, at: .seconds(9.9)), by: ann)
    #expect(try stage.timeline().phase == .paused(at: .seconds(9.9)))
  }

  @Test(arguments: [(2.0, 9.5), (50.0, 10.5)])
  func `an originator's frame is believed as far as the tolerance`(reported: Double, place: Double)
    throws
  {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    stage.conditions.slowestDelay = .milliseconds(125)
    try stage.run(ann, ben)
    stage.pass(.seconds(10))
    try stage.apply(.pause(film, at: .seconds(reported)), by: ann)
    #expect(try stage.timeline().phase == .paused(at: .seconds(place)))
  }

  @Test func `at double speed the tolerance is double the media`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann)
    try stage.apply(.play(film, rate: Rate(2), immediately: true), by: ann)
    stage.pass(stage.conditions.lead + .seconds(5))
    try stage.apply(.pause(film, at: .zero), by: ann)
    #expect(try stage.timeline().phase == .paused(at: .seconds(9.5)))
  }

  @Test func `without snapping a pause is where the group stood`() throws {
    var policy = WaitingPolicy.keepGoing
    policy.pauseSnapsToMediaTimeOfOriginator = false
    var stage = PlaybackStage(policy, ann, ben)
    try stage.run(ann, ben)
    stage.pass(.seconds(10))
    try stage.apply(.pause(film, at: .seconds(9.9)), by: ann)
    #expect(try stage.timeline().phase == .paused(at: .seconds(10)))
  }

  @Test func `another rate comes with a new anchor, without a barrier or a jump`() throws {
    let double = try #require(Rate(2))
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    stage.pass(.seconds(10))
    try stage.apply(.setRate(film, double), by: ann)
    #expect(try stage.timeline().position(at: stage.now) == .seconds(10))
    stage.pass(stage.conditions.lead)
    #expect(try stage.timeline().position(at: stage.now) == .seconds(10.05))
    stage.pass(.seconds(1))
    #expect(try stage.timeline().position(at: stage.now) == .seconds(12.05))
  }

  @Test func `play at another rate while playing changes the rate`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    try stage.apply(.play(film, rate: Rate(2)), by: ben)
    stage.pass(.seconds(1))
    #expect(stage.describe() == "playing 1 ×2.0")
  }

  @Test func `a seek while playing prepares there and plays on at the same rate`() throws {
    let double = try #require(Rate(2))
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    try stage.apply(.setRate(film, double), by: ann)
    try stage.apply(.seek(film, to: .seconds(50)), by: ann)
    #expect(stage.describe() == "preparing 50 ×2.0")
    try stage.ready(ann)
    try stage.ready(ben)
    stage.pass(stage.conditions.lead + .seconds(1))
    #expect(stage.describe() == "playing 52 ×2.0")
  }

  @Test func `a seek that resumes at once waits only for the lead`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    try stage.apply(.seek(film, to: .seconds(50), immediately: true), by: ann)
    #expect(stage.describe() == "starting 50")
  }

  @Test func `play and pause that cross end as the later one says`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    try stage.apply(.pause(film), by: ann)
    try stage.apply(.pause(film), by: ben)
    #expect(stage.describe() == "paused 0")
    try stage.apply(.play(film), by: ann)
    try stage.apply(.pause(film), by: ben)
    #expect(stage.describe() == "paused 0")
  }

  // MARK: Ended

  @Test func `an item of known length ends exactly at its end`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann, duration: .seconds(90))
    try stage.apply(.play(film, rate: Rate(1.25), immediately: true), by: ann)
    let end = stage.now + stage.conditions.lead + .seconds(72)
    #expect(stage.playback.nextDeadline == end)
    stage.pass(.seconds(100))
    #expect(try stage.timeline().phase == .ended(at: .seconds(90)))
    #expect(stage.playback.nextDeadline == nil)
  }

  @Test func `an item that was woken late ends at its end all the same`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann, duration: .seconds(90))
    try stage.apply(.play(film, immediately: true), by: ann)
    stage.oversleep(.seconds(200))
    #expect(try stage.timeline().phase == .ended(at: .seconds(90)))
  }

  @Test func `reports of the end count for nothing where the length is known`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann, duration: .seconds(90))
    try stage.apply(.play(film, immediately: true), by: ann)
    #expect(try stage.apply(.reportEnd(film, seq: stage.timeline().seq), by: ann) == [])
  }

  @Test func `an item of unknown length ends with a majority of those attached`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben, eve, sue)
    try stage.run(ann, ben, eve, sue)
    stage.lose(sue)
    let seq = try stage.timeline().seq
    try stage.apply(.reportEnd(film, seq: seq), by: ann)
    try stage.apply(.reportEnd(film, seq: seq), by: ann)
    #expect(stage.describe() == "playing 0")
    stage.pass(.seconds(7))
    try stage.apply(.reportEnd(film, seq: seq), by: ben)
    #expect(stage.describe() == "ended 7")
  }

  @Test func `a participant that goes to another item has not finished it`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    let seq = try stage.timeline().seq
    try stage.apply(.reportEnd(film, seq: seq), by: ann)
    #expect(try stage.participant(ann).endedSeq == seq)
    try stage.apply(.transition(to: trailer), by: ann)
    #expect(try stage.participant(ann).endedSeq == 0)
  }

  @Test func `half of those attached are no majority`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    try stage.apply(.reportEnd(film, seq: stage.timeline().seq), by: ann)
    #expect(stage.describe() == "playing 0")
  }

  @Test func `in a large audience as many are enough as a barrier waits for`() throws {
    var stage = PlaybackStage()
    let crowd = (0..<120).map { ParticipantID("p\($0)") }
    for id in crowd {
      stage.join(id)
      try stage.open(film, id)
    }
    try stage.apply(.play(film), by: crowd[0])
    stage.pass(stage.conditions.lead)
    let seq = try stage.timeline().seq
    let enough = stage.conditions.limits.barrierParticipants
    for id in crowd.prefix(enough - 1) { try stage.apply(.reportEnd(film, seq: seq), by: id) }
    #expect(stage.describe() == "playing 0")
    try stage.apply(.reportEnd(film, seq: seq), by: crowd[enough - 1])
    #expect(stage.describe() == "ended 0")
  }

  @Test func `those who leave may leave a majority at the end`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    try stage.apply(.reportEnd(film, seq: stage.timeline().seq), by: ann)
    stage.leave(ben)
    #expect(stage.describe() == "ended 0")
  }

  @Test func `a report of the end answers the latest event`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.run(ann)
    let seq = try stage.timeline().seq
    try stage.apply(.seek(film, to: .seconds(9), immediately: true), by: ann)
    #expect(throws: PlaybackRejection.staleReport(seq: try stage.timeline().seq)) {
      try stage.apply(.reportEnd(film, seq: seq), by: ann)
    }
  }

  @Test func `what has ended plays again from its start`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann, duration: .seconds(9))
    try stage.apply(.play(film, immediately: true), by: ann)
    stage.pass(.seconds(60))
    #expect(stage.describe() == "ended 9")
    try stage.apply(.play(film), by: ann)
    #expect(stage.describe() == "preparing 0")
  }

  @Test func `a seek in what has ended is paused there`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann, duration: .seconds(9))
    try stage.apply(.play(film, immediately: true), by: ann)
    stage.pass(.seconds(60))
    try stage.apply(.seek(film, to: .seconds(3)), by: ann)
    #expect(stage.describe() == "paused 3")
  }

  @Test func `a change of speed across the end neither jumps nor moves the end`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    stage.conditions.slowestDelay = .milliseconds(960)
    try stage.open(film, ann, duration: .seconds(9))
    try stage.apply(.play(film, immediately: true), by: ann)
    stage.pass(stage.conditions.lead + .seconds(8.8))
    let end = try #require(try stage.timeline().end)
    try stage.apply(.setRate(film, .slowest), by: ann)
    #expect(try stage.timeline().position(at: stage.now) == .seconds(8.8))
    #expect(try stage.timeline().end == end)
  }

  @Test func `a length learned late holds what went beyond it`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann, proposing: .init(mediaTime: .seconds(500)))
    try stage.apply(.transition(to: film, duration: .seconds(90)), by: ann)
    #expect(try stage.timeline().position(at: stage.now) == .seconds(90))
    try stage.apply(.transition(to: film, duration: .seconds(800)), by: ann)
    #expect(stage.describe() == "paused 90")
  }

  @Test func `a start beyond a length learned late starts at the end`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann, proposing: .init(mediaTime: .seconds(500)))
    try stage.apply(.play(film), by: ann)
    try stage.apply(.ready(film, seq: stage.timeline().seq, duration: .seconds(90)), by: ann)
    #expect(stage.describe() == "starting 90")
    stage.pass(stage.conditions.lead)
    #expect(stage.describe() == "ended 90")
  }

  @Test func `a length of nothing is not learned`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.open(film, ann, duration: .zero)
    #expect(try stage.timeline().duration == nil)
  }

  // MARK: Two items

  @Test func `two items have two timelines that know nothing of each other`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben, eve)
    try stage.open(film, ann, ben)
    try stage.open(trailer, eve)
    try stage.apply(.play(trailer, immediately: true), by: eve)
    try stage.apply(.play(film), by: ann)
    try stage.ready(ann)
    try stage.ready(ben)
    stage.pass(.seconds(5))
    try stage.apply(.pause(trailer), by: eve)
    #expect(stage.describe(trailer) == "paused 4")
    #expect(stage.describe(film) == "playing 4")
  }

  @Test func `who goes over to the others' item takes its place and moves nobody`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann)
    try stage.open(trailer, ben, proposing: .init(mediaTime: .seconds(80), rate: .normal))
    stage.pass(.seconds(3))
    let before = try stage.timeline()
    try stage.open(film, ben, proposing: .init(mediaTime: .seconds(80)))
    #expect(try stage.timeline() == before)
    #expect(stage.describe(trailer) == "paused 83")
  }
}
