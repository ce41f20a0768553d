import Playback
import Testing
import Vocabulary

/// Advertisements stitched into an item.
@Suite struct InterstitialsTests {
  private static func range(_ start: Double, _ end: Double) -> InterstitialRange {
    InterstitialRange(start: .seconds(start), end: .seconds(end))
  }

  /// Breaks at 20…30 and 50…60 seconds.
  private let breaks: Interstitials

  init() throws {
    breaks = try #require(Interstitials([Self.range(20, 30), Self.range(50, 60)]))
  }

  /// Everyone opens the film with its breaks, and it runs from a place.
  private func run(
    _ stage: inout PlaybackStage, _ ids: ParticipantID..., from place: Double
  ) throws {
    let timing = ProposedTiming(mediaTime: .seconds(place))
    for id in ids {
      try stage.apply(
        .transition(to: film, proposing: timing, interstitials: breaks), by: id)
    }
    try stage.apply(.play(film), by: try #require(ids.first))
    for id in ids { try stage.ready(id) }
    stage.pass(stage.conditions.lead)
  }

  @Test func `ranges stand in order, apart, and each is a stretch`() {
    let range = Self.range
    #expect(Interstitials([]) == Interstitials())
    #expect(Interstitials([range(0, 1), range(1, 2)]) != nil)
    #expect(Interstitials([range(5, 6), range(1, 2)]) == nil)
    #expect(Interstitials([range(1, 3), range(2, 4)]) == nil)
    #expect(Interstitials([range(2, 2)]) == nil)
    #expect(Interstitials([range(3, 2)]) == nil)
    #expect(Interstitials([range(-1, 2)]) == nil)
  }

  @Test func `ranges fit in an item that is long enough, and in one of unknown length`() {
    #expect(breaks.fit(in: .seconds(60)))
    #expect(!breaks.fit(in: .seconds(59)))
    #expect(breaks.fit(in: nil))
    #expect(Interstitials().fit(in: .zero))
  }

  @Test(arguments: [(19.9, 19), (20, 20), (25, 20), (29.999, 20), (30, 30), (55, 50), (70, 70)])
  func `a seek into a range goes to its start`(place: Double, landing: Int) throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.apply(.transition(to: film, interstitials: breaks), by: ann)
    try stage.open(film, ben)
    try stage.apply(.seek(film, to: .seconds(place)), by: ben)
    #expect(stage.describe() == "paused \(landing)")
    try stage.apply(.play(film, immediately: true), by: ben)
    try stage.apply(.seek(film, to: .seconds(place), immediately: true), by: ann)
    #expect(stage.describe() == "starting \(landing)")
  }

  @Test func `who scrubs into a range takes everyone to its start`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.apply(.transition(to: film, interstitials: breaks), by: ann)
    try stage.open(film, ben)
    let number = try stage.suspend(ben, .userIsChangingCurrentTime)
    try stage.apply(.endSuspension(number, proposing: .seconds(59)), by: ben)
    #expect(stage.describe() == "paused 50")
  }

  @Test func `who brings the item paused inside a range brings it to its start`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.apply(
      .transition(to: film, proposing: .init(mediaTime: .seconds(55)), interstitials: breaks),
      by: ann)
    #expect(stage.describe() == "paused 50")
  }

  @Test func `the first to know the ranges is believed, even one who comes later`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.open(film, ann)
    #expect(try stage.timeline().interstitials.isEmpty)
    let told = try stage.apply(.transition(to: film, interstitials: breaks), by: ben)
    #expect(told.last == .interstitialsDeclared(film, breaks))
    let other = try #require(Interstitials([Self.range(1, 2)]))
    #expect(try stage.apply(.transition(to: film, interstitials: other), by: ann) == [])
    #expect(try stage.timeline().interstitials == breaks)
  }

  @Test func `what the activity says replaces what players said`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.apply(.transition(to: film, duration: .seconds(10)), by: ann)
    let events = stage.playback.declare(
      film, duration: .seconds(90), interstitials: breaks, at: stage.now, after: stage.seq,
      under: stage.conditions)
    #expect(
      events == [.durationLearned(film, .seconds(90)), .interstitialsDeclared(film, breaks)])
    let unknown = stage.playback.declare(
      trailer, duration: .seconds(90), interstitials: breaks, at: stage.now, after: stage.seq,
      under: stage.conditions)
    #expect(unknown == [])
  }

  @Test func `time runs on while everyone sits through the item's own advertisement`() throws {
    var stage = PlaybackStage(WaitingPolicy(reasons: [.playingInterstitial]), ann, ben)
    try run(&stage, ann, ben, from: 15)
    stage.pass(.milliseconds(4_800))
    let first = try stage.suspend(ann, .playingInterstitial)
    stage.pass(.milliseconds(400))
    let second = try stage.suspend(ben, .playingInterstitial)
    #expect(stage.describe() == "playing 20")
    stage.pass(.seconds(10))
    #expect(stage.describe() == "playing 30")
    try stage.apply(.endSuspension(first), by: ann)
    try stage.apply(.endSuspension(second), by: ben)
    #expect(stage.describe() == "playing 30")
    stage.pass(.seconds(5))
    #expect(stage.describe() == "playing 35")
  }

  @Test func `who never comes out of the advertisement does not keep time running`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try run(&stage, ann, from: 19)
    stage.pass(.seconds(2))
    let number = try stage.suspend(ann, .playingInterstitial)
    stage.pass(.seconds(100))
    #expect(stage.describe() == "frozen 31")
    try stage.apply(.endSuspension(number), by: ann)
    try stage.ready(ann)
    #expect(stage.describe() == "starting 31")
  }

  @Test func `a restart of the server does not stop an item in its own advertisement`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try run(&stage, ann, ben, from: 19)
    stage.pass(.seconds(2))
    for id in [ann, ben] { try stage.apply(.suspend(.playingInterstitial), by: id) }
    stage.interrupt()
    #expect(stage.settle() == [])
    #expect(stage.describe() == "playing 21")
    stage.pass(.seconds(100))
    #expect(stage.describe() == "frozen 31")
  }

  @Test func `ranges beyond the end of an item of known length are not believed`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.open(film, ann, duration: .seconds(59))
    let told = try stage.apply(.transition(to: film, interstitials: breaks), by: ben)
    #expect(told == [.itemSelected(film, by: ben)])
  }

  @Test func `a large audience sits through an advertisement without an event for each`() throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try run(&stage, ann, ben, from: 18)
    stage.pass(.seconds(3))
    stage.conditions.limits.barrierParticipants = 1
    #expect(try stage.apply(.suspend(.playingInterstitial), by: ann) == [])
    #expect(try stage.apply(.suspend(.audioSessionInterrupted), by: ann).count == 1)
    stage.pass(.seconds(20))
    #expect(try stage.apply(.suspend(.playingInterstitial), by: ben).count > 0)
  }

  @Test func `another reason inside a range stops time as ever`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try run(&stage, ann, from: 18)
    stage.pass(.seconds(4))
    try stage.apply(.suspend(.playingInterstitial), by: ann)
    #expect(stage.describe() == "playing 22")
    try stage.apply(.suspend(.audioSessionInterrupted), by: ann)
    #expect(stage.describe() == "frozen 22")
  }

  @Test func `an advertisement outside any range is waited for as the policy says`() throws {
    var stage = PlaybackStage(WaitingPolicy(reasons: [.playingInterstitial]), ann, ben)
    try run(&stage, ann, ben, from: 35)
    try stage.apply(.suspend(.playingInterstitial), by: ben)
    #expect(stage.describe() == "preparing 35")
  }

  @Test func `ranges outlive changes of the timeline and go with it`() throws {
    var stage = PlaybackStage(.keepGoing, ann)
    try stage.apply(.transition(to: film, interstitials: breaks), by: ann)
    try stage.run(ann)
    try stage.apply(.pause(film), by: ann)
    #expect(try stage.timeline().interstitials == breaks)
  }
}
