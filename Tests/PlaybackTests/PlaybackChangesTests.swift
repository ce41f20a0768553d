import Playback
import Testing
import Vocabulary

/// People who come late, queues that go on, policies that change, timelines that go.
@Suite struct PlaybackChangesTests {
  // MARK: Late joiners

  @Test func `a newcomer leaves a pause, a run and an end as they are`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.open(film, ann, duration: .seconds(9))
    for phase in ["paused 0", "playing 5", "ended 9"] {
      if phase == "playing 5" {
        try stage.apply(.play(film, immediately: true), by: ann)
        stage.pass(stage.conditions.lead)
      }
      if phase != "paused 0" { stage.pass(.seconds(5)) }
      let before = try stage.timeline()
      try stage.open(film, ben, proposing: .init(mediaTime: .zero, rate: .normal))
      #expect(stage.describe() == phase)
      #expect(try stage.timeline() == before)
      try stage.apply(.transition(to: nil), by: ben)
    }
  }

  @Test func `a newcomer joins a barrier without extending it`() throws {
    var stage = try StartBarrierTests.loaded()
    try stage.apply(.play(film), by: ann)
    let barrier = try stage.barrier()
    stage.pass(.milliseconds(900))
    try stage.open(film, eve)
    #expect(try stage.barrier() == barrier)
    #expect(stage.waitingFor() == [ann, ben, eve])
  }

  @Test func `a newcomer after the due instant does not hold up those who wait`() throws {
    var stage = try StartBarrierTests.loaded(WaitingPolicy(reasons: [.playingInterstitial]))
    try stage.apply(.suspend(.playingInterstitial), by: ben)
    try stage.apply(.play(film), by: ann)
    try stage.ready(ann)
    stage.pass(.seconds(5))
    try stage.open(film, eve)
    #expect(stage.waitingFor() == [ben])
    #expect(try stage.participant(eve).suspensions.map(\.isImposed) == [true])
  }

  @Test func `where the policy says so the group waits for a newcomer`() throws {
    var stage = PlaybackStage(WaitingPolicy(reasons: [], waitsForLateJoiners: true), ann, ben, sue)
    try stage.apply(.suspend(.userActionRequired), by: sue)
    try stage.run(ann)
    stage.pass(.seconds(5))
    try stage.open(film, sue)
    #expect(stage.describe() == "playing 5")
    try stage.open(film, ben)
    #expect(stage.describe() == "preparing 5")
    try stage.open(film, ben)
    try stage.ready(ann)
    try stage.ready(ben)
    #expect(stage.describe() == "starting 5")
  }

  @Test func `being ready belongs to one item and one stay`() throws {
    var stage = try StartBarrierTests.loaded()
    try stage.open(trailer, ben)
    try stage.open(film, ben)
    try stage.apply(.play(film), by: ann)
    #expect(try stage.barrier().due == stage.now + .seconds(10))
  }

  // MARK: Advancing

  @Test func `everyone goes on to the next item, which starts from its beginning`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben, eve)
    try stage.run(ann, ben, from: .seconds(60))
    try stage.advance(from: film, to: trailer, isPlaying: true)
    #expect(stage.describe(film) == "paused 60")
    #expect(stage.describe(trailer) == "preparing 0")
    #expect(stage.waitingFor(trailer) == [ann, ben])
    #expect(try stage.barrier(trailer).due == stage.now + .seconds(10))
    #expect(try stage.participant(eve).item == nil)
  }

  @Test func `a paused queue goes on to a paused item`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.run(ann)
    try stage.advance(from: film, to: trailer, isPlaying: false)
    #expect(stage.describe(trailer) == "paused 0")
  }

  @Test func `the next item runs at the speed of the last`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.run(ann)
    try stage.apply(.setRate(film, .slowest), by: ann)
    try stage.advance(from: film, to: trailer, isPlaying: true)
    #expect(stage.describe(trailer) == "preparing 0 ×0.25")
  }

  @Test func `who stepped out stays, who is lost or was late goes along`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben, eve, sue)
    try stage.run(ann, ben, eve, sue)
    try stage.apply(.suspend(.userActionRequired), by: ben)
    stage.lose(eve)
    try stage.apply(.seek(film, to: .seconds(9)), by: ann)
    try stage.ready(ann)
    stage.pass(.seconds(3))
    try stage.advance(from: film, to: trailer, isPlaying: true)
    let items = try [ann, ben, eve, sue].map { try stage.participant($0).item }
    #expect(items == [trailer, film, trailer, trailer])
    #expect(stage.describe(film) == "frozen 10")
  }

  @Test func `the next item plays for the first to come if everybody stepped out of the last`()
    throws
  {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    let suspension = try stage.suspend(ann, .coordinatedPlaybackNotPossible)
    _ = try stage.suspend(ben, .coordinatedPlaybackNotPossible)
    try stage.advance(from: film, to: trailer, isPlaying: true)
    #expect(stage.describe(trailer) == "frozen 0")
    var late = stage
    try stage.apply(.endSuspension(suspension), by: ann)
    try stage.open(trailer, ann)
    #expect(stage.describe(trailer) == "preparing 0")
    #expect(stage.waitingFor(trailer) == [ann])
    late.pass(late.conditions.limits.longestPreparation)
    #expect(late.describe(trailer) == "paused 0")
  }

  @Test func `an item may follow itself`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.run(ann, from: .seconds(60))
    try stage.advance(from: film, to: film, isPlaying: true)
    #expect(stage.describe() == "preparing 0")
    #expect(stage.waitingFor() == [ann])
  }

  @Test func `advancing with nobody there stands still`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.run(ann)
    stage.lose(ann)
    try stage.advance(from: film, to: trailer, isPlaying: true)
    #expect(stage.describe(film) == "paused 0")
    #expect(stage.describe(trailer) == "frozen 0")
  }

  @Test func `a large audience goes on without being asked`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    stage.conditions.limits.barrierParticipants = 1
    try stage.open(film, ann, ben)
    try stage.advance(from: film, to: trailer, isPlaying: true)
    #expect(stage.describe(trailer) == "starting 0")
    // Everyone has yet to load the item.
    stage.pass(stage.conditions.limits.audienceLead - .milliseconds(1))
    #expect(stage.describe(trailer) == "starting 0")
    stage.pass(.milliseconds(1))
    #expect(stage.describe(trailer) == "playing 0")
  }

  // MARK: Policies

  @Test func `a policy that waits no longer lets the group start`() throws {
    var stage = PlaybackStage(WaitingPolicy(reasons: [.playingInterstitial]), ann, ben)
    try stage.run(ann, ben)
    try stage.apply(.suspend(.playingInterstitial), by: ben)
    try stage.ready(ann)
    stage.setPolicy(.keepGoing, by: ann)
    #expect(stage.playback.waitingPolicy == .keepGoing)
    #expect(stage.describe() == "starting 0")
  }

  @Test func `the same policy again is nothing new`() throws {
    var stage = PlaybackStage(.together, ann)
    #expect(stage.setPolicy(.together, by: ann) == [])
  }

  // MARK: Bounds

  @Test func `the timeline whose last change is longest ago makes room for a new one`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    stage.conditions.limits.timelines = 4
    let items = (1...5).map { ItemID("item\($0)") }
    try stage.open(items[0], ben)
    for item in items { try stage.open(item, ann) }
    #expect(stage.playback.timelines.keys.sorted() == [items[0], items[2], items[3], items[4]])
  }

  @Test func `timelines that people watch are not dropped for another`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben, eve)
    stage.conditions.limits.timelines = 2
    try stage.open(film, ann)
    try stage.open(trailer, ben)
    #expect(throws: PlaybackRejection.tooManyTimelines(limit: 2)) {
      try stage.open(ItemID("third"), eve)
    }
    #expect(throws: PlaybackRejection.tooManyTimelines(limit: 2)) {
      try stage.advance(from: film, to: ItemID("third"), isPlaying: true)
    }
    try stage.open(film, eve)
  }

  @Test func `a long queue keeps no more timelines than it may`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    var last = film
    try stage.open(last, ann)
    for number in 0..<100 {
      let next = ItemID("item\(number)")
      try stage.advance(from: last, to: next, isPlaying: true)
      last = next
    }
    #expect(stage.playback.timelines.count == stage.conditions.limits.timelines)
  }
}
