import GroupSessions
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
}
