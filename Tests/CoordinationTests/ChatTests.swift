import Coordination
import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire

/// Who gets what was said before.
@Suite struct ChatTests {
  private func snapshot(_ stage: Stage, _ device: DeviceID) -> GroupSession? {
    for case .snapshot(let snapshot) in stage.inbox(device).reversed() { return snapshot.session }
    return nil
  }

  @Test func `whoever joins later gets the chat, and a status has none of it`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.gather(["cat"])
    try stage.ask("bob", .send(nil, ChatLine.payload("hello"), to: .all))
    try stage.ask("bob", .leave(nil))
    try stage.join("cat", id)
    let chat = try #require(snapshot(stage, "cat")).chat
    #expect(chat.lines.map(\.payload) == [ChatLine.payload("hello")])
    #expect(chat.lines.map(\.name) == ["bob"])
    #expect(chat == stage.session(id)?.chat)

    _ = stage.post(.status(), from: "cat")
    let sessions = stage.inbox("cat").flatMap { message in
      if case .status(_, let report) = message { report.sessions } else { [] as [GroupSession] }
    }
    #expect(sessions.map(\.id) == [id] && sessions.allSatisfy(\.chat.lines.isEmpty))
  }

  @Test func `the chat is there after a crash`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    try stage.ask("bob", .send(nil, ChatLine.payload("hello"), to: .all))
    stage.crash()
    #expect(stage.session(id)?.chat.lines.map(\.payload) == [ChatLine.payload("hello")])
  }
}
