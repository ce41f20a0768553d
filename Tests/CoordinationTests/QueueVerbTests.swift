import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary
import Wire

@testable import Coordination

@Suite struct QueueVerbTests {
  @Test func `a shuffle's seed is the server's`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let media = ["b", "c", "d", "e", "f", "h"].map(Stage.media)
    try stage.ask("ann", .queue(nil, .insert(media, at: .end)))
    try stage.ask("ann", .queue(nil, .shuffle(seed: 0)))
    let once = stage.session(id)?.queue.entries
    #expect(stage.session(id)?.queue.unshuffledOrder?.count == 7)
    try stage.ask("ann", .queue(nil, .unshuffle))
    try stage.ask("ann", .queue(nil, .shuffle(seed: 0)))
    #expect(stage.session(id)?.queue.entries != once)
    stage.checkMirrors()
  }

  /// One check, for the activity's media and for the queue's.
  @Test(arguments: ["url", "item", "title", "duration", "interstitials"])
  func `media that cannot be played is refused with its field, wherever it comes in`(
    _ field: String
  ) throws {
    var (stage, _) = try Stage.watching(["ann", "bob"])
    var media = Stage.media("b")
    switch field {
    case "url": media.url = ""
    case "item": media.item = ItemID(String(repeating: "i", count: Limits().itemBytes + 1))
    case "title": media.title = String(repeating: "t", count: Limits().titleBytes + 1)
    case "duration": media.duration = .zero
    default:
      let late = InterstitialRange(start: .seconds(50), end: .seconds(61))
      media.interstitials = try #require(Interstitials([late]))
      media.duration = .seconds(60)
    }
    let insertion = Request.queue(nil, .insert([Stage.media("a"), media], at: .end))
    let refusal = try stage.refusal("ann", insertion)
    #expect(refusal.code == .invalidField)
    #expect(refusal.field == "media[1].\(field)")
    var activity = Stage.movie("b")
    activity.media = media
    let change = Request.setActivity(nil, activity, ifRevision: nil)
    #expect(try stage.refusal("ann", change).field == "activity.media.\(field)")
  }

  @Test func `a player's advertisements lie within the length it tells`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let late = InterstitialRange(start: .seconds(50), end: .seconds(61))
    let breaks = try #require(Interstitials([late]))
    let refusal = try stage.refusal(
      "ann",
      .playback(nil, .transition(to: "film", duration: .seconds(60), interstitials: breaks)))
    #expect(refusal.code == .invalidField)
    #expect(refusal.field == "interstitials")
    try stage.ask(
      "ann",
      .playback(nil, .transition(to: "film", duration: .seconds(61), interstitials: breaks)))
    #expect(stage.timeline(id)?.interstitials == breaks)
  }
}
