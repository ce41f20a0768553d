import Playback
import Testing
import Vocabulary

/// Edge 23: content of unknown length, of which only a part can be gone to.
@Suite struct SeekWindowTests {
  /// The last hour of a broadcast that began two hours ago.
  private let hour: SeekWindow

  init() throws {
    hour = try #require(SeekWindow(start: .seconds(3600), end: .seconds(7200), slides: true))
  }

  private func opened(_ window: SeekWindow) throws -> PlaybackStage {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.apply(.transition(to: film, seekWindow: window), by: ann)
    try stage.open(film, ben)
    return stage
  }

  @Test func `a window is a stretch of an item`() {
    #expect(SeekWindow(start: .zero, end: .zero, slides: false) != nil)
    #expect(SeekWindow(start: .seconds(2), end: .seconds(1), slides: true) == nil)
    #expect(SeekWindow(start: .seconds(-1), end: .seconds(1), slides: true) == nil)
  }

  @Test func `who brings live content without an opinion brings it at its edge`() throws {
    let stage = try opened(hour)
    #expect(stage.describe() == "paused 7200")
  }

  @Test(arguments: [(0.0, 3600), (3599, 3600), (5000, 5000), (7201, 7200), (90_000, 7200)])
  func `a seek stays inside`(place: Double, landing: Int) throws {
    var stage = try opened(hour)
    try stage.apply(.seek(film, to: .seconds(5001)), by: ben)
    try stage.apply(.seek(film, to: .seconds(place)), by: ben)
    #expect(stage.describe() == "paused \(landing)")
  }

  @Test func `the window moves on by itself, its start only if it slides`() throws {
    let kept = try #require(SeekWindow(start: .seconds(3600), end: .seconds(7200), slides: false))
    for (window, start) in [(hour, 3660), (kept, 3600)] {
      var stage = try opened(window)
      stage.pass(.seconds(60))
      try stage.apply(.seek(film, to: .zero), by: ann)
      #expect(stage.describe() == "paused \(start)")
      try stage.apply(.seek(film, to: .seconds(90_000)), by: ann)
      #expect(stage.describe() == "paused 7260")
    }
  }

  @Test func `what was paused until it is gone plays from the earliest there is`() throws {
    var stage = try opened(hour)
    try stage.apply(.seek(film, to: .seconds(3600)), by: ann)
    stage.pass(.seconds(600))
    try stage.apply(.play(film, immediately: true), by: ann)
    #expect(stage.describe() == "starting 4200")
  }

  @Test(arguments: [true, false])
  func `a queue goes on to a broadcast at its edge`(isPlaying: Bool) throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    try stage.open(trailer, ann, ben)
    try stage.advance(from: trailer, to: film, isPlaying: isPlaying)
    try stage.apply(.transition(to: film, seekWindow: hour), by: ann)
    #expect(stage.describe() == (isPlaying ? "preparing 7200" : "paused 7200"))
    #expect(try stage.apply(.transition(to: film, seekWindow: hour), by: ben) == [])
  }

  @Test(arguments: [50, 1])
  func `who comes with the first window moves nobody who plays`(barrier: Int) throws {
    var stage = PlaybackStage(.keepGoing, ann, ben)
    stage.conditions = PlaybackConditions(limits: Self.limits(barrier))
    try stage.open(trailer, ann, ben)
    try stage.advance(from: trailer, to: film, isPlaying: true)
    try stage.apply(.transition(to: film), by: ann)
    if barrier > 1 { try stage.ready(ann) }
    let before = stage.describe()
    try stage.apply(.transition(to: film, seekWindow: hour), by: ben)
    #expect(stage.describe() == before)
    #expect(try stage.timeline().seekWindow != nil)
  }

  @Test func `what waited until it is gone starts from the earliest`() throws {
    var stage = try opened(hour)
    try stage.apply(.seek(film, to: .seconds(3600)), by: ann)
    try stage.apply(.play(film), by: ann)
    stage.pass(.seconds(5))
    try stage.ready(ann)
    try stage.ready(ben)
    #expect(stage.describe() == "starting 3605")
  }

  @Test func `it is told once, and again only where it came otherwise`() throws {
    var stage = try opened(hour)
    stage.pass(.seconds(60))
    let later = try #require(SeekWindow(start: .seconds(3664), end: .seconds(7264), slides: true))
    #expect(try stage.apply(.transition(to: film, seekWindow: later), by: ben) == [])
    let held = try #require(SeekWindow(start: .seconds(3600), end: .seconds(7200), slides: true))
    #expect(
      try stage.apply(.transition(to: film, seekWindow: held), by: ben)
        == [.seekWindowSet(film, held)])
    try stage.apply(.seek(film, to: .seconds(90_000)), by: ann)
    #expect(stage.describe() == "paused 7200")
  }

  @Test func `a length makes an end of it, and what has one has no window`() throws {
    var stage = try opened(hour)
    for id in [ann, ben] {
      try stage.apply(.transition(to: film, duration: .seconds(8000)), by: id)
    }
    try stage.apply(.seek(film, to: .zero), by: ben)
    #expect(stage.describe() == "paused 0")
    #expect(try stage.apply(.transition(to: film, seekWindow: hour), by: ann) == [])
    #expect(try stage.timeline().seekWindow == nil)
  }

  @Test func `one who has a length for it ends it for nobody, most of them do`() throws {
    var stage = try opened(hour)
    try stage.run(ann, ben, from: .seconds(7200))
    let short = Duration.seconds(5)
    let before = stage.describe()
    #expect(
      try stage.apply(.transition(to: film, duration: short), by: ben)
        == [.durationDoubted(film, short, by: ben)])
    #expect(
      try stage.apply(.ready(film, seq: stage.timeline().seq, duration: short), by: ben) == [])
    #expect(stage.describe() == before)
    #expect(try stage.timeline().seekWindow != nil)
    // The broadcast is over, and its length known.
    let length = Duration.seconds(7200)
    for id in [ann, ben] { try stage.apply(.transition(to: film, duration: length), by: id) }
    #expect(stage.describe() == "ended 7200")
  }

  @Test func `a large audience keeps the first`() throws {
    var stage = try opened(hour)
    stage.conditions = PlaybackConditions(limits: Self.limits(1))
    #expect(try stage.apply(.transition(to: film, duration: .seconds(5)), by: ben) == [])
    stage.conditions = PlaybackConditions(limits: Self.limits(1))
    let other = try #require(SeekWindow(start: .zero, end: .seconds(100), slides: false))
    #expect(try stage.apply(.transition(to: film, seekWindow: other), by: ben) == [])
  }

  private static func limits(_ barrierParticipants: Int) -> Limits {
    var limits = Limits()
    limits.barrierParticipants = barrierParticipants
    return limits
  }
}
