import GroupSessions
import InAppMessaging
import Participation
import Playback
import Testing
import Vocabulary
import Wire

/// From media that is enqueued to the message that hosts the watching, and from its dismissal to the
/// end of it: flow 6.5 of the specification, with the real coordinator for the session.
@Suite struct GroupWatchMessageTests {
  private static let url = "https://films.example/metropolis"
  private static let nextURL = "https://films.example/nosferatu"

  private func activity(_ url: String, title: String = "Metropolis") -> GroupActivity {
    GroupActivity(
      type: "watch", payload: JSONText(validated: "{}"),
      metadata: GroupActivityMetadata(title: title), media: MediaItem(item: ItemID(url), url: url))
  }

  /// The campaign `watch player`: triggered by the event, always again, bound to its session.
  private static func player(
    _ request: MessagingRequest, _ heard: CampaignStandIn.Heard
  ) -> InAppMessage? {
    guard case .logEvent("SharePlay Event", let properties, let sequence?) = request,
      let url = properties["url"]?.string
    else { return nil }
    let names = ["Ann", "Bob", "Cid"]
    var message = InAppMessage(
      id: MessageID("p-\(heard.member)-\(sequence)"), kind: .modal,
      body: .text(InAppMessage.Text("Watch together")))
    message.campaign = CampaignReference(
      id: CampaignID("watch-player"), name: "Watch player", variant: "a",
      user: UserID("u-" + names[heard.member]))
    message.extras = [
      "view_type": .string("video"), "video_url": .string(url),
      "video_title": properties["title"] ?? .string("Video Content"),
    ]
    message.session = properties["session"]?.string.map { SessionID($0) }
    return message
  }

  /// Everyone in a session of a film, with its message on screen.
  private func evening(
    of names: [String] = ["Ann", "Bob"], url: String = Self.url, waitsForMessages: Bool = true
  ) throws -> ParticipantStage {
    var stage = ParticipantStage()
    stage.campaigns = CampaignStandIn()
    stage.campaigns?.message = Self.player
    for name in names { stage.add(name, adjust: ParticipantStage.watching) }
    for member in names.indices { stage.ask(.joinGroup(GroupID("room")), by: member, tag: -1) }
    try stage.wait { $0.members.allSatisfy { $0.participant.eligibility == .eligible } }
    stage.ask(.activate(Activation(activity(url))), by: 0, tag: -2)
    guard waitsForMessages else {
      try stage.takeOffers()
      return stage
    }
    try stage.joinAll()
    try stage.wait { stage in stage.members.indices.allSatisfy { stage.visible($0) != nil } }
    return stage
  }

  private func events(of member: Int, _ stage: ParticipantStage) -> Int {
    stage.campaigns?.words(of: member).count { $0 == "SharePlay Event" } ?? 0
  }

  private func impressions(of member: Int, _ stage: ParticipantStage) -> Int {
    stage.campaigns?.words(of: member).count { $0.hasSuffix(" impression") } ?? 0
  }

  // Proves: S3, S16, S24, S25, S33, W11
  @Test func `enqueued media is logged once by each, and opens the player for all`() throws {
    var stage = try evening(of: ["Ann", "Bob", "Cid"])
    stage.run(for: .seconds(5))
    let id = stage.sessionID
    for member in 0..<3 {
      #expect(events(of: member, stage) == 1)
      #expect(impressions(of: member, stage) == 1)
      #expect(stage.visible(member)?.session == id && id != nil)
      #expect(stage.visible(member)?.extras["video_title"] == .string("Metropolis"))
    }
  }

  // Proves: W10, §7.13
  @Test func `a reconnect opens nothing anew and logs nothing again`() throws {
    var stage = try evening()
    stage.cut(1)
    try stage.wait { $0.members[1].participant.isOnline }
    stage.run(for: .seconds(5))
    #expect(events(of: 1, stage) == 1 && impressions(of: 1, stage) == 1)
    #expect(stage.visible(1) != nil && stage.leaves(of: 1) == 0)
  }

  // Proves: S29, S30, R-34
  @Test func `a dismissal leaves once, and session and item are cleared in that order`() throws {
    var stage = try evening()
    stage.view(.closed(.button), of: 1)
    stage.run(for: .seconds(2))
    #expect(stage.leaves(of: 1) == 1)
    #expect(stage.members[1].participant.session == nil)
    #expect(stage.members[0].participant.session?.participants.count == 1)
    let steps = stage.outputs(of: 1).compactMap {
      if case .session(let step, _) = $0 { step } else { nil }
    }
    #expect(steps == [.clearSession, .clearItem])
    stage.view(.closed(.button), of: 1)
    stage.ask(.leave(nil), by: 1, tag: 5)
    stage.run(for: .seconds(1))
    #expect(stage.leaves(of: 1) == 1)
    stage.view(.closed(.escape), of: 0)
    stage.run(for: .seconds(2))
    #expect(stage.leaves(of: 0) == 1 && stage.members[0].participant.session == nil)
  }

  // Proves: R-35, S37, W12
  @Test func `a session that ends takes its message along, and nobody leaves`() throws {
    var stage = try evening()
    let id = try #require(stage.sessionID)
    stage.ask(.end(nil), by: 0)
    stage.run(for: .seconds(2))
    for member in 0..<2 {
      #expect(stage.visible(member) == nil && stage.leaves(of: member) == 0)
      let outputs = stage.outputs(of: member)
      let pause = outputs.firstIndex { if case .view(.pause, _) = $0 { true } else { false } }
      let dismissal = outputs.firstIndex {
        if case .tell(.willDismiss(_, .sessionEnded)) = $0 { true } else { false }
      }
      #expect(try #require(pause) < #require(dismissal))
    }
    let heard = CampaignStandIn.Heard(
      member: 1,
      request: .logEvent(
        "SharePlay Event", ["url": .string(Self.url), "session": .string(id.text)], sequence: 99))
    let late = try #require(Self.player(heard.request, heard))
    stage.deliver(late, to: 1)
    stage.run(for: .seconds(1))
    #expect(stage.visible(1) == nil, "a message of a session that is over shows nothing")
  }

  // Proves: R-32, S27, W2, W6, §7.12
  @Test func `new media is shown in place, and counts no second time`() throws {
    var stage = try evening()
    let before = stage.visible(1)?.id
    stage.ask(.setActivity(nil, activity(Self.nextURL, title: "Nosferatu"), ifRevision: nil), by: 0)
    stage.run(for: .seconds(3))
    #expect(stage.visible(1)?.id == before)
    #expect(stage.visible(1)?.extras["video_url"] == .string(Self.nextURL))
    #expect(stage.visible(1)?.extras["video_title"] == .string("Nosferatu"))
    #expect(events(of: 1, stage) == 2 && impressions(of: 1, stage) == 1)
    #expect(stage.leaves(of: 1) == 0)
  }

  // Proves: R-33, S18, S26, W1
  @Test func `another message on screen defers the player, and the latest media is shown`() throws {
    var stage = ParticipantStage()
    stage.campaigns = CampaignStandIn()
    for name in ["Ann", "Bob"] { stage.add(name, adjust: ParticipantStage.watching) }
    try stage.wait { $0.members.allSatisfy { $0.participant.isOnline } }
    var promotion = InAppMessage(id: MessageID("m"), kind: .modal, body: .text(.init("Hello")))
    promotion.campaign = CampaignReference(
      id: CampaignID("promotion"), name: "Promotion", variant: "a", user: UserID("u-Bob"))
    stage.deliver(promotion, to: 1)
    try stage.wait { $0.visible(1) != nil }
    stage.campaigns?.message = Self.player
    for member in 0..<2 { stage.ask(.joinGroup(GroupID("room")), by: member, tag: -1) }
    try stage.wait { $0.members.allSatisfy { $0.participant.eligibility == .eligible } }
    stage.ask(.activate(Activation(activity(Self.url))), by: 0, tag: -2)
    try stage.joinAll()
    stage.run(for: .seconds(2))
    stage.ask(.setActivity(nil, activity(Self.nextURL), ifRevision: nil), by: 0)
    stage.run(for: .seconds(2))
    #expect(stage.visible(1)?.id.text == "m")
    stage.view(.closed(.button), of: 1)
    stage.run(for: .seconds(1))
    #expect(stage.visible(1)?.extras["video_url"] == .string(Self.nextURL))
    #expect(stage.leaves(of: 1) == 0)
  }

  // Proves: S8, S9, S14, W3
  @Test func `media that may not be played is not shown but told, and the device stays`() throws {
    var stage = try evening(url: "http://192.168.0.7/film.mp4", waitsForMessages: false)
    stage.run(for: .seconds(3))
    for member in 0..<2 {
      #expect(stage.visible(member) == nil)
      #expect(stage.members[member].participant.session != nil)
      #expect(stage.leaves(of: member) == 0)
      #expect(
        stage.campaigns?.words(of: member).contains { $0.hasSuffix("refused invalidContent") }
          == true)
    }
  }

  // Proves
  @Test func `coming back while the session lives opens the player again`() throws {
    var stage = try evening(of: ["Ann", "Bob", "Cid"])
    let id = try #require(stage.sessionID)
    stage.view(.closed(.button), of: 2)
    stage.run(for: .seconds(2))
    stage.ask(.join(id, handoffFrom: nil), by: 2)
    try stage.wait { $0.visible(2) != nil }
    #expect(events(of: 2, stage) == 2)
    #expect(stage.members[2].participant.session?.id == id)
  }

  // Proves: R-35
  @Test func `media that waits to be logged until its session is over is not logged`() throws {
    var stage = try evening(of: ["Ann", "Bob", "Cid"])
    let id = try #require(stage.sessionID)
    stage.view(.closed(.button), of: 2)
    stage.run(for: .seconds(2))
    for number in 0..<20 { stage.feed(.log(.event(name: "e\(number)", properties: [:])), to: 2) }
    stage.ask(.join(id, handoffFrom: nil), by: 2)
    try stage.wait { $0.members[2].participant.session != nil }
    stage.ask(.leave(nil), by: 2)
    stage.run(for: .seconds(5))
    #expect(stage.campaigns?.words(of: 2).last == "e19")
    #expect(events(of: 2, stage) == 1 && stage.visible(2) == nil)
  }

  // Proves: S17, S21, W8
  @Test func `alone, the same message comes without a session, and its dismissal leaves nothing`()
    throws
  {
    var stage = ParticipantStage()
    stage.campaigns = CampaignStandIn()
    stage.campaigns?.message = Self.player
    stage.add("Ann", adjust: ParticipantStage.watching)
    try stage.wait { $0.members[0].participant.isOnline }
    stage.feed(.enqueuedAlone(SessionMedia(url: Self.url, title: "Metropolis")), to: 0)
    try stage.wait { $0.visible(0) != nil }
    #expect(stage.visible(0)?.session == nil)
    stage.view(.closed(.button), of: 0)
    stage.run(for: .seconds(1))
    #expect(stage.leaves(of: 0) == 0 && stage.visible(0) == nil)
    let steps = stage.outputs(of: 0).filter { if case .session = $0 { true } else { false } }
    #expect(steps.isEmpty)
  }

  @Test func `without anything to show it on, the media is logged as soon as there is`() throws {
    var stage = ParticipantStage()
    stage.campaigns = CampaignStandIn()
    stage.campaigns?.message = Self.player
    for name in ["Ann", "Bob"] {
      stage.add(name) { settings in
        ParticipantStage.watching(&settings)
        settings.platform.hasDisplay = name == "Ann"
      }
    }
    for member in 0..<2 { stage.ask(.joinGroup(GroupID("room")), by: member, tag: -1) }
    try stage.wait { $0.members.allSatisfy { $0.participant.eligibility == .eligible } }
    stage.ask(.activate(Activation(activity(Self.url))), by: 0, tag: -2)
    try stage.joinAll()
    stage.run(for: .seconds(2))
    #expect(events(of: 1, stage) == 0 && stage.visible(0) != nil)
    stage.feed(.presenter(.platform(PlatformState())), to: 1)
    try stage.wait { $0.visible(1) != nil }
    #expect(events(of: 1, stage) == 1)
  }

  // Proves: S16, S17
  @Test func `what is watched alone before there is a view is logged once there is one`() throws {
    var stage = ParticipantStage()
    stage.campaigns = CampaignStandIn()
    stage.campaigns?.message = Self.player
    stage.add("Ann") { settings in
      ParticipantStage.watching(&settings)
      settings.platform.hasDisplay = false
    }
    try stage.wait { $0.members[0].participant.isOnline }
    stage.feed(.enqueuedAlone(SessionMedia(url: Self.nextURL)), to: 0)
    stage.feed(.enqueuedAlone(SessionMedia(url: Self.url)), to: 0)
    stage.run(for: .seconds(1))
    #expect(events(of: 0, stage) == 0)
    stage.feed(.presenter(.platform(PlatformState())), to: 0)
    try stage.wait { $0.visible(0) != nil }
    #expect(events(of: 0, stage) == 1)
    #expect(stage.visible(0)?.extras["video_url"] == .string(Self.url))
  }

  @Test func `what is no longer watched alone is not logged`() throws {
    var stage = ParticipantStage()
    stage.campaigns = CampaignStandIn()
    stage.add("Ann") { settings in
      ParticipantStage.watching(&settings)
      settings.platform.hasDisplay = false
    }
    try stage.wait { $0.members[0].participant.isOnline }
    stage.feed(.enqueuedAlone(SessionMedia(url: Self.url)), to: 0)
    stage.feed(.enqueuedAlone(nil), to: 0)
    stage.feed(.presenter(.platform(PlatformState())), to: 0)
    stage.run(for: .seconds(1))
    #expect(events(of: 0, stage) == 0)
  }

  // Proves: S16
  @Test(arguments: [true, false])
  func `what the app logs by hand and the client logs, too, counts once`(isAppFirst: Bool) throws {
    var stage = ParticipantStage()
    stage.campaigns = CampaignStandIn()
    stage.add("Ann") { settings in
      ParticipantStage.watching(&settings)
      settings.platform.hasDisplay = !isAppFirst
    }
    try stage.wait { $0.members[0].participant.isOnline }
    let byHand = AppEvent.event(
      name: "SharePlay Event", properties: ["url": .string(Self.url), "shelf": .string("new")])
    stage.feed(.enqueuedAlone(SessionMedia(url: Self.url, title: "Metropolis")), to: 0)
    stage.feed(.log(byHand), to: 0)
    stage.feed(.presenter(.platform(PlatformState())), to: 0)
    stage.run(for: .seconds(1))
    #expect(events(of: 0, stage) == 1)
    if isAppFirst {
      let logged = stage.requests(of: 0).compactMap { request in
        if case .messaging(.logEvent(_, let properties, _)) = request { properties } else { nil }
      }
      #expect(logged.first?["title"] == .string("Metropolis"))
      #expect(logged.first?["shelf"] == .string("new"))
    }
    // Once more is meant: the person opens the player again.
    stage.feed(.log(byHand), to: 0)
    stage.run(for: .seconds(1))
    #expect(events(of: 0, stage) == 2)
    stage.feed(
      .log(.event(name: "SharePlay Event", properties: ["url": .string(Self.nextURL)])), to: 0)
    stage.run(for: .seconds(1))
    #expect(events(of: 0, stage) == 3)
  }
}
