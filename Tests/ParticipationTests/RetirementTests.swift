import GroupSessions
import InAppMessaging
import Participation
import Testing
import Vocabulary
import Wire

/// A client whose person goes: another one takes the device over.
@Suite struct RetirementTests {
  private func stage() throws -> ParticipantStage {
    var stage = ParticipantStage()
    stage.campaigns = CampaignStandIn()
    for name in ["Ann", "Bob"] { stage.add(name, adjust: ParticipantStage.watching) }
    try stage.wait { $0.members.allSatisfy { $0.participant.isOnline } }
    stage.run(for: .seconds(1))
    return stage
  }

  private func promotion(_ id: String) -> InAppMessage {
    var message = InAppMessage(
      id: MessageID(id), kind: .modal, body: .text(InAppMessage.Text("Come and see")))
    message.campaign = CampaignReference(
      id: CampaignID(id), name: id, variant: "a", user: UserID("u-Ann"))
    return message
  }

  private func isOver(_ stage: ParticipantStage) -> Bool {
    stage.members[0].updates.contains { $0.update == .connection(.offline(.closed)) }
  }

  private func unsent(_ stage: ParticipantStage) -> [String] {
    stage.members[0].updates.compactMap {
      if case .unsent(let what) = $0.update { what } else { nil }
    }
  }

  // Proves: R-31
  @Test func `screen and stack are cleared, what the person did is said, and then it ends`() throws
  {
    var stage = try stage()
    stage.deliver(promotion("m1"), to: 0)
    stage.deliver(promotion("m2"), to: 0)
    try stage.wait { $0.visible(0) != nil }
    for name in ["one", "two"] { stage.feed(.log(.event(name: name, properties: [:])), to: 0) }
    stage.feed(.retire(within: .seconds(5)), to: 0)
    #expect(stage.visible(0) == nil)
    #expect(stage.members[0].participant.presenter.stackedMessages == [])
    #expect(!isOver(stage))
    stage.feed(.log(.event(name: "not mine", properties: [:])), to: 0)
    try stage.wait { isOver($0) }
    stage.run(for: .seconds(1))
    let words = stage.campaigns?.words(of: 0) ?? []
    #expect(
      Array(words.suffix(4)) == ["one", "two", "m1 dismissed", "m2 refused userMismatch"])
    #expect(words.filter { $0.hasSuffix("impression") } == ["m1 impression"])
    #expect(!words.contains { $0.contains("clicked") })
    #expect(unsent(stage) == ["the event not mine: its person went"])
  }

  // Proves: R-31
  @Test func `what could not be said in time is named, and told to nobody later`() throws {
    var stage = try stage()
    stage.members[0].isReachable = false
    stage.cut(0)
    stage.feed(.log(.event(name: "late", properties: [:])), to: 0)
    stage.feed(.retire(within: .seconds(5)), to: 0)
    stage.run(for: .seconds(4))
    #expect(!isOver(stage))
    stage.run(for: .seconds(2))
    #expect(isOver(stage) && unsent(stage) == ["the event late: its person went"])
    #expect(stage.members[0].participant.nextDeadline == nil)
    #expect(stage.campaigns?.words(of: 0).contains("late") == false)
  }

  @Test func `with nothing to say it ends at once`() throws {
    var stage = try stage()
    stage.feed(.retire(within: .seconds(5)), to: 0)
    #expect(isOver(stage))
  }

  // Proves: R-31
  @Test func `the session is left once, and goes on for the others`() throws {
    var stage = try stage()
    for member in 0..<2 { stage.ask(.joinGroup(GroupID("room")), by: member, tag: -1) }
    try stage.wait { $0.members.allSatisfy { $0.participant.eligibility == .eligible } }
    let media = MediaItem(item: ItemID("film"), url: "https://films.example/metropolis")
    let activity = GroupActivity(
      type: "watch", payload: JSONText(validated: "{}"),
      metadata: GroupActivityMetadata(title: "Metropolis"), media: media)
    stage.ask(.activate(Activation(activity)), by: 0, tag: -2)
    try stage.joinAll()
    stage.run(for: .seconds(1))
    var message = promotion("player")
    let session = try #require(stage.sessionID)
    message.session = session
    message.extras = [
      "view_type": .string("video"), "video_url": .string("https://films.example/metropolis"),
    ]
    stage.deliver(message, to: 0)
    try stage.wait { $0.visible(0) != nil }
    stage.feed(.retire(within: .seconds(5)), to: 0)
    try stage.wait { $0.members[1].participant.group?.members.count == 1 }
    #expect(stage.visible(0) == nil && stage.leaves(of: 0) == 1)
    #expect(stage.members[1].participant.session?.participants.count == 1)
  }
}
