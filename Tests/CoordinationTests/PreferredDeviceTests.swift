import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// A person names the device that plays what is started from another.
@Suite struct PreferredDeviceTests {
  /// Ann with a phone and a television, which she prefers, and Bob.
  private func living() throws -> Stage {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    stage.connect(as: "tv", user: "ann")
    try stage.ask("tv", .joinGroup("g"))
    try stage.ask("ann", .setPreferredDevice("tv"))
    stage.forget()
    return stage
  }

  private func activated(_ answer: Answer) throws -> (SessionID, willDeliver: Bool) {
    guard case .activated(let id, _, let willDeliver) = answer else { throw ProtocolError(.busy) }
    return (id, willDeliver)
  }

  @Test func `what is started elsewhere goes to the preferred device and not to the caller`() throws
  {
    var stage = try living()
    let request = Request.activate(Activation(Stage.movie()))
    let (id, willDeliver) = try activated(try stage.ask("ann", request))
    #expect(!willDeliver)
    #expect(stage.offers("ann").isEmpty)
    #expect(stage.offers("tv").map(\.session) == [id])
    #expect(stage.offers("bob").map(\.session) == [id])
    #expect(stage.session(id)?.initiator.device == "tv")
    // The caller going away does not end what the other device is about to join.
    stage.disconnect("ann")
    try stage.join("tv", id)
    #expect(stage.session(id)?.participants.values.first?.role == .host)
    stage.checkMirrors()
  }

  @Test func `asking again sends the offer to the preferred device again`() throws {
    var stage = try living()
    let request = Request.activate(Activation(Stage.movie()))
    _ = try stage.ask("bob", request)
    #expect(stage.offers("ann").isEmpty)
    stage.forget()
    let (_, willDeliver) = try activated(try stage.ask("ann", request))
    #expect(!willDeliver)
    #expect(stage.offers("ann").isEmpty)
    #expect(stage.offers("tv").count == 1)
  }

  @Test func `what the preferred device starts comes to it`() throws {
    var stage = try living()
    let request = Request.activate(Activation(Stage.movie()))
    let (id, willDeliver) = try activated(try stage.ask("tv", request))
    #expect(willDeliver)
    #expect(stage.offers("tv").map(\.session) == [id])
    #expect(stage.offers("ann").isEmpty)
  }

  @Test func `the others may join all the same`() throws {
    var stage = try living()
    let id = try stage.activate("ann")
    try stage.join("ann", id)
    #expect(stage.session(id)?.participants.count == 1)
  }

  @Test(arguments: ["lost", "left", "sharing", "none"])
  func `where the preferred device cannot play the others get the offer`(_ why: String) throws {
    var stage = try living()
    let id = try stage.activate("bob")
    #expect(stage.offers("ann").isEmpty)
    switch why {
    case "lost": stage.disconnect("tv")
    case "left": try stage.ask("tv", .leaveGroup)
    case "sharing": try stage.ask("tv", .setSharing(false))
    default: try stage.ask("ann", .setPreferredDevice(nil))
    }
    #expect(stage.offers("ann").map(\.session) == [id])
    let (_, willDeliver) = try activated(
      try stage.ask("ann", .activate(Activation(Stage.movie()))))
    #expect(willDeliver)
  }

  @Test func `who names a device while a session is live sends it the offer`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    stage.connect(as: "tv", user: "ann")
    let id = try stage.activate("bob")
    try stage.ask("tv", .joinGroup("g"))
    try stage.ask("tv", .decline(id))
    stage.forget()
    try stage.ask("ann", .setPreferredDevice("tv"))
    #expect(stage.offers("tv").isEmpty)  // It declined this one.
    let next = try stage.activate("bob", Activation(Stage.movie("other"), ifBusy: .replace))
    #expect(stage.offers("tv").map(\.session) == [next])
  }

  @Test func `who may not share may not start anything elsewhere either`() throws {
    var stage = try living()
    try stage.ask("ann", .setSharing(false))
    let refusal = try stage.refusal("ann", .activate(Activation(Stage.movie())))
    #expect(refusal.reason == "sharingDisabled")
  }

  @Test func `another person's device is refused`() throws {
    var stage = try living()
    #expect(try stage.refusal("ann", .setPreferredDevice("bob")).code == .notYourDevice)
  }
}
