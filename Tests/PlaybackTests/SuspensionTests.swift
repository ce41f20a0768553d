import Playback
import Testing
import Vocabulary

/// Stepping out of coordinated playback, and back in.
@Suite struct SuspensionTests {
  static let reasons: [SuspensionReason] = [
    .stallRecovery, .playingInterstitial, .audioSessionInterrupted, .userActionRequired,
    .userIsChangingCurrentTime, .coordinatedPlaybackNotPossible, SuspensionReason("catchingUp"),
  ]

  @Test(arguments: reasons)
  func `by default nobody waits for one who steps out`(reason: SuspensionReason) throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    let before = try stage.timeline()
    try stage.apply(.suspend(reason), by: ben)
    #expect(try stage.timeline() == before)
    #expect(throws: PlaybackRejection.suspendedLocalOnly) {
      try stage.apply(.pause(film), by: ben)
    }
  }

  @Test(arguments: reasons)
  func `the group waits out a reason its policy names`(reason: SuspensionReason) throws {
    var stage = PlaybackStage(WaitingPolicy(reasons: [reason]), ann, ben)
    try stage.run(ann, ben)
    stage.pass(.seconds(7))
    let number = try stage.suspend(ben, reason)
    #expect(stage.describe() == "preparing 7")
    try stage.ready(ann)
    stage.pass(.seconds(20))
    #expect(stage.waitingFor() == [ben])
    try stage.apply(.endSuspension(number), by: ben)
    try stage.ready(ann)
    try stage.ready(ben)
    #expect(stage.describe() == "starting 7")
  }

  @Test func `who is out for ten minutes is away, and holds up nobody`() throws {
    var policy = WaitingPolicy(reasons: [.userActionRequired])
    policy.maximumWait = Limits().longestWait
    var stage = PlaybackStage(policy, ann, ben)
    try stage.run(ann, ben)
    _ = try stage.suspend(ben, .userActionRequired)
    try stage.ready(ann)
    stage.pass(.seconds(599))
    let absence = try #require(try stage.participant(ben).suspensions.first)
    #expect(!absence.isAway(at: stage.now))
    #expect(stage.waitingFor() == [ben])
    stage.pass(.seconds(1))
    #expect(absence.isAway(at: stage.now))
    #expect(stage.describe().hasPrefix("starting"))
  }

  @Test func `one who was waited for gets the time to get ready`() throws {
    var stage = PlaybackStage(WaitingPolicy(reasons: [.playingInterstitial]), ann, ben)
    try stage.run(ann, ben)
    let number = try stage.suspend(ben, .playingInterstitial)
    let patience = try stage.barrier().patience
    try stage.ready(ann)
    stage.pass(.seconds(20))
    try stage.apply(.endSuspension(number), by: ben)
    #expect(try stage.barrier().due == stage.now + .seconds(1))
    #expect(try stage.barrier().patience == patience)
    #expect(try stage.participant(ben).isAttached)
  }

  @Test func `one who got ready while waited for starts everybody by coming back`() throws {
    var stage = PlaybackStage(WaitingPolicy(reasons: [.playingInterstitial]), ann, ben)
    try stage.run(ann, ben)
    let number = try stage.suspend(ben, .playingInterstitial)
    try stage.ready(ann)
    try stage.ready(ben)
    stage.pass(.milliseconds(200))
    #expect(stage.waitingFor() == [ben])
    try stage.apply(.endSuspension(number), by: ben)
    #expect(stage.describe() == "starting 0")
  }

  @Test func `a barrier with time enough is not begun anew for one who comes back`() throws {
    var stage = PlaybackStage(WaitingPolicy(reasons: [.playingInterstitial]), ann, ben)
    try stage.open(film, ann, ben)
    let number = try stage.suspend(ben, .playingInterstitial)
    try stage.apply(.play(film), by: ann)
    #expect(try stage.apply(.endSuspension(number), by: ben) == [.suspensionEnded(ben, number)])
  }

  @Test func `time to get ready does not outlast the patience`() throws {
    var stage = PlaybackStage(WaitingPolicy(reasons: [.playingInterstitial]), ann, ben)
    try stage.run(ann, ben)
    let number = try stage.suspend(ben, .playingInterstitial)
    try stage.ready(ann)
    stage.pass(.milliseconds(59_500))
    try stage.apply(.endSuspension(number), by: ben)
    #expect(try stage.barrier().due == stage.barrier().patience)
    stage.pass(.milliseconds(500))
    #expect(stage.describe() == "frozen 0")
  }

  @Test func `waiting ends after the longest wait`() throws {
    var stage = PlaybackStage(WaitingPolicy(reasons: [.playingInterstitial]), ann, ben)
    try stage.run(ann, ben)
    try stage.apply(.suspend(.playingInterstitial), by: ben)
    try stage.ready(ann)
    stage.pass(.milliseconds(59_900))
    #expect(stage.describe() == "preparing 0")
    stage.pass(.milliseconds(100))
    #expect(stage.describe() == "starting 0")
  }

  @Test func `one suspension is waited out once, however often the group starts`() throws {
    var stage = PlaybackStage(WaitingPolicy(reasons: [.playingInterstitial]), ann, ben)
    try stage.run(ann, ben)
    try stage.apply(.suspend(.playingInterstitial), by: ben)
    try stage.ready(ann)
    stage.pass(.seconds(50))
    try stage.apply(.seek(film, to: .seconds(9)), by: ann)
    try stage.ready(ann)
    #expect(stage.playback.nextDeadline == stage.now + .seconds(10))
    stage.pass(.seconds(10))
    #expect(stage.describe() == "starting 9")
    try stage.apply(.seek(film, to: .seconds(20)), by: ann)
    try stage.ready(ann)
    #expect(stage.describe() == "starting 20")
  }

  @Test func `a larger group does not wait`() throws {
    let policy = WaitingPolicy(
      reasons: [.playingInterstitial], participantLimits: [.playingInterstitial: 2])
    var stage = PlaybackStage(policy, ann, ben)
    try stage.run(ann, ben)
    try stage.apply(.suspend(.playingInterstitial), by: ben)
    try stage.ready(ann)
    #expect(stage.waitingFor() == [ben])
    stage.join(eve)
    #expect(stage.waitingFor() == [ben], "a third who watches nothing, such as a keeper")
    try stage.open(film, eve)
    try stage.ready(eve)
    #expect(stage.describe() == "starting 0")
  }

  @Test func `one who is lost is not waited for, whatever the reason`() throws {
    var stage = PlaybackStage(WaitingPolicy(reasons: [.playingInterstitial]), ann, ben)
    try stage.run(ann, ben)
    try stage.apply(.suspend(.playingInterstitial), by: ben)
    try stage.ready(ann)
    stage.lose(ben)
    #expect(stage.describe() == "starting 0")
  }

  @Test func `a second reason does not stop a group that goes on without its participant`() throws {
    var stage = PlaybackStage(WaitingPolicy(reasons: [.playingInterstitial]), ann, ben)
    try stage.run(ann, ben)
    try stage.apply(.suspend(.userActionRequired), by: ben)
    try stage.apply(.suspend(.playingInterstitial), by: ben)
    #expect(stage.describe() == "playing 0")
  }

  @Test func `the only one watching is not waited for: time stands still`() throws {
    var stage = PlaybackStage(WaitingPolicy(reasons: [.stallRecovery]), ann)
    try stage.run(ann)
    let events = try stage.apply(.suspend(.stallRecovery), by: ann)
    #expect(events.count == 2)
    #expect(stage.describe() == "frozen 0")
  }

  // MARK: Ending

  @Test func `the last suspension that ends may take the group to a place`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    let number = try stage.suspend(ben, .userIsChangingCurrentTime)
    try stage.apply(.endSuspension(number, proposing: .seconds(50)), by: ben)
    #expect(stage.describe() == "preparing 50")
  }

  @Test func `a place proposed while another suspension is open is dropped`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    let scrubbing = try stage.suspend(ben, .userIsChangingCurrentTime)
    try stage.apply(.suspend(.userActionRequired), by: ben)
    try stage.apply(.endSuspension(scrubbing, proposing: .seconds(50)), by: ben)
    #expect(stage.describe() == "playing 0")
    #expect(try stage.participant(ben).suspensions.map(\.reason) == [.userActionRequired])
  }

  @Test func `a suspension ends once, and only by its own number`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    let number = try stage.suspend(ben, .userActionRequired)
    #expect(throws: PlaybackRejection.unknownSuspension) {
      try stage.apply(.endSuspension(number), by: ann)
    }
    try stage.apply(.endSuspension(number), by: ben)
    #expect(throws: PlaybackRejection.unknownSuspension) {
      try stage.apply(.endSuspension(number), by: ben)
    }
  }

  @Test func `stepping out again for the same reason changes nothing`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.apply(.suspend(.userActionRequired), by: ann)
    #expect(try stage.apply(.suspend(.userActionRequired), by: ann) == [])
  }

  @Test func `a player's own stall is another suspension than an imposed one`() throws {
    var stage = try StartBarrierTests.loaded()
    try stage.apply(.play(film), by: ann)
    try stage.ready(ann)
    stage.pass(.seconds(1))
    try stage.apply(.suspend(.stallRecovery), by: ben)
    #expect(try stage.participant(ben).suspensions.map(\.isImposed) == [true, false])
  }

  @Test func `a suspension outlives a change of item, and blocks nobody there`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.run(ann, ben)
    try stage.apply(.suspend(.stallRecovery), by: ben)
    try stage.open(trailer, ann, ben)
    try stage.apply(.play(trailer), by: ann)
    try stage.ready(ann, trailer)
    #expect(stage.describe(trailer) == "starting 0")
    #expect(try stage.participant(ben).suspensions.count == 1)
  }

  @Test func `suspensions have a bound`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    for number in 0..<stage.conditions.limits.suspensions {
      try stage.apply(.suspend(SuspensionReason("\(number)")), by: ann)
    }
    #expect(throws: PlaybackRejection.tooManySuspensions(limit: 8)) {
      try stage.apply(.suspend(.stallRecovery), by: ann)
    }
  }
}
