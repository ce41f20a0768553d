import GroupSessions
import InAppMessaging
import Participation
import Testing
import Vocabulary
import Wire

/// What a client tells the server of its person and of messages: once, in order, whatever
/// connections do.
@Suite struct ParticipantMessagesTests {
  private func stage(
    _ adjust: (inout ClientSettings) -> Void = ParticipantStage.watching
  ) throws -> ParticipantStage {
    var stage = ParticipantStage()
    stage.campaigns = CampaignStandIn()
    stage.add("Ann", adjust: adjust)
    try stage.wait { $0.members[0].participant.isOnline }
    stage.run(for: .seconds(1))
    return stage
  }

  private func promotion(_ id: String, campaign: String = "promotion") -> InAppMessage {
    var message = InAppMessage(
      id: MessageID(id), kind: .modal, body: .text(InAppMessage.Text("Come and see")))
    message.campaign = CampaignReference(
      id: CampaignID(campaign), name: campaign, variant: "a", user: UserID("u-Ann"))
    message.buttons = [
      InAppMessage.Button(
        id: "1", text: "Yes",
        clickAction: .sequence([
          .logEvent(name: "yes", properties: [:]), .setAttribute(key: "keen", value: .bool(true)),
          .open(url: "https://films.example/tonight", inApp: true),
        ]))
    ]
    return message
  }

  @Test func `a client that shows nothing says nothing`() throws {
    var stage = try stage { _ in }
    stage.run(for: .seconds(5))
    #expect(stage.campaigns?.heard == [])
    stage.feed(.presenter(.platform(PlatformState(hasDisplay: true))), to: 0)
    stage.run(for: .seconds(1))
    #expect(stage.campaigns?.words(of: 0) == ["launch visible"])
  }

  // Proves: R-1
  @Test func `a client that shows nothing says how it is before what it logs, after each cut`()
    throws
  {
    var stage = try stage { _ in }
    stage.feed(.setAttribute("keen", .bool(true)), to: 0)
    stage.run(for: .seconds(1))
    for name in ["e", "f"] { stage.feed(.log(.event(name: name, properties: [:])), to: 0) }
    stage.run(for: .seconds(1))
    stage.cut(0)
    stage.feed(.log(.event(name: "g", properties: [:])), to: 0)
    stage.run(for: .seconds(5))
    #expect(
      stage.campaigns?.words(of: 0) == [
        "attributes [\"keen\"]", "state hidden", "e", "f", "state hidden", "g",
      ])
  }

  @Test func `the launch is told once, then each going and coming, and how it is after each cut`()
    throws
  {
    var stage = try stage()
    stage.feed(.presenter(.platform(PlatformState(isVisible: false))), to: 0)
    stage.run(for: .seconds(1))
    stage.feed(.presenter(.platform(PlatformState())), to: 0)
    stage.run(for: .seconds(1))
    stage.cut(0)
    stage.run(for: .seconds(5))
    #expect(
      stage.campaigns?.words(of: 0) == [
        "launch visible", "state hidden", "foreground visible", "state visible",
      ])
    let epochs = stage.campaigns?.requests(of: 0).compactMap {
      if case .appState(let state) = $0 { state.epoch } else { nil }
    }
    #expect(Set(epochs ?? []).count == 1)
  }

  // Proves: R-1
  @Test(arguments: 0..<30)
  func `what is logged before, in and after a cut arrives once and in order`(step: Int) throws {
    var stage = try stage()
    for number in 0..<3 {
      stage.feed(.log(.event(name: "e\(number)", properties: [:])), to: 0)
    }
    stage.run(for: .milliseconds(step))
    stage.cut(0)
    for number in 3..<6 {
      stage.feed(.log(.event(name: "e\(number)", properties: [:])), to: 0)
    }
    stage.feed(.setAttribute("keen", .bool(true)), to: 0)
    try stage.wait { $0.members[0].participant.isOnline }
    stage.run(for: .seconds(3))
    let words = stage.campaigns?.words(of: 0).filter { $0.hasPrefix("e") || $0.hasPrefix("a") }
    #expect(words == ["e0", "e1", "e2", "e3", "e4", "e5", "attributes [\"keen\"]"])
  }

  // Proves: R-3
  @Test func `what nobody hears for too long goes, the oldest first, and is named`() throws {
    var stage = try stage()
    stage.members[0].isReachable = false
    stage.cut(0)
    for number in 0..<1_001 {
      stage.feed(.log(.event(name: "e\(number)", properties: [:])), to: 0)
    }
    let lost = stage.members[0].updates.compactMap {
      if case .unsent(let what) = $0.update { what } else { nil }
    }
    #expect(lost.count == 1 && lost[0].contains("e0"))
    stage.members[0].isReachable = true
    try stage.wait { $0.members[0].participant.isOnline }
    stage.run(for: .seconds(60))
    let words = stage.campaigns?.words(of: 0).filter { $0.hasPrefix("e") }
    #expect(words == (1...1_000).map { "e\($0)" })
  }

  @Test func `a server without campaigns is asked no more, and the app is told`() throws {
    var stage = try stage()
    stage.campaigns?.error = ProtocolError(.messagingUnavailable)
    stage.feed(.log(.event(name: "e", properties: [:])), to: 0)
    stage.feed(.log(.event(name: "f", properties: [:])), to: 0)
    stage.run(for: .seconds(1))
    let sent = stage.requests(of: 0).count
    stage.feed(.log(.event(name: "g", properties: [:])), to: 0)
    stage.run(for: .seconds(1))
    #expect(stage.requests(of: 0).count == sent)
    #expect(stage.outcomes(of: 0).isEmpty)
    let told = stage.members[0].updates.compactMap { update -> String? in
      switch update.update {
      case .unsent(let what): what
      case .messagingAvailable(let isAvailable): "available: \(isAvailable)"
      default: nil
      }
    }
    let lost = ["e", "f", "g"].map { "the event \($0): the server has no campaigns" }
    #expect(told == ["available: false"] + lost)
    // The next connection may reach another server.
    stage.campaigns?.error = nil
    stage.cut(0)
    try stage.wait { $0.members[0].participant.isOnline }
    stage.feed(.log(.event(name: "h", properties: [:])), to: 0)
    stage.run(for: .seconds(1))
    #expect(stage.campaigns?.words(of: 0).contains("h") == true)
  }

  @Test func `an explanation knows of everything that was told before it was asked for`() throws {
    var stage = try stage()
    for number in 0..<3 { stage.feed(.log(.event(name: "e\(number)", properties: [:])), to: 0) }
    stage.ask(.messaging(.explain(nil)), by: 0, tag: 7)
    // What is told later does not keep it waiting.
    for number in 3..<5 { stage.feed(.log(.event(name: "e\(number)", properties: [:])), to: 0) }
    stage.run(for: .seconds(1))
    let last = stage.requests(of: 0).suffix(6).map { request in
      switch request {
      case .messaging(.logEvent(let name, _, _)): name
      case .messaging(.explain): "explain"
      default: "\(request)"
      }
    }
    #expect(last == ["e0", "e1", "e2", "explain", "e3", "e4"])
    #expect(stage.outcomes(of: 0, tag: 7) == [.explained([])])
  }

  @Test func `an explanation about another person waits for nothing that was told`() throws {
    var stage = try stage()
    for number in 0..<2 { stage.feed(.log(.event(name: "e\(number)", properties: [:])), to: 0) }
    stage.ask(.messaging(.explain(nil, of: UserID("ben"))), by: 0, tag: 7)
    stage.run(for: .seconds(1))
    let asked = stage.requests(of: 0).map { request in
      switch request {
      case .messaging(.logEvent(let name, _, _)): name
      case .messaging(.explain(_, of: .some)): "explain"
      default: "\(request)"
      }
    }
    let (question, event) = (asked.firstIndex(of: "explain"), asked.firstIndex(of: "e1"))
    #expect(try #require(question) < #require(event))
    #expect(stage.outcomes(of: 0, tag: 7) == [.explained([])])
  }

  @Test func `an explanation is refused at once where there are no campaigns`() throws {
    var stage = try stage()
    let error = ProtocolError(.messagingUnavailable)
    stage.campaigns?.error = error
    stage.feed(.log(.event(name: "e", properties: [:])), to: 0)
    stage.ask(.messaging(.explain(nil)), by: 0, tag: 7)
    stage.run(for: .seconds(1))
    #expect(stage.outcomes(of: 0, tag: 7) == [.failed(.refused(error))])
  }

  @Test func `an event that no campaign waits for is named`() throws {
    var stage = try stage()
    stage.campaigns?.answer = .noMatchingTrigger
    stage.feed(.log(.event(name: "e", properties: [:])), to: 0)
    stage.feed(.setAttribute("keen", .bool(true)), to: 0)
    stage.run(for: .seconds(1))
    let named = stage.members[0].updates.compactMap {
      if case .noMatchingTrigger(let event) = $0.update { event } else { nil }
    }
    #expect(named == ["e"])
  }

  @Test func `a server that is busy gets it later`() throws {
    var stage = try stage()
    stage.campaigns?.error = ProtocolError(.busy, retryAfter: .seconds(2))
    stage.feed(.log(.event(name: "e", properties: [:])), to: 0)
    stage.run(for: .seconds(1))
    stage.campaigns?.error = nil
    stage.run(for: .seconds(3))
    #expect(stage.campaigns?.words(of: 0).last == "e")
  }

  private let outage = ProtocolError(.journalUnavailable, retryAfter: .seconds(1))

  @Test func `what a server cannot store for long is said until it can`() throws {
    var stage = try stage()
    stage.campaigns?.error = outage
    stage.feed(.log(.event(name: "e", properties: [:])), to: 0)
    stage.feed(.setAttribute("keen", .bool(true)), to: 0)
    stage.run(for: .seconds(100))
    stage.campaigns?.error = nil
    stage.run(for: .seconds(5))
    let words = stage.campaigns?.words(of: 0) ?? []
    #expect(Array(words.suffix(2)) == ["e", "attributes [\"keen\"]"])
    stage.campaigns?.error = outage
    stage.feed(.presenter(.dataWiped), to: 0)
    stage.run(for: .seconds(100))
    stage.campaigns?.error = nil
    stage.run(for: .seconds(5))
    #expect(stage.campaigns?.requests(of: 0).contains(.wipe) == true)
    let isUnsent = stage.members[0].updates.contains {
      if case .unsent = $0.update { true } else { false }
    }
    #expect(!isUnsent)
  }

  @Test func `how the app is, which a server cannot store for long, is said until it can`() throws {
    var stage = try stage()
    stage.campaigns?.error = outage
    stage.feed(.presenter(.platform(PlatformState(isVisible: false))), to: 0)
    stage.run(for: .seconds(100))
    stage.campaigns?.error = nil
    stage.run(for: .seconds(5))
    #expect(stage.campaigns?.words(of: 0).last == "state hidden")
  }

  @Test func `a server that is busy hears later how the app is`() throws {
    var stage = try stage()
    stage.campaigns?.error = ProtocolError(.busy, retryAfter: .seconds(2))
    stage.feed(.presenter(.platform(PlatformState(isVisible: false))), to: 0)
    stage.run(for: .seconds(1))
    stage.campaigns?.error = nil
    stage.run(for: .seconds(3))
    #expect(stage.campaigns?.words(of: 0).last == "state hidden")
  }

  @Test func `how the app was is not said again after how it is`() throws {
    var stage = try stage()
    stage.campaigns?.error = ProtocolError(.busy, retryAfter: .seconds(2))
    stage.feed(.presenter(.platform(PlatformState(isVisible: false))), to: 0)
    stage.run(for: .seconds(1))
    stage.campaigns?.error = nil
    stage.feed(.presenter(.platform(PlatformState())), to: 0)
    stage.run(for: .seconds(5))
    #expect(stage.campaigns?.words(of: 0) == ["launch visible", "foreground visible"])
  }

  // Proves
  @Test func `a delivery is shown, clicked and reported in order`() throws {
    var stage = try stage()
    stage.deliver(promotion("m1"), to: 0)
    try stage.wait { $0.visible(0) != nil }
    stage.view(.clicked(button: "1"), of: 0)
    stage.run(for: .seconds(1))
    #expect(
      stage.campaigns?.words(of: 0).dropFirst() == [
        "m1 started", "m1 impression", "m1 clicked(button: Optional(\"1\"))", "yes",
        "attributes [\"keen\"]", "m1 dismissed",
      ])
    let performed = stage.outputs(of: 0).compactMap {
      if case .perform(let action, _) = $0 { action } else { nil }
    }
    #expect(performed == [.open(url: "https://films.example/tonight", inApp: true)])
  }

  // Proves: R-36
  @Test func `a delivery that was seen before a restart is shown, and counts no second time`()
    throws
  {
    var stage = try stage()
    stage.deliver(promotion("m1"), to: 0, wasSeen: true)
    try stage.wait { $0.visible(0) != nil }
    stage.view(.closed(.button), of: 0)
    stage.run(for: .seconds(1))
    #expect(stage.campaigns?.words(of: 0).dropFirst() == ["m1 started", "m1 dismissed"])
  }

  @Test func `a delivery that cannot be read is told to be invalid, and its sibling is shown`()
    throws
  {
    var stage = try stage()
    let peer = try #require(stage.members[0].peer)
    stage.send(
      .unreadableMessage(
        UnreadableMessage(
          MessageID("m0"), line: JSONText(validated: "{}"), error: ProtocolError(.invalidField))),
      to: peer)
    stage.deliver(promotion("m1"), to: 0)
    try stage.wait { $0.visible(0)?.id.text == "m1" }
    stage.run(for: .seconds(1))
    #expect(stage.campaigns?.words(of: 0).contains("m0 refused invalidContent") == true)
  }

  // Proves
  @Test func `what waits on the stack is looked at again after a cut, and goes when revoked`()
    throws
  {
    var stage = try stage()
    stage.deliver(promotion("m1", campaign: "one"), to: 0)
    stage.deliver(promotion("m2", campaign: "two"), to: 0)
    stage.run(for: .seconds(1))
    #expect(stage.members[0].participant.presenter.stackedMessages.map(\.id.text) == ["m2"])
    stage.cut(0)
    stage.run(for: .seconds(5))
    #expect(stage.campaigns?.requests(of: 0).contains(.revalidate([MessageID("m2")])) == true)
    let peer = try #require(stage.members[0].peer)
    stage.send(.messageRevoked(MessageRevocation(MessageID("m2"), because: .stopped)), to: peer)
    stage.run(for: .seconds(1))
    #expect(stage.members[0].participant.presenter.stackedMessages == [])
    #expect(stage.visible(0)?.id.text == "m1", "what is on screen stays")
  }

  @Test func `who asks why a campaign does not come is told`() throws {
    var stage = try stage()
    let explanation = Explanation(campaign: CampaignID("promotion"), now: .cap, detail: "at most 1")
    stage.campaigns?.explanations = [explanation]
    stage.ask(.messaging(.explain(CampaignID("promotion"))), by: 0, tag: 7)
    stage.run(for: .seconds(1))
    #expect(stage.outcomes(of: 0, tag: 7) == [.explained([explanation])])
  }

  // Proves: R-31
  @Test func `a wipe forgets what waits, takes the message from the screen, and is told`() throws {
    var stage = try stage()
    stage.deliver(promotion("m1"), to: 0)
    try stage.wait { $0.visible(0) != nil }
    stage.members[0].isReachable = false
    stage.cut(0)
    stage.feed(.log(.event(name: "secret", properties: [:])), to: 0)
    stage.feed(.presenter(.dataWiped), to: 0)
    #expect(stage.visible(0) == nil)
    stage.members[0].isReachable = true
    stage.run(for: .seconds(20))
    let words = stage.campaigns?.words(of: 0) ?? []
    #expect(words.contains("wipe") && !words.contains("secret"))
  }

  @Test func `a client that the server ends keeps nothing on screen, and answers every call`()
    throws
  {
    var stage = try stage()
    stage.deliver(promotion("m1"), to: 0)
    try stage.wait { $0.visible(0) != nil }
    stage.feed(.received(.closing(ProtocolError(.superseded))), to: 0)
    #expect(stage.visible(0) == nil)
    stage.feed(.presenter(.presentNext(PresentNextTag(1))), to: 0)
    stage.feed(.presenter(.acquireLease(LeaseTag(2))), to: 0)
    let outputs = stage.outputs(of: 0)
    #expect(outputs.count { if case .tell(.didDismiss) = $0 { true } else { false } } == 1)
    #expect(
      outputs.suffix(2) == [
        .answer(PresentNextTag(1), .empty), .lease(LeaseTag(2), isGranted: false),
      ])
  }
}
