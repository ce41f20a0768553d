import GroupSessions
import InAppMessaging
import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

/// What apps log, what their people are sent, and what they ask.
@Suite struct MessagingTests {
  // Proves: R-4
  @Test func `an event brings a message, and both it and the answer come once it is kept`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone")
    stage.forget()
    stage.isHeld = true
    let request = stage.post(.messaging(.logEvent("go", [:], sequence: 1)), from: "phone")
    #expect(stage.inbox("phone").isEmpty)
    #expect(stage.messaging()?.deliveries.isEmpty == true)
    stage.release()
    #expect(stage["phone"].answers[request] == [.success(.done(seq: nil))])
    let message = try #require(stage.deliveries("phone").first)
    #expect(message.campaign?.id == "m" && message.campaign?.user == "ann")
    #expect(stage.messaging()?.delivery(message.id)?.device == "phone")
    #expect(
      stage.kept().map(\.self) == stage.kept() && stage.kept().count == stage.messaging()?.seq)
  }

  @Test func `what is told of a message counts, once, and an app that forgot is warned of`() throws
  {
    var stage = try Stage.campaigning([.sample("m") { $0.caps = [FrequencyCap(1, per: .ever)] }])
    try stage.open("phone")
    try stage.log("phone")
    let first = try #require(stage.deliveries("phone").first?.id)
    try stage.report("phone", first, .started, .dismissed(.swipe))
    #expect(stage.warnings.map(\.0) == [.impressionMissing(first, "m")])
    try stage.log("phone")
    try stage.watch("phone")
    try stage.log("phone")
    #expect(stage.deliveries("phone").count == 2)
    #expect(stage.messaging()?.history["m"]?.count == 1)
    #expect(stage.kept().count { if case .ended = $0 { true } else { false } } == 2)
  }

  @Test func `an event that comes again on another connection is the same one`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone", epoch: 7)
    try stage.log("phone", "other", 1)
    try stage.log("phone", "go", 2)
    try stage.watch("phone")
    let seq = stage.messaging()?.seq
    stage.disconnect("phone")
    try stage.open("phone", epoch: 7)
    try stage.log("phone", "go", 2)
    #expect(stage.messaging()?.seq == seq)
    #expect(stage.deliveries("phone").isEmpty)
    try stage.log("phone", "go", 3)
    #expect(stage.deliveries("phone").count == 1)
  }

  @Test func `who does not look is sent it when they do`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone", isVisible: false)
    try stage.log("phone")
    #expect(stage.deliveries("phone").isEmpty)
    try stage.tell("phone", .appState(AppState(isVisible: true, epoch: 1)))
    #expect(stage.deliveries("phone").count == 1)
  }

  // Proves: R-1
  @Test(arguments: [3, 10])
  func `a session of use lasts until the connection of a visible app is gone`(away: Int) throws {
    var stage = try Stage.campaigning([.sample("m") { $0.triggers = [.sessionStart] }])
    func come(epoch: Int) throws {
      stage.connect(as: "phone", user: "ann")
      let state = AppState(isVisible: true, change: .launch, epoch: epoch, sequence: 1)
      try stage.tell("phone", .appState(state))
    }
    try come(epoch: 1)
    try stage.watch("phone")
    let start = try #require(stage.messaging()?.sessionStart)
    // They watch a film, of which nothing is logged.
    stage.advance(.seconds(300))
    stage.disconnect("phone")
    stage.advance(.seconds(away))
    try come(epoch: 2)
    #expect(stage.deliveries("phone").count == (away < 10 ? 0 : 1))
    #expect((stage.messaging()?.sessionStart == start) == (away < 10))
  }

  @Test func `a device that never said how its app is is sent nothing`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    stage.connect(as: "phone", user: "ann")
    try stage.log("phone")
    #expect(stage.deliveries("phone").isEmpty)
    #expect(stage.messaging()?.awaitsDevice == true)
  }

  // Proves: R-12
  @Test func `of two devices the one used last is sent what happened elsewhere`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone")
    stage.advance(.seconds(1))
    try stage.open("tv")
    stage.advance(.seconds(1))
    try stage.open("watch", isVisible: false)
    try stage.log("watch")
    #expect(stage.deliveries("tv").count == 1 && stage.deliveries("phone").isEmpty)
    try stage.watch("tv")
    stage.advance(.seconds(1))
    try stage.log("phone", "nothing")
    try stage.log("watch")
    #expect(stage.deliveries("phone").count == 1)
  }

  @Test func `coming to the front begins a session, and is itself an event`() throws {
    var stage = try Stage.campaigning([.sample("m") { $0.triggers = [.launch] }])
    stage.connect(as: "phone", user: "ann")
    try stage.tell(
      "phone", .appState(AppState(isVisible: true, change: .launch, epoch: 1, sequence: 1)))
    #expect(stage.deliveries("phone").count == 1)
    #expect(stage.messaging()?.sessionStart == stage.now)
    stage.advance(.seconds(60))
    try stage.tell("phone", .appState(AppState(isVisible: false, epoch: 1)))
    #expect(stage.messaging()?.lastSeen == stage.now)
  }

  // MARK: Devices come and go

  @Test func `what was not heard of is sent again to the same run, as the same message`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone", epoch: 7)
    try stage.log("phone")
    let message = stage.deliveries("phone")
    stage.disconnect("phone")
    try stage.open("phone", epoch: 7)
    #expect(stage.deliveries("phone") == message)
    #expect(stage.messaging()?.deliveries.count == 1)
  }

  @Test func `another run has nothing of before, and the message may come again`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone", epoch: 7)
    try stage.log("phone", "go", 5)
    try stage.report("phone", try #require(stage.deliveries("phone").first?.id), .waiting)
    stage.disconnect("phone")
    try stage.open("phone", epoch: 8)
    #expect(stage.deliveries("phone").isEmpty && stage.messaging()?.deliveries.isEmpty == true)
    try stage.log("phone", "go", 1)
    #expect(stage.deliveries("phone").count == 1)
  }

  @Test func `what lay on a device that does not come back is over in the end`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone")
    try stage.log("phone")
    try stage.report("phone", try #require(stage.deliveries("phone").first?.id), .started)
    stage.disconnect("phone")
    #expect(stage.messaging()?.lost["phone"] == stage.now + MessagingPolicy().clientGrace)
    stage.advance(MessagingPolicy().clientGrace)
    #expect(stage.messaging()?.deliveries.isEmpty == true)
    #expect(stage.coordinator.nextDeadline == nil)
  }

  @Test func `a message is over in the end on a device that never says that it is back`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone")
    try stage.log("phone")
    let message = try #require(stage.deliveries("phone").first?.id)
    stage.disconnect("phone")
    stage.connect(as: "phone", user: "ann")
    try stage.report("phone", message, .started)
    stage.disconnect("phone")
    stage.advance(MessagingPolicy().clientGrace)
    #expect(stage.messaging()?.deliveries.isEmpty == true)
  }

  // Proves: R-31
  @Test func `another person on the same device is sent nothing of the one before`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone", as: "ann")
    try stage.ask("phone", .joinGroup("g"))
    try stage.log("phone")
    let message = try #require(stage.deliveries("phone").first?.id)
    try stage.report("phone", message, .waiting)
    stage.disconnect("phone")
    try stage.open("phone", as: "bob")
    #expect(stage.kept("ann").last == .ended(message, .refused(.userMismatch)))
    #expect(stage.deliveries("phone").isEmpty && stage.revocations("phone").isEmpty)
    try stage.report("phone", message, .impression)
    #expect(stage.messaging("bob")?.history.isEmpty == true)
    try stage.log("phone")
    #expect(stage.deliveries("phone").map(\.campaign?.user) == ["bob"])
    stage.disconnect("phone")
    try stage.open("phone", as: "ann")
    #expect(stage.deliveries("phone").isEmpty)
  }

  // MARK: Sessions

  private func watching() throws -> (Stage, SessionID) {
    var stage = try Stage.campaigning([
      .sample("player") { $0.bindsSession = true }, .sample("m", on: "other"),
    ])
    for device in ["ann", "bob"] as [DeviceID] {
      try stage.open(device, as: UserID(device.text))
      try stage.ask(device, .joinGroup("g"))
    }
    let id = try stage.activate("ann")
    for device in ["ann", "bob"] as [DeviceID] {
      try stage.join(device, id)
      try stage.log(device)
      #expect(stage.deliveries(device).map(\.session) == [id])
    }
    return (stage, id)
  }

  // Proves: R-33
  @Test func `a session that is over takes its messages with it, on the screen or not`() throws {
    var (stage, _) = try watching()
    let shown = try #require(stage.deliveries("bob").first?.id)
    try stage.report("bob", shown, .started, .impression)
    try stage.log("ann", "other")
    try stage.ask("ann", .end(nil))
    #expect(stage.revocations("ann").map(\.reason) == [.sessionEnded])
    #expect(stage.revocations("bob") == [.init(shown, because: .sessionEnded, isForced: true)])
    #expect(stage.kept("bob").last == .ended(shown, .presented(dismissedBy: .sessionEnded)))
    #expect(stage.messaging("ann")?.deliveries.map(\.campaign) == ["m"])
  }

  @Test func `who leaves a session loses its message, and the others do not`() throws {
    var (stage, _) = try watching()
    try stage.ask("bob", .leave(nil))
    #expect(stage.revocations("bob").count == 1 && stage.revocations("ann").isEmpty)
    #expect(stage.messaging("ann")?.deliveries.count == 1)
  }

  @Test func `a message that is being kept as its session ends is taken back`() throws {
    var (stage, _) = try watching()
    try stage.watch("ann")
    stage.forget()
    stage.isHeld = true
    stage.post(.end(nil), from: "ann")
    stage.post(.messaging(.logEvent("go", [:], sequence: nil)), from: "ann")
    stage.isHeld = false
    stage.release()
    let message = try #require(stage.deliveries("ann").first?.id)
    #expect(stage.revocations("ann").map(\.id) == [message])
    #expect(stage.messaging("ann")?.deliveries.isEmpty == true)
  }

  // Proves: R-33
  @Test(arguments: [true, false])
  func `an event that comes after its session brings no message that belongs to one`(
    isElsewhere: Bool
  ) throws {
    var (stage, id) = try watching()
    try stage.watch("bob")
    try stage.ask("ann", .end(nil))
    if isElsewhere {
      let next = try stage.activate("ann")
      try stage.join("bob", next)
    }
    stage.forget()
    let properties = ["session": PropertyValue.string(id.text)]
    for name in ["go", "other"] {
      try stage.tell("bob", .logEvent(name, properties, sequence: nil))
    }
    #expect(stage.deliveries("bob").map(\.campaign?.id) == ["m"])
    #expect(stage.lastRefusal(of: "player", for: "bob") == .sessionEnded)
  }

  // Proves: R-36
  @Test func `a client that starts anew and resumes is sent its player again, as seen`()
    throws
  {
    var (stage, id) = try watching()
    let message = try #require(stage.deliveries("bob").first)
    try stage.report("bob", message.id, .started, .impression)
    let impressions = stage.messaging("bob")?.history["player"]?.count
    stage.disconnect("bob")
    stage.resume("bob")
    try stage.tell("bob", .appState(AppState(isVisible: true, epoch: 2)))
    let again = try #require(stage.sentDeliveries("bob").first)
    #expect(again.message == message && again.message.session == id && again.wasSeen)
    #expect(stage.messaging("ann")?.deliveries.first?.isSeen == false)
    try stage.report("bob", message.id, .started, .impression)
    #expect(stage.messaging("bob")?.history["player"]?.count == impressions)
  }

  // MARK: Campaigns

  // Proves: R-39
  @Test func `campaigns that stop are taken back, but for what is on the screen`() throws {
    var stage = try Stage.campaigning([.sample("a"), .sample("b", on: "other")])
    try stage.open("phone")
    try stage.log("phone")
    try stage.report("phone", try #require(stage.deliveries("phone").last?.id), .started)
    try stage.log("phone", "other")
    let second = try #require(stage.deliveries("phone").last?.id)
    stage.handle(.campaigns(CampaignSet()))
    #expect(stage.revocations("phone") == [.init(second, because: .stopped)])
    #expect(stage.messaging()?.deliveries.map(\.campaign) == ["a"])
  }

  @Test func `a message that is being kept as its campaign stops is taken back`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone")
    stage.isHeld = true
    stage.post(.messaging(.logEvent("go", [:], sequence: nil)), from: "phone")
    stage.handle(.campaigns(CampaignSet()))
    stage.isHeld = false
    stage.release()
    #expect(stage.deliveries("phone").map(\.id) == stage.revocations("phone").map(\.id))
    #expect(stage.deliveries("phone").count == 1)
  }

  @Test func `a server without campaigns has no messages`() throws {
    var stage = Stage()
    stage.connect(as: "phone")
    for request: MessagingRequest in [.wipe, .revalidate(["m"]), .explain(nil)] {
      #expect(
        try stage.refusal("phone", .messaging(request)).code == .messagingUnavailable)
    }
    #expect(stage.coordinator.people.users.rooms.isEmpty)
  }

  // MARK: Questions

  // Proves: R-30
  @Test func `what stands no more is revoked for whoever asks, each time anew`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone")
    try stage.log("phone")
    let id = try #require(stage.deliveries("phone").first?.id)
    let request = stage.post(.messaging(.revalidate([id, "gone"])), from: "phone")
    #expect(stage.revocations("phone") == [.init("gone", because: .expired)])
    try stage.report("phone", id, .dismissed(.swipe))
    stage.forget()
    stage.say(.request(request, .messaging(.revalidate([id]))), from: "phone")
    #expect(stage.inbox("phone").count == 2)
    #expect(stage.revocations("phone").map(\.id) == [id])
  }

  // Proves: R-39
  @Test func `what was recalled meanwhile leaves the screen of whoever comes back`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone")
    try stage.log("phone")
    let id = try #require(stage.deliveries("phone").first?.id)
    try stage.report("phone", id, .started)
    stage.handle(.campaigns(try CampaignSet([.sample("m") { $0.state = .recalled }])))
    stage.forget()
    stage.post(.messaging(.revalidate([id])), from: "phone")
    #expect(stage.revocations("phone") == [.init(id, because: .stopped, isForced: true)])
  }

  // Proves: R-40
  @Test func `why a campaign does not come is said, and nothing is changed by asking`() throws {
    var stage = try Stage.campaigning([.sample("m"), .sample("quiet", on: "never")])
    try stage.open("phone")
    try stage.log("phone")
    try stage.log("phone")
    let seq = stage.messaging()?.seq
    stage.post(.messaging(.explain("m")), from: "phone")
    guard case .explanation(_, let explanations)? = stage.inbox("phone").last else {
      Issue.record("\(stage.inbox("phone"))")
      return
    }
    #expect(explanations.map(\.now) == [.reserved])
    #expect(explanations.map(\.last?.refusal) == [.reserved])
    stage.post(.messaging(.explain(nil)), from: "phone")
    guard case .explanation(_, let all)? = stage.inbox("phone").last else { return }
    #expect(Set(all.map(\.campaign)) == ["m", "quiet"])
    #expect(try stage.refusal("phone", .messaging(.explain("none"))).code == .unknownCampaign)
    #expect(stage.messaging()?.seq == seq)
  }

  // Proves: R-40
  @Test func `why a campaign did not come is remembered, also of people who left`() throws {
    var stage = try Stage.campaigning([.sample("m")])
    try stage.open("phone")
    try stage.open("tv")
    try stage.log("phone")
    try stage.log("phone")
    stage.disconnect("phone")
    #expect(stage.lastRefusal(of: "m", for: "tv") == .reserved)
    try stage.tell("tv", .appState(AppState(isVisible: false, epoch: 1)))
    #expect(stage.lastRefusal(of: "m", for: "tv") == .reserved)
    stage.disconnect("tv")
    // A tool asks in the person's name, and does not say how an app is.
    stage.connect(as: "tool", user: "ann")
    #expect(stage.lastRefusal(of: "m", for: "tool") == .reserved)
    try stage.open("phone")
    #expect(stage.lastRefusal(of: "m", for: "phone") == .reserved)
    try stage.tell("phone", .wipe)
    #expect(stage.lastRefusal(of: "m", for: "phone") == nil)
  }

  @Test func `an event that no live campaign waits for is answered so, any other is not`() throws {
    var stage = try Stage.campaigning([
      .sample("m") {
        $0.triggers = [.event(name: "go", filters: [PropertyFilter("n", .equal, .number(1))])]
      },
      .sample("late", on: "later") { $0.state = .paused },
    ])
    try stage.open("phone")
    func answer(_ name: String, _ properties: [String: PropertyValue] = [:]) throws -> Answer {
      try stage.tell("phone", .logEvent(name, properties, sequence: nil))
    }
    #expect(try answer("stop") == .noMatchingTrigger)
    #expect(try answer("go") == .noMatchingTrigger)
    #expect(try answer("later") == .noMatchingTrigger)
    #expect(try answer("go", ["n": .number(1)]) == .done(seq: nil))
    // Now it is kept from her by the one that stands, and waits all the same.
    #expect(try answer("go", ["n": .number(1)]) == .done(seq: nil))
    #expect(stage.deliveries("phone").count == 1)
    try stage.tell("phone", .setCollection(false))
    #expect(try answer("stop") == .done(seq: nil))
  }

  // MARK: Bounds

  @Test func `as many people are known as may be, and those who leave nothing make room`() throws {
    var limits = Limits()
    limits.users = 1
    var stage = try Stage.campaigning([.sample("m")], limits: limits)
    try stage.open("phone", as: "ann")
    stage.connect(as: "tv", user: "bob")
    let error = try stage.refusal("tv", .messaging(.logEvent("go", [:], sequence: nil)))
    #expect(error == ProtocolError(.usersFull, limit: 1))
    stage.disconnect("phone")
    #expect(stage.coordinator.people.users.rooms.isEmpty)
    try stage.log("tv")
    try stage.open("phone2", as: "bob")
    stage.disconnect("tv")
    #expect(stage.coordinator.people.users.rooms.count == 1)
  }

  @Test func `too much waiting is refused, but a loss is not`() throws {
    var limits = Limits()
    limits.pendingCommands = 1
    var stage = try Stage.campaigning([.sample("m")], limits: limits)
    try stage.open("phone")
    try stage.log("phone")
    try stage.report("phone", try #require(stage.deliveries("phone").first?.id), .waiting)
    stage.isHeld = true
    for _ in 0..<2 { stage.post(.messaging(.logEvent("x", [:], sequence: nil)), from: "phone") }
    let refused = try stage.refusal("phone", .messaging(.logEvent("x", [:], sequence: nil)))
    #expect(refused.code == .busy)
    stage.disconnect("phone")
    stage.isHeld = false
    stage.release()
    #expect(stage.messaging()?.lost.count == 1)
  }

  @Test func `how an app is, said over and over, does not wait without a bound either`() throws {
    var limits = Limits()
    limits.pendingCommands = 4
    var stage = try Stage.campaigning([.sample("m")], limits: limits)
    try stage.open("phone")
    stage.isHeld = true
    stage.post(.messaging(.logEvent("go", [:], sequence: 1)), from: "phone")
    for epoch in 2..<100 {
      stage.post(.messaging(.appState(AppState(isVisible: false, epoch: epoch))), from: "phone")
    }
    let busy = try stage.refusal(
      "phone", .messaging(.appState(AppState(isVisible: true, epoch: 100))))
    #expect(busy.code == .busy && busy.retryAfter == .seconds(1))
    #expect((stage.coordinator.people.users["ann"]?.lane.waitingCount ?? 0) <= 5)
    // What was refused is not half done.
    #expect(stage.coordinator.people.users["ann"]?.epochs["phone"] == 3)
    stage.isHeld = false
    stage.release()
    try stage.tell("phone", .appState(AppState(isVisible: true, epoch: 100)))
    #expect(stage.coordinator.people.users["ann"]?.epochs["phone"] == 100)
  }
}

extension Stage {
  /// Why a campaign did not come when it was last looked at, as a device is told.
  fileprivate mutating func lastRefusal(of campaign: CampaignID, for device: DeviceID)
    -> InAppMessage.Refusal?
  {
    post(.messaging(.explain(campaign)), from: device)
    guard case .explanation(_, let explanations)? = inbox(device).last else { return nil }
    return explanations.first?.last?.refusal
  }
}
