import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary

/// What the activity says of its media, and how long items are remembered that it is not about.
@Suite struct MediaFactsTests {
  @Test func `what is on has its own title, or the activity's`() {
    var activity = GroupActivity(
      type: "watch", payload: JSONText(validated: "null"),
      metadata: GroupActivityMetadata(title: "Film night"), media: MediaItem(url: "a.mkv"))
    #expect(activity.currentTitle == "Film night")
    activity.media = MediaItem(title: "Sintel", url: "a.mkv")
    #expect(activity.currentTitle == "Sintel")
    activity.media = nil
    #expect(activity.currentTitle == "Film night")
  }

  private let breaks: Interstitials

  init() throws {
    let range = InterstitialRange(start: .seconds(20), end: .seconds(30))
    breaks = try #require(Interstitials([range]))
  }

  /// A session about a film of a minute with a break.
  private func watching() throws -> Scene {
    var beginning = Scene.beginning()
    beginning.activity.media?.duration = .seconds(60)
    beginning.activity.media?.interstitials = breaks
    return try Scene.watching(["ann", "bob"], beginning)
  }

  @Test func `the activity's length and breaks count, whatever players say`() throws {
    var scene = try watching()
    try scene.run(.playback(.transition(to: "a", duration: .seconds(9)), by: "bob"))
    try scene.run(.playback(.transition(to: "a", duration: .seconds(9)), by: "ann"))
    let seq = try #require(scene.session.playback.timelines["a"]).seq
    try scene.run(.playback(.ready("a", seq: seq, duration: .seconds(9)), by: "ann"))
    let timeline = try #require(scene.session.playback.timelines["a"])
    #expect(timeline.duration == .seconds(60))
    #expect(timeline.interstitials == breaks)
    try scene.run(.playback(.seek("a", to: .seconds(25)), by: "ann"))
    #expect(scene.session.playback.timelines["a"]?.phase == .paused(at: .seconds(20)))
  }

  @Test func `an activity that corrects its media corrects the timeline`() throws {
    var scene = try watching()
    try scene.run(.playback(.transition(to: "a"), by: "bob"))
    var activity = scene.session.activity
    activity.media?.duration = .seconds(90)
    let events = try scene.run(.setActivity(activity, ifRevision: nil, by: "ann"))
    #expect(events.last == .playback(.durationLearned("a", .seconds(90))))
  }

  @Test func `media that was corrected comes back corrected when it is played again`() throws {
    var scene = try watching()
    try scene.run(.playback(.transition(to: "a"), by: "bob"))
    var activity = scene.session.activity
    activity.media?.duration = .seconds(90)
    try scene.run(.setActivity(activity, ifRevision: nil, by: "ann"))
    #expect(scene.session.queue.entries.count == 1)
    try scene.run(.queue(.select("e1"), by: "ann"))
    #expect(scene.session.activity.media?.duration == .seconds(90))
    #expect(scene.session.playback.timelines["a"]?.duration == .seconds(90))
  }

  @Test func `what comes from the queue is as long as its entry says`() throws {
    var scene = try watching()
    try scene.run(.playback(.transition(to: "a"), by: "bob"))
    var next = Scene.media("b")
    next.duration = .seconds(40)
    next.interstitials = breaks
    try scene.run(.queue(.insert([next], at: .next), by: "ann"))
    try scene.run(.queue(.next(), by: "ann"))
    #expect(scene.session.playback.timelines["b"]?.duration == .seconds(40))
    #expect(scene.session.playback.timelines["b"]?.interstitials == breaks)
  }

  @Test func `an item nobody has current is forgotten after ten minutes, by a deadline`() throws {
    var scene = try watching()
    try scene.run(.playback(.transition(to: "x"), by: "bob"))
    try scene.run(.playback(.transition(to: "a"), by: "bob"))
    let due = scene.now + .seconds(600)
    #expect(scene.session.nextDeadline == due)
    #expect(try scene.advance(.seconds(599)) == [])
    #expect(try scene.advance(.seconds(1)) == [.playback(.timelineDropped("x"))])
    #expect(scene.session.nextDeadline == nil)
  }

  @Test func `the activity's own item stays, until the activity goes on`() throws {
    var scene = try watching()
    try scene.run(.playback(.transition(to: "a"), by: "bob"))
    try scene.run(.playback(.transition(to: nil), by: "bob"))
    #expect(scene.session.nextDeadline == nil)
    #expect(try scene.advance(.seconds(1000)) == [])
    try scene.run(.setActivity(Scene.movie("b"), ifRevision: nil, by: "ann"))
    #expect(try scene.advance(.zero) == [.playback(.timelineDropped("a"))])
  }

  @Test func `the activity's own item makes no room for another`() throws {
    var scene = try watching()
    scene.limits.timelines = 3
    for item in ["a", "x", "y", "z"] as [ItemID] {
      try scene.run(.playback(.transition(to: item), by: "bob"))
    }
    #expect(scene.session.playback.timelines.keys.sorted() == ["a", "y", "z"])
  }

  @Test func `where each person has one device the next one takes the first one's place`() throws {
    var beginning = Scene.beginning()
    beginning.oneDevicePerUser = true
    var scene = try Scene.watching(["ann", "bob"], beginning)
    let events = try scene.join("ann", device: "ann-tv")
    #expect(events.last == .left("ann", .handedOff(to: "ann2")))
    #expect(scene.session.participants.keys.elementsEqual(["ann2", "bob"]))
    #expect(scene.session.participants["ann2"]?.role == .host)
    scene.limits.participants = 2
    try scene.join("bob", device: "bob-tv")
    #expect(scene.session.participants.keys.elementsEqual(["ann2", "bob2"]))
  }
}
