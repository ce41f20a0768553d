import GroupSessions
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// What becomes of a person's offers when they answer an invitation.
@Suite struct InvitationOfferTests {
  /// Ann is in a session; Bob has two devices in the group, and is invited.
  private func scene() throws -> (stage: Stage, session: SessionID) {
    var stage = Stage()
    try stage.gather(["ann", "bob"])
    stage.connect(as: "tv", user: "bob")
    try stage.ask("tv", .joinGroup("g"))
    let id = try stage.activate("ann")
    _ = try stage.join("ann", id)
    run(.invite(["bob", "cat"], by: nil), &stage, id)
    return (stage, id)
  }

  private func run(_ command: SessionCommand, _ stage: inout Stage, _ id: SessionID) {
    stage.coordinator.groups.perform(SessionWork(command: .command(command)), on: id)
    stage.handle(.clockAdvanced)
  }

  @Test func `who declined is offered nothing more on any device, but for asking`() throws {
    var (stage, id) = try scene()
    run(.answerInvitation(.decline("bob", on: "tv")), &stage, id)
    for device in ["bob", "tv"] as [DeviceID] {
      #expect(stage.inbox(device).contains(.offerWithdrawn(id, .declined)))
    }
    stage.connect(as: "bob2", user: "bob")
    try stage.ask("bob2", .joinGroup("g"))
    #expect(stage.offers("bob2").isEmpty)
    _ = try stage.join("bob2", id)
    #expect(stage.session(id)?.participants.count == 2)
    stage.checkMirrors()
  }

  @Test func `who accepted elsewhere is awaited by the offer, until a device has come`() throws {
    var (stage, id) = try scene()
    run(.answerInvitation(.acceptForLater("cat", on: nil)), &stage, id)
    for device in ["cat", "dan"] as [DeviceID] {
      stage.connect(as: device)
      try stage.ask(device, .joinGroup("g"))
    }
    #expect(stage.offers("cat").map(\.isAwaited) == [true])
    #expect(stage.offers("dan").map(\.isAwaited) == [false])
    _ = try stage.join("cat", id)
    stage.connect(as: "cat2", user: "cat")
    try stage.ask("cat2", .joinGroup("g"))
    #expect(stage.offers("cat2").map(\.isAwaited) == [false])
    stage.checkMirrors()
  }
}
