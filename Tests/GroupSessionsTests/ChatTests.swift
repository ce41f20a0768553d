import GroupSessions
import Naming
import Testing
import Vocabulary

/// What a session keeps of its chat for those who come later.
@Suite struct ChatTests {
  private func say(_ text: String) -> JSONText { JSONText(validated: #"{"chat":"\#(text)"}"#) }

  private func said(_ scene: Scene) -> [String] { scene.session.chat.lines.map(\.payload.text) }

  @Test func `lines for everyone are kept, with the name of who has left since`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.send(say("hello"), to: .all, by: "bob"))
    try scene.run(.send(say("psst"), to: .only(["ann"]), by: "bob"))
    try scene.run(.send(JSONText(validated: #"{"score":1}"#), to: .all, by: "ann"))
    let seq = scene.session.seq - 2
    try scene.run(.leave("bob"))
    let line = try #require(scene.session.chat.lines.first)
    #expect(scene.session.chat.lines.count == 1)
    #expect(line.payload == say("hello") && line.by == "bob" && line.name == "bob")
    #expect(line.seq == seq && line.at == scene.now)
  }

  @Test func `the last fifty lines are kept`() throws {
    var scene = try Scene.watching(["ann"])
    for number in 1...60 { try scene.run(.send(say("\(number)"), to: .all, by: "ann")) }
    #expect(said(scene) == (11...60).map { say("\($0)").text })
  }

  @Test func `long lines push others out, and one beyond all bounds is not kept`() throws {
    var scene = try Scene.watching(["ann"])
    let long = say(String(repeating: "x", count: 20_000))
    for text in [say("first"), long, long, say("second")] {
      try scene.run(.send(text, to: .all, by: "ann"))
    }
    #expect(said(scene) == [say("first"), long, long, say("second")].map(\.text))
    try scene.run(.send(long, to: .all, by: "ann"))
    #expect(said(scene) == [long, say("second"), long].map(\.text))
    let bytes = scene.session.size.total
    try scene.run(.send(say(String(repeating: "x", count: 60_000)), to: .all, by: "ann"))
    #expect(said(scene).isEmpty && scene.session.size.total < bytes - 40_000)
  }

  @Test func `an ended session forgets it`() throws {
    var scene = try Scene.watching(["ann"])
    try scene.run(.send(say("hello"), to: .all, by: "ann"))
    try scene.run(.end(by: "ann"))
    #expect(said(scene).isEmpty)
  }
}
