import Playback
import Testing
import Vocabulary

/// A start that waits: for whom, how long, and what ends it.
@Suite struct StartBarrierTests {
  /// Ann and Ben have the film loaded, paused at 60 s.
  static func loaded(_ policy: WaitingPolicy = .keepGoing) throws -> PlaybackStage {
    var stage = PlaybackStage(policy, ann, ben, eve, sue)
    try stage.run(ann, ben, from: .seconds(60))
    try stage.apply(.pause(film), by: ann)
    return stage
  }

  // MARK: Budgets

  @Test func `a first load gets the longest preparation`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.open(film, ann, ben)
    try stage.apply(.play(film), by: ann)
    #expect(try stage.barrier().due == stage.now + .seconds(10))
  }

  @Test(arguments: [(0, 1000), (50, 1000), (200, 1600), (5000, 10_000)])
  func `players that have it loaded get as long as the slowest network needs`(
    delay: Int, preparation: Int
  ) throws {
    var stage = try Self.loaded()
    stage.conditions.slowestDelay = .milliseconds(delay)
    try stage.apply(.play(film), by: ann)
    #expect(try stage.barrier().due == stage.now + .milliseconds(preparation))
  }

  @Test func `patience is the policy's, and no less than the preparation`() throws {
    var stage = try Self.loaded(.together)
    try stage.apply(.play(film), by: ann)
    #expect(try stage.barrier().patience == stage.now + .seconds(30))
    stage.setPolicy(WaitingPolicy(reasons: [], maximumWait: .zero), by: ann)
    try stage.apply(.seek(film, to: .zero), by: ann)
    #expect(try stage.barrier().patience == stage.barrier().due)
  }

  // MARK: Ready

  @Test func `ready for an event that was replaced is refused`() throws {
    var stage = try Self.loaded()
    try stage.apply(.play(film), by: ann)
    let old = try stage.timeline().seq
    try stage.apply(.seek(film, to: .zero), by: ann)
    #expect(throws: PlaybackRejection.staleReport(seq: try stage.timeline().seq)) {
      try stage.apply(.ready(film, seq: old), by: ben)
    }
    #expect(stage.waitingFor() == [ann, ben])
  }

  @Test func `ready for another item is refused`() throws {
    var stage = try Self.loaded()
    #expect(throws: PlaybackRejection.staleItem) {
      try stage.apply(.ready(trailer, seq: 1), by: ann)
    }
  }

  @Test func `ready twice is ready once`() throws {
    var stage = try Self.loaded()
    try stage.apply(.play(film), by: ann)
    #expect(try stage.ready(ann).count == 1)
    #expect(try stage.ready(ann) == [])
  }

  @Test func `ready may tell the length`() throws {
    var stage = try Self.loaded()
    try stage.apply(.play(film), by: ann)
    try stage.apply(.ready(film, seq: stage.timeline().seq, duration: .seconds(90)), by: ann)
    #expect(try stage.timeline().duration == .seconds(90))
  }

  // MARK: Due

  @Test(arguments: [1.0, 9.0])
  func `who is not ready in time is taken to have stalled, and the others start`(wake: Double)
    throws
  {
    var stage = try Self.loaded()
    try stage.apply(.play(film), by: ann)
    try stage.ready(ann)
    stage.oversleep(.seconds(wake))
    #expect(stage.describe() == "starting 60")
    let suspension = try #require(try stage.participant(ben).suspensions.first)
    #expect(suspension.isImposed && suspension.reason == .stallRecovery)
  }

  @Test func `just before it is due nobody has stalled yet`() throws {
    var stage = try Self.loaded()
    try stage.apply(.play(film), by: ann)
    #expect(stage.pass(.microseconds(999_999)) == [])
  }

  @Test func `who stalled is back with the next ready, even a late one`() throws {
    var stage = try Self.loaded()
    try stage.apply(.play(film), by: ann)
    let asked = try stage.timeline().seq
    try stage.ready(ann)
    stage.pass(.seconds(5))
    #expect(throws: PlaybackRejection.suspendedLocalOnly) {
      try stage.apply(.pause(film), by: ben)
    }
    try stage.apply(.ready(film, seq: asked), by: ben)
    #expect(try stage.participant(ben).isAttached)
    #expect(stage.describe() == "playing 63")
    try stage.apply(.pause(film), by: ben)
    #expect(stage.describe() == "paused 63")
  }

  @Test func `ready ends no suspension that its participant began`() throws {
    var stage = try Self.loaded()
    try stage.apply(.suspend(.userActionRequired), by: ben)
    try stage.apply(.play(film), by: ann)
    try stage.ready(ben)
    #expect(try stage.participant(ben).suspensions.count == 1)
  }

  @Test func `where the policy waits for stalls the barrier goes on to its patience`() throws {
    var stage = try Self.loaded(.together)
    try stage.apply(.play(film), by: ann)
    try stage.ready(ann)
    stage.pass(.seconds(29))
    #expect(stage.describe() == "preparing 60")
    #expect(stage.waitingFor() == [ben])
    stage.pass(.seconds(1))
    #expect(stage.describe() == "starting 60")
  }

  @Test func `a stalled one who is waited for starts everybody with its ready`() throws {
    var stage = try Self.loaded(.together)
    try stage.apply(.play(film), by: ann)
    try stage.ready(ann)
    stage.pass(.seconds(20))
    try stage.ready(ben)
    #expect(stage.describe() == "starting 60")
    #expect(try stage.participant(ben).isAttached)
  }

  // MARK: Changes meanwhile

  @Test func `pause cancels the intent`() throws {
    var stage = try Self.loaded()
    try stage.apply(.play(film), by: ann)
    try stage.apply(.pause(film, at: .seconds(1)), by: ben)
    #expect(stage.describe() == "paused 60")
    #expect(stage.playback.nextDeadline == nil)
  }

  @Test func `play again at the same rate changes nothing, at once forces`() throws {
    var stage = try Self.loaded()
    try stage.apply(.play(film), by: ann)
    #expect(try stage.apply(.play(film), by: ben) == [])
    try stage.apply(.play(film, immediately: true), by: ben)
    #expect(stage.describe() == "starting 60")
  }

  @Test func `a seek prepares anew, with time of its own`() throws {
    var stage = try Self.loaded()
    try stage.apply(.play(film), by: ann)
    try stage.ready(ann)
    stage.pass(.milliseconds(500))
    try stage.apply(.seek(film, to: .seconds(5)), by: ben)
    #expect(stage.describe() == "preparing 5")
    #expect(stage.waitingFor() == [ann, ben])
    #expect(try stage.barrier().due == stage.now + .seconds(1))
  }

  @Test func `another rate prepares anew`() throws {
    var stage = try Self.loaded()
    try stage.apply(.play(film), by: ann)
    try stage.apply(.setRate(film, .slowest), by: ben)
    #expect(try stage.barrier().rate == .slowest)
    #expect(stage.waitingFor() == [ann, ben])
  }

  enum Departure: CaseIterable { case leaves, isLost, stepsOut, goesElsewhere }

  @Test(arguments: Departure.allCases)
  func `nobody waits for one who is gone`(departure: Departure) throws {
    var stage = try Self.loaded()
    try stage.apply(.play(film), by: ann)
    try stage.ready(ann)
    switch departure {
    case .leaves: stage.leave(ben)
    case .isLost: stage.lose(ben)
    case .stepsOut: try stage.apply(.suspend(.userActionRequired), by: ben)
    case .goesElsewhere: try stage.open(trailer, ben)
    }
    #expect(stage.describe() == "starting 60")
  }

  // MARK: Audiences

  @Test func `a large audience starts without being asked`() throws {
    var stage = PlaybackStage()
    let crowd = (0...stage.conditions.limits.barrierParticipants).map { ParticipantID("p\($0)") }
    for id in crowd {
      stage.join(id)
      try stage.open(film, id)
    }
    try stage.apply(.play(film), by: crowd[0])
    #expect(stage.describe() == "starting 0")
    stage.leave(crowd[1])
    try stage.apply(.seek(film, to: .seconds(9)), by: crowd[0])
    #expect(stage.describe() == "preparing 9")
  }

  @Test func `a large audience does not stop for one who stalls or comes late`() throws {
    let policy = WaitingPolicy(reasons: [.stallRecovery], waitsForLateJoiners: true)
    var stage = PlaybackStage(policy, ann, ben, eve)
    stage.conditions.limits.barrierParticipants = 1
    try stage.open(film, ann, ben)
    try stage.apply(.play(film), by: ann)
    try stage.apply(.suspend(.stallRecovery), by: ben)
    try stage.open(film, eve)
    stage.pass(.seconds(1))
    #expect(stage.describe() == "playing 0")
  }

  // MARK: Freezing

  @Test(arguments: Departure.allCases)
  func `time stands still while nobody watches`(departure: Departure) throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.run(ann)
    stage.pass(.seconds(7))
    switch departure {
    case .leaves: stage.leave(ann)
    case .isLost: stage.lose(ann)
    case .stepsOut: try stage.apply(.suspend(.stallRecovery), by: ann)
    case .goesElsewhere: try stage.open(trailer, ann)
    }
    let isGone = departure == .leaves || departure == .goesElsewhere
    #expect(stage.describe() == (isGone ? "paused 7" : "frozen 7"))
    #expect(stage.playback.nextDeadline == nil)
  }

  @Test func `the first one back starts from where time stood still`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    stage.pass(.seconds(7))
    stage.lose(ann)
    stage.lose(ben)
    stage.pass(.seconds(600))
    stage.comeBack(ben)
    #expect(stage.describe() == "preparing 7")
    #expect(stage.waitingFor() == [ben])
    try stage.ready(ben)
    stage.pass(.seconds(1))
    stage.comeBack(ann)
    #expect(stage.describe() == "playing 7")
  }

  @Test func `someone new thaws what stood still`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann)
    stage.lose(ann)
    try stage.open(film, ben)
    #expect(stage.waitingFor() == [ben])
  }

  @Test func `what stood still is paused when the last of them leaves`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.run(ann, from: .seconds(5))
    stage.lose(ann)
    #expect(stage.describe() == "frozen 5")
    stage.leave(ann)
    #expect(stage.describe() == "paused 5")
  }

  @Test func `when all stalled at once time stands still until one is ready`() throws {
    var stage = try Self.loaded()
    try stage.apply(.play(film), by: ann)
    stage.pass(.seconds(60))
    #expect(stage.describe() == "frozen 60")
    try stage.ready(ann)
    #expect(stage.waitingFor() == [ann])
    try stage.ready(ann)
    #expect(stage.describe() == "starting 60")
  }
}
