import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct UpkeepTests {
  private let go = AppEvent.event(name: "go", properties: [:])

  // Proves: R-39
  @Test(arguments: [true, false])
  func `a stopped campaign is taken back, from the screen only if recalled`(isRecalled: Bool) throws
  {
    var person = try Person([
      .sample("shown", on: "1"), .sample("stacked", on: "2"), .sample("sent", on: "3"),
      .sample("late", on: "4") { $0.delay = .seconds(9) }, .sample("other", on: "5"),
    ])
    let reports: [MessageReport] = [.started, .waiting]
    for (place, name) in ["1", "2", "3", "4", "5"].enumerated() {
      try person.log(name)
      if place < 2 { try person.report(reports[place]) }
    }
    let shown = Campaign.sample("shown", on: "1") { $0.state = isRecalled ? .recalled : .stopped }
    person.campaigns = try CampaignSet([shown, .sample("other", on: "5")])
    #expect(person.user.concernsCampaigns)
    let decision = try person.run(.campaignsChanged)
    let left: [CampaignID] = isRecalled ? ["other"] : ["shown", "other"]
    #expect(person.user.deliveries.map(\.campaign) == left)
    let ids = person.delivered.map(\.message.id)
    #expect(person.withdrawn == (isRecalled ? Array(ids[0..<3]) : Array(ids[1..<3])))
    #expect(
      decision.effects.contains(
        .withdraw(ids[1], from: "phone", because: .stopped, isForced: false)))
    #expect(person.refusal("late") == .stopped)
    // It was on the screen already when it was taken back.
    try person.run(.report(.impression, of: ids[2]))
    #expect(person.user.history["sent"]?.count == 1)
  }

  // Proves: R-39
  @Test(arguments: [(Campaign.State.recalled, true), (.stopped, false)])
  func `a device that was away meanwhile clears its screen of a recalled campaign`(
    state: Campaign.State, isForced: Bool
  ) throws {
    var person = try Person([.sample("shown", on: "1"), .sample("stacked", on: "2")])
    try person.run(.connected("phone", epoch: 1))
    try person.log("1")
    try person.report(.started, .impression)
    try person.log("2")
    try person.report(.waiting)
    try person.run(.disconnected("phone"))
    person.campaigns = try CampaignSet(
      ["shown", "stacked"].enumerated().map { place, id in
        .sample(CampaignID(id), on: "\(place + 1)") { $0.state = state }
      })
    try person.run(.campaignsChanged)
    let decision = try person.run(.connected("phone", epoch: 1))
    let reason: InAppMessage.Refusal = isForced ? .stopped : .expired
    let ids = person.delivered.map(\.message.id)
    #expect(
      decision.effects
        == (isForced ? ids : [ids[1]]).map {
          .withdraw($0, from: "phone", because: reason, isForced: isForced)
        })
  }

  // Proves: R-39
  @Test func `a campaign past its end is taken back, too`() throws {
    var person = try Person()
    let end = person.now + .seconds(10)
    person.campaigns = try CampaignSet([.sample("m") { $0.end = end }])
    try person.log("go")
    try person.report(.waiting)
    person.now = end
    try person.run(.campaignsChanged)
    #expect(person.user.deliveries.isEmpty)
  }

  // Proves: R-31, §7.11
  @Test func `a device that is another person's now gives everything back`() throws {
    var person = try Person([
      .sample("stacked", on: "1"), .sample("shown", on: "2"), .sample("tablet", on: "3"),
    ])
    try person.log("1")
    try person.report(.waiting)
    try person.log("2")
    try person.report(.started, .impression)
    person.devices.append(.init("tablet", lastActive: person.now))
    try person.log(.event(name: "3", properties: [:]), on: "tablet")
    let decision = try person.run(.released("phone"))
    #expect(
      decision.events == [
        .ended(person.delivered[0].message.id, .refused(.userMismatch)),
        .ended(person.delivered[1].message.id, .presented(dismissedBy: .userChanged)),
      ])
    #expect(person.user.deliveries.map(\.campaign) == ["tablet"])
    #expect(person.user.history["shown"]?.count == 1)
    #expect(person.user.history["stacked"] == nil)
  }

  // Proves: R-31
  @Test func `wiped, nothing is known but what was counted on`() throws {
    var person = try Person([.sample("m") { $0.reEligibility = .never }])
    try person.run(.setAttributes(["plan": .string("paid"), "age": .number(30)]))
    try person.run(.setMembership(list: "fans", true))
    try person.log("go")
    try person.report(.started, .impression)
    let identity = EventIdentity(.client("phone"), 1)
    try person.run(.wipe)
    #expect(person.withdrawn == [person.delivered[0].message.id])
    #expect(person.user.attributes.isEmpty && person.user.lists.isEmpty)
    #expect(person.user.history.isEmpty && person.user.deliveries.isEmpty)
    #expect(try person.run(.log(Occurrence(go, identity: identity))).events.isEmpty)
    #expect(try person.log("go") == ["m"])
    #expect(person.delivered[0].message.id != person.delivered[1].message.id)
  }

  // Proves, S15, §7.12
  @Test func `a session's newest item replaces what is on its way, not what is on the screen`()
    throws
  {
    var person = try Person([.sample("player") { $0.bindsSession = true }])
    #expect(try person.log(go, in: "s") == ["player"])
    #expect(person.delivered[0].message.session == "s")
    try person.report(.waiting)
    #expect(try person.log(go, in: "s") == ["player"])
    #expect(person.withdrawn == [person.delivered[0].message.id])
    #expect(person.user.deliveries.map(\.id) == [person.delivered[1].message.id])
    #expect(person.trace["player"]?.trigger == 0 && person.refusal("player") == nil)
    try person.report(.started, .impression)
    #expect(try person.log(go, in: "s") == ["player"])
    #expect(person.withdrawn.count == 1)
    #expect(person.user.deliveries.count == 2)
    // A client that says nothing of the one before does not fill the account with it.
    try person.report(.started)
    #expect(person.user.deliveries.map(\.id) == [person.delivered[2].message.id])
  }

  // Proves: R-12
  @Test func `a session's message goes to no device that is not in the session`() throws {
    var person = try Person([.sample("player") { $0.bindsSession = true }])
    person.devices = [
      .init("phone", isVisible: false, lastActive: person.now),
      .init("tablet", lastActive: person.now),
    ]
    #expect(try person.log(go, in: "s") == [])
    #expect(try person.log(go) == ["player"])
    #expect(person.delivered[0].device == "tablet")
    person.devices[0].isVisible = true
    try person.run(.presenceChanged)
    #expect(person.delivered.map(\.device) == ["tablet", "phone"])
  }

  // Proves: R-33
  @Test(arguments: [Duration.zero, .seconds(9)])
  func `what waits is not sent, too, once the fallback of another has replaced it`(delay: Duration)
    throws
  {
    var person = try Person([
      .sample("a") {
        $0.variants = [.init(id: "a", .message(.sample("{{event.title}}")))]
        $0.delay = delay
      },
      .sample("player", on: "other") {
        $0.triggers.append(.event(name: "go", filters: []))
        $0.bindsSession = true
        $0.delay = delay
      },
    ])
    person.devices[0].isVisible = false
    try person.log(go, in: "s")
    try person.log(.event(name: "other", properties: [:]), in: "s")
    #expect(person.user.deliveries.map(\.campaign) == ["a", "player"])
    person.devices[0].isVisible = true
    person.now = person.now + delay
    try person.run(delay == .zero ? .presenceChanged : .clockAdvanced)
    #expect(person.delivered.map(\.message.campaign?.id) == ["player"])
    #expect(person.user.deliveries.map(\.id) == person.delivered.map(\.message.id))
  }

  // Proves: R-36, §7.13
  @Test
  func `after a reload the player comes back as the same delivery, without a second impression`()
    throws
  {
    var person = try Person([
      .sample("player") { $0.bindsSession = true }, .sample("promo", on: "promo"),
    ])
    try person.run(.connected("phone", epoch: 1))
    try person.log(go, in: "s")
    try person.report(.started, .impression)
    try person.log("promo")
    try person.report(.waiting)
    try person.wait(.seconds(4_000))
    try person.run(.disconnected("phone"))
    try person.wait(.seconds(20))
    try person.run(.connected("phone", epoch: 2))
    #expect(person.delivered.map(\.message.campaign?.id) == ["player", "promo", "player"])
    #expect(person.delivered[0].message == person.delivered[2].message)
    #expect(person.seenBefore == [person.delivered[2].message.id])
    try person.report(.started, .impression)
    #expect(person.user.history["player"]?.count == 1)
    #expect(person.user.deliveries.map(\.campaign) == ["player"])
  }

  // Proves, W12, §7.12
  @Test func `with its session over its messages are, too`() throws {
    var person = try Person([
      .sample("player") { $0.bindsSession = true }, .sample("promo", on: "promo"),
    ])
    try person.log("promo")
    try person.log(go, in: "s")
    try person.report(.started, .impression)
    try person.log(go, in: "s")
    try person.report(.waiting)
    try person.log(go, in: "other")
    let ids = person.delivered.map(\.message.id)
    let decision = try person.run(.sessionOver("s", on: nil))
    #expect(person.withdrawn == [ids[1], ids[2]])
    #expect(decision.events.contains(.ended(ids[1], .presented(dismissedBy: .sessionEnded))))
    #expect(person.user.deliveries.map(\.id) == [ids[0], ids[3]])
    #expect(person.refusal("player") == .sessionEnded)
  }

  // Proves: R-35
  @Test func `left on one device it goes on on the other`() throws {
    var person = try Person([.sample("player") { $0.bindsSession = true }])
    person.devices.append(.init("tablet", lastActive: person.now))
    try person.log(go, on: "phone", in: "s")
    try person.log(go, on: "tablet", in: "s")
    #expect(person.delivered.map(\.device) == ["phone", "tablet"])
    try person.run(.sessionOver("s", on: "phone"))
    #expect(person.user.deliveries.compactMap(\.device) == ["tablet"])
  }

  // Proves: R-6
  @Test func `a test comes whatever the limits, on its own device, once, and counts for nothing`()
    throws
  {
    var person = try Person(
      [
        .sample("m") {
          $0.state = .draft
          $0.end = Instant(microseconds: 1)
          $0.audience = .not(.all)
          $0.caps = [.init(1, per: .ever)]
          $0.variants = [
            .init(id: "a", .message(.sample("{{event.title}}"))),
            .init(id: "c", weight: 0, .control),
          ]
        }
      ], intervals: [.braze])
    let phone = person.devices[0]
    person.devices = [.init("tablet", lastActive: person.now)]
    let event = AppEvent.event(name: "go", properties: ["title": .string("Heat")])
    try person.run(.test("m", variant: "a", on: "phone", event))
    #expect(person.delivered.isEmpty)
    person.devices.append(phone)
    try person.run(.presenceChanged)
    try person.run(.presenceChanged)
    #expect(person.delivered.map(\.device) == ["phone"])
    #expect(person.delivered[0].message.campaign?.isTest == true)
    try person.report(.started, .impression, .dismissed(.closeButton))
    try person.run(.test("m", variant: "c", on: "phone", nil))
    try person.report(.refused(.choice))
    try person.run(.test("m", variant: "a", on: "phone", event))
    try person.report(.refused(.assets))
    #expect(person.delivered.count == 3)
    #expect(person.user.history.isEmpty && person.user.failed.isEmpty)
    #expect(person.user.starts == LastStarts())
    #expect(person.user.deliveries.isEmpty)
  }

  // Proves: R-6
  @Test func `a test whose device comes too late is not shown`() throws {
    var person = try Person([.sample("m")])
    let devices = person.devices
    person.devices = []
    try person.run(.test("m", variant: nil, on: "phone", nil))
    person.now = person.now + .seconds(300)
    person.devices = devices
    try person.run(.presenceChanged)
    #expect(person.delivered.isEmpty && person.user.deliveries.isEmpty)
  }

  // Proves: R-6
  @Test func `a test of nothing is refused, and so is one where nothing is collected`() throws {
    var person = try Person([.sample("m")])
    #expect(throws: MessagingRejection.unknownCampaign("x")) {
      try person.run(.test("x", variant: nil, on: "phone", nil))
    }
    #expect(throws: MessagingRejection.unknownVariant("z")) {
      try person.run(.test("m", variant: "z", on: "phone", nil))
    }
    try person.run(.setCollection(false))
    #expect(throws: MessagingRejection.collectionOff) {
      try person.run(.test("m", variant: nil, on: "phone", nil))
    }
  }

  // Proves: R-40
  @Test func `asked why, it says what came of the campaign, and what would now`() throws {
    var person = try Person(
      [
        .sample("m", filters: [.init("x", .equal, .number(1))]) {
          $0.caps = [.init(1, per: .rolling(.seconds(60)))]
        }
      ], intervals: [.braze])
    func explain(_ id: CampaignID = "m") -> Explanation {
      person.user.explain(id, person.trace, at: person.now, under: person.conditions)
    }
    #expect(explain() == Explanation(campaign: "m"))
    try person.log("go")
    #expect(explain().last?.refusal == .noMatch)
    #expect(explain().last?.clue == .place(0))
    #expect(explain().trigger == "event go")
    #expect(explain().now == nil)
    try person.log("go", ["x": .number(1)])
    #expect(explain().last == Evaluation(campaign: "m", at: person.now, trigger: 0))
    #expect(explain().now == .reserved)
    try person.report(.refused(.orientation))
    #expect(explain().last?.refusal == .orientation)
    try person.log("go", ["x": .number(1)])
    try person.watch()
    #expect(explain().now == .cap)
    #expect(explain().detail == "at most 1 per 1m")
    try person.wait(.seconds(60))
    #expect(explain().now == nil)
    #expect(explain("x").now == .stopped)
    try person.run(.setPaused(true))
    #expect(explain().now == .collectionOff)
  }

  // Proves: R-40
  @Test func `how long a message has to wait is said to the next second`() throws {
    var person = try Person([.sample("m")], intervals: [.braze])
    try person.log("go")
    try person.watch()
    let shown = person.now
    try person.wait(.microseconds(1_234_567))
    let explanation = person.user.explain(
      "m", person.trace, at: person.now, under: person.conditions)
    #expect(explanation.now == .interval)
    let left = Duration.seconds(30) - (person.now - shown)
    let detail = try #require(explanation.detail)
    let told = try #require(Double(detail.split(separator: " ")[1]))
    #expect(detail == "for \(Int(told)) s more")
    #expect(told >= left.inSeconds && told < left.inSeconds + 1)
  }

  @Test(
    arguments: [
      (.zero, "0 s"), (.milliseconds(1), "1 s"), (.seconds(60), "1 min"), (.seconds(-1), "0 s"),
      (.milliseconds(86_399_001), "1 d"), (.seconds(93_784), "1 d 2 h 3 min 4 s"),
    ] as [(Duration, String)])
  func `what is left of a wait is said in its units`(left: Duration, words: String) {
    #expect(left.waitText == words)
  }

  // Proves: R-40
  @Test func `what was found is bounded, and the latest of a campaign counts`() throws {
    var person = try Person(
      (0..<40).map { .sample(CampaignID("m\($0)"), on: "e\($0)") })
    for number in 0..<40 {
      try person.log("e\(number)")
      try person.log("e\(number)")
    }
    #expect(person.trace.rows.count == 16)
    #expect(person.refusal("m39") == .reserved)
    #expect(person.trace["m0"] == nil)
    #expect(MemoryLayout<Evaluation>.stride <= 40)
  }
}
