import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// A session that is as large as it may be.
@Suite struct SessionBoundTests {
  private static func media(_ number: Int) -> MediaItem {
    let url = "https://example.org/\(number)/" + String(repeating: "u", count: 2_000)
    let title = String(repeating: "t", count: 250)
    return MediaItem(item: ItemID("\(number)"), title: title, url: url)
  }

  /// Ann inserts until she is refused.
  private static func full() throws -> (stage: Stage, session: SessionID, refusal: ProtocolError) {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    for round in 0..<25 {
      let media = (0..<20).map { Self.media(round * 20 + $0) }
      let request = stage.post(.queue(nil, .insert(media, at: .end)), from: "ann")
      if case .failure(let error)? = stage["ann"].answers[request]?.first {
        return (stage, id, error)
      }
    }
    throw ProtocolError(.busy)
  }

  @Test func `the one who fills it is told what to remove`() throws {
    let (_, _, refusal) = try Self.full()
    #expect(refusal.code == .sessionFull)
    #expect(refusal.field == "queue")
    #expect(refusal.limit == Limits().sessionBytes)
    #expect(refusal.message.contains("remove entries"))
  }

  @Test func `whoever joins gets it in less than may wait for a peer`() throws {
    var (stage, id, _) = try Self.full()
    stage.connect(as: "cat")
    try stage.ask("cat", .joinGroup("g"))
    try stage.join("cat", id)
    #expect(stage["cat"].closedWith == nil)
    #expect(stage["cat"].mirror == stage.session(id))
    let bytes = stage.inbox("cat").reduce(0) { $0 + encode($1).count }
    #expect(bytes > Limits().sessionBytes * 9 / 10)
    #expect(bytes < Limits().outboundBytes)
  }

  @Test func `removing an entry makes room for another`() throws {
    var (stage, id, _) = try Self.full()
    let last = try #require(stage.session(id)?.queue.entries.last)
    try stage.ask("ann", .queue(nil, .remove(last.id)))
    try stage.ask("bob", .queue(nil, .insert([last.media], at: .end)))
  }
}
