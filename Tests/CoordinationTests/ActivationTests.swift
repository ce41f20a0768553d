import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

@Suite struct ActivationTests {
  @Test func `a new session is offered to the initiator first and then to the others`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    stage.forget()
    let id = try stage.activate("ann")
    #expect(stage.offers("ann").map(\.session) == [id])
    #expect(stage.offers("bob").map(\.session) == [id])
    #expect(stage.session(id)?.state == .open)
  }

  @Test func `the same activity again is the same session`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann")
    stage.forget()
    let answer = try stage.ask("bob", .activate(Activation(Stage.movie())))
    #expect(answer == .activated(id, isNew: false, willDeliver: true))
    #expect(stage.offers("bob").map(\.session) == [id])
    #expect(stage.coordinator.groups.rooms.sessions.count == 1)
  }

  @Test func `something else is refused, or replaces what goes on`() throws {
    var (stage, old) = try Stage.watching(["ann", "bob"])
    let refusal = try stage.refusal("bob", .activate(Activation(Stage.movie("other"))))
    #expect(refusal.code == .activityInProgress)
    #expect(refusal.session == old)
    stage.forget()
    let new = try stage.activate("bob", Activation(Stage.movie("other"), ifBusy: .replace))
    #expect(stage.events("ann") == [.ended(.replaced(by: new))])
    let messages = stage.inbox("ann")
    let end = messages.firstIndex { if case .event = $0 { true } else { false } }
    let offer = messages.firstIndex { if case .offer = $0 { true } else { false } }
    #expect(try #require(end) < #require(offer))
    #expect(stage.session(old) == nil)
    try stage.join("ann", new)
    stage.checkMirrors()
  }

  @Test func `who is not eligible may not start anything`() throws {
    var stage = Stage()
    stage.connect(as: "ann")
    let request = Request.activate(Activation(Stage.movie()))
    #expect(try stage.refusal("ann", request).reason == "notInGroup")
    try stage.ask("ann", .joinGroup("g"))
    #expect(try stage.refusal("ann", request).reason == "alone")
    try stage.gather(["bob"])
    try stage.ask("ann", .setSharing(false))
    #expect(try stage.refusal("ann", request).reason == "sharingDisabled")
    stage.connect(as: "old", features: [])
    try stage.ask("old", .joinGroup("g"))
    #expect(try stage.refusal("old", request).reason == "clientTooOld")
  }

  @Test(arguments: [
    "activity.type", "activity.metadata.title", "activity.media.url", "activity.payload",
    "activity.metadata.fallbackURL", "activity.metadata.previewImageURL",
  ])
  func `an activity that cannot be shared names its field`(_ field: String) throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    var activity = Stage.movie()
    switch field {
    case "activity.type": activity.type = ""
    case "activity.metadata.title": activity.metadata.title = ""
    case "activity.media.url": activity.media?.url = ""
    case "activity.metadata.fallbackURL": activity.metadata.fallbackURL = "file:///etc"
    case "activity.metadata.previewImageURL": activity.metadata.previewImageURL = "javascript:1"
    default:
      let text = String(repeating: "x", count: Limits().activityBytes)
      activity.payload = JSONText(validated: "\"\(text)\"")
    }
    let refusal = try stage.refusal("ann", .activate(Activation(activity)))
    #expect(refusal.code == .invalidActivity)
    #expect(refusal.field == field)
    #expect(stage.coordinator.groups.rooms.sessions.isEmpty)
  }

  @Test func `two activations of one thing merge while the first is still being kept`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    stage.forget()
    stage.isHeld = true
    let first = stage.post(.activate(Activation(Stage.movie())), from: "ann")
    let second = stage.post(.activate(Activation(Stage.movie())), from: "bob")
    stage.release()
    let ann = try #require(stage["ann"].answers[first]?.first).get()
    let bob = try #require(stage["bob"].answers[second]?.first).get()
    guard case .activated(let id, true, true) = ann else { throw ProtocolError(.busy) }
    #expect(bob == .activated(id, isNew: false, willDeliver: true))
    #expect(stage.coordinator.groups.rooms.sessions.count == 1)
  }

  @Test func `a staged activity waits for a member to activate it`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    stage.forget()
    guard
      case .activated(let id, true, _) = try stage.ask("ann", .stage(Activation(Stage.movie())))
    else { throw ProtocolError(.busy) }
    #expect(stage.offers("bob").map(\.isStaged) == [true])
    #expect(try stage.refusal("bob", .join(id, handoffFrom: nil)).code == .notActivated)
    #expect(try stage.refusal("bob", .withdraw(id)).code == .forbidden)
    stage.advance(.seconds(500))
    try stage.ask("bob", .activateStaged(id))
    #expect(stage.session(id)?.initiator.device == "bob")
    #expect(stage.offers("ann").map(\.isStaged) == [true, false])
    try stage.join("ann", id)
    stage.checkMirrors()
  }

  @Test func `a staged activity that was activated and never joined ends`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    _ = try stage.ask("ann", .stage(Activation(Stage.movie())))
    guard
      case .activated(let id, false, _) = try stage.ask("bob", .activate(Activation(Stage.movie())))
    else { throw ProtocolError(.busy) }
    stage.advance(Limits().offerDeadline)
    #expect(stage.session(id) == nil)
    #expect(stage.inbox("ann").contains(.offerWithdrawn(id, .ended(.neverJoined))))
  }

  @Test(arguments: [true, false])
  func `a staged activity ends whose activator went while that waited for the journal`(
    isLost: Bool
  ) throws {
    var stage = Stage()
    try stage.gather(["ann", "bob", "cat"])
    guard case .activated(let id, _, _) = try stage.ask("ann", .stage(Activation(Stage.movie())))
    else { throw ProtocolError(.busy) }
    stage.isHeld = true
    // The activation is decided once this is kept, and so behind the departure.
    stage.post(.decline(id), from: "cat")
    stage.post(.activateStaged(id), from: "bob")
    if isLost { stage.disconnect("bob") } else { stage.post(.leaveGroup, from: "bob") }
    stage.isHeld = false
    stage.release()
    #expect(stage.session(id) == nil)
    #expect(stage.inbox("ann").contains(.offerWithdrawn(id, .ended(.neverJoined))))
    stage.checkMirrors()
  }

  @Test func `who asks for a session again does not end it while its initiator is away`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann")
    stage.crash()
    stage.resume("bob")
    try stage.ask("bob", .activate(Activation(Stage.movie())))
    #expect(stage.session(id) != nil)
    #expect(!stage.inbox("bob").contains(.offerWithdrawn(id, .ended(.neverJoined))))
    stage.checkMirrors()
  }

  @Test func `a staged activity can be taken back`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    guard case .activated(let id, _, _) = try stage.ask("ann", .stage(Activation(Stage.movie())))
    else { throw ProtocolError(.busy) }
    try stage.ask("ann", .withdraw(id))
    #expect(stage.inbox("bob").contains(.offerWithdrawn(id, .ended(.withdrawn))))
    let refusal = try stage.refusal("bob", .activateStaged(id))
    #expect(refusal.code == .sessionEnded)
    #expect(refusal.reason == "withdrawn")
  }

  @Test func `a session nobody joins ends, and so does one whose initiator goes away`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    let first = try stage.activate("ann")
    stage.advance(Limits().offerDeadline)
    #expect(stage.inbox("bob").contains(.offerWithdrawn(first, .ended(.neverJoined))))
    let second = try stage.activate("ann")
    stage.disconnect("ann")
    #expect(stage.session(second) == nil)
    #expect(stage.inbox("bob").contains(.offerWithdrawn(second, .ended(.neverJoined))))
  }

  @Test func `one who declined is offered it again only on asking`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    try stage.ask("bob", .decline(id))
    #expect(stage.inbox("bob").contains(.offerWithdrawn(id, .declined)))
    stage.forget()
    try stage.ask("ann", .setActivity(nil, Stage.movie("next"), ifRevision: nil))
    #expect(stage.offers("bob").isEmpty)
    _ = try stage.ask("bob", .activate(Activation(Stage.movie("next"))))
    #expect(stage.offers("bob").map(\.session) == [id])
    stage.checkMirrors()
  }
}
