import GroupSessions
import Naming
import Testing
import Vocabulary

/// Whether people said that they are ready to watch.
@Suite struct ReadinessTests {
  @Test func `nobody has said anything at first, and everybody sees what is said`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    #expect(scene.session.participants.values.allSatisfy { $0.isReadyToStart == nil })
    #expect(
      try scene.run(.setReadyToStart(true, by: "bob"))
        == [.readinessSet("bob", true, by: "bob")])
    #expect(scene.session.participants["bob"]?.isReadyToStart == true)
    #expect(scene.session.participants["ann"]?.isReadyToStart == nil)
    try scene.run(.setReadyToStart(false, by: "bob"))
    #expect(scene.session.participants["bob"]?.isReadyToStart == false)
  }

  @Test(arguments: [true, false])
  func `what was said before is said once`(isReady: Bool) throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.setReadyToStart(isReady, by: "bob"))
    #expect(try scene.run(.setReadyToStart(isReady, by: "bob")).isEmpty)
    #expect(try scene.run(.setReadyToStart(isReady, of: "bob", by: "ann")).isEmpty)
  }

  @Test func `others say it for somebody who takes part`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    #expect(
      try scene.run(.setReadyToStart(true, of: "ann", by: "bob"))
        == [.readinessSet("ann", true, by: "bob")])
    #expect(
      scene.rejection(.setReadyToStart(true, of: "nobody", by: "ann")) == .unknownParticipant)
  }

  @Test func `who is lost and comes back has said it, who joins anew has not`() throws {
    var scene = try Scene.watching(["ann", "bob"])
    try scene.run(.setReadyToStart(true, by: "bob"))
    try scene.run(.lose("bob"))
    try scene.run(.resume("bob"))
    #expect(scene.session.participants["bob"]?.isReadyToStart == true)
    try scene.run(.leave("bob"))
    try scene.join("bob")
    #expect(scene.session.participants["bob"]?.isReadyToStart == nil)
  }
}
