import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct EvaluationTests {
  // Proves: R-1
  @Test func `an event sent again is acknowledged and triggers nothing`() throws {
    var person = try Person([.sample("m")])
    let occurrence = Occurrence(
      .event(name: "go", properties: [:]), identity: EventIdentity(.client("phone"), 7), on: "phone"
    )
    #expect(try person.run(.log(occurrence)).events.isEmpty == false)
    try person.watch()
    let again = try person.run(.log(occurrence))
    #expect(again.events.isEmpty)
    #expect(again.events.isEmpty)
    #expect(person.delivered.count == 1)
    var older = occurrence
    older.identity?.sequence = 6
    #expect(try person.run(.log(older)).events.isEmpty)
    older.identity = EventIdentity(.client("tablet"), 6)
    #expect(try person.run(.log(older)).events.isEmpty == false)
  }

  // Proves: R-1, W10
  @Test func `what is enqueued in a session is told once for each stay and revision`() throws {
    var person = try Person([.sample("m")])
    func enqueued(_ stay: ParticipantID, _ revision: Int) -> MessagingCommand {
      .log(
        Occurrence(
          .event(name: "go", properties: [:]),
          identity: EventIdentity(.participant(stay), revision),
          on: "phone", in: "s"))
    }
    try person.run(enqueued("p1", 1))
    try person.watch()
    #expect(try person.run(enqueued("p1", 1)).events.isEmpty)
    #expect(try person.run(enqueued("p2", 1)).events.isEmpty == false)
    try person.watch()
    #expect(try person.run(enqueued("p1", 2)).events.isEmpty == false)
    #expect(person.delivered.count == 3)
  }

  // Proves: R-1
  @Test func `a client that runs anew numbers its events from the beginning`() throws {
    var person = try Person([.sample("m")])
    try person.run(.connected("phone", epoch: 1))
    try person.log("go")
    try person.watch()
    try person.run(.connected("phone", epoch: 1))
    let first = Occurrence(
      .event(name: "go", properties: [:]), identity: EventIdentity(.client("phone"), 1), on: "phone"
    )
    #expect(try person.run(.log(first)).events.isEmpty)
    try person.run(.connected("phone", epoch: 2))
    #expect(try person.run(.log(first)).events.isEmpty == false)
  }

  // Proves: R-1
  @Test func `a device that logs before it connects has no epoch`() throws {
    var person = try Person()
    try person.log("go")
    let decision = try person.run(.connected("phone", epoch: 1))
    #expect(decision.events.contains(.connected("phone", epoch: 1)))
  }

  @Test func `the least recent sources of events are forgotten`() throws {
    var person = try Person()
    for number in 1...40 {
      try person.wait(.seconds(1))
      try person.log(.launch, on: DeviceID("d\(number)"))
    }
    for number in 1...40 {
      try person.wait(.seconds(1))
      let identity = EventIdentity(.participant(ParticipantID("p\(number)")), 1)
      try person.run(.log(Occurrence(.event(name: "x", properties: [:]), identity: identity)))
    }
    #expect(person.user.marks.count == 16)
    #expect(person.user.marks[.client("d33")] != nil)
    #expect(person.user.marks[.client("d32")] == nil)
    #expect(person.user.marks[.participant("p33")] != nil)
  }

  // Proves: R-2
  @Test(arguments: [MessagingCommand.setCollection(false), .setPaused(true)])
  func `with collection off or messages paused nothing is logged`(off: MessagingCommand) throws {
    var person = try Person([.sample("m")])
    try person.run(off)
    let seq = person.user.seq
    #expect(try person.log("go") == [])
    #expect(person.user.seq == seq)
    try person.run(.setCollection(true))
    try person.run(.setPaused(false))
    #expect(try person.log("go") == ["m"])
  }

  // Proves: R-2
  @Test func `turned off, what is on its way is taken back, and what is on the screen stays`()
    throws
  {
    var person = try Person([.sample("shown"), .sample("stacked"), .sample("late")])
    person.campaigns = try CampaignSet([
      .sample("shown", on: "1"), .sample("stacked", on: "2"),
      .sample("late", on: "3") { $0.delay = .seconds(9) },
    ])
    try person.log("1")
    try person.report(.started)
    try person.log("2")
    try person.report(.waiting)
    try person.log("3")
    try person.run(.setCollection(false))
    #expect(person.user.deliveries.map(\.campaign) == ["shown"])
    #expect(person.withdrawn == [person.delivered[1].message.id])
  }

  // Proves: R-2
  @Test(arguments: [MessagingCommand.setCollection(false), .setPaused(true)])
  func `turned off, a click on what stayed brings nothing more`(off: MessagingCommand) throws {
    var person = try Person([
      .sample("m"), .sample("next") { $0.triggers = [.messageClicked(campaign: "m", button: nil)] },
    ])
    try person.log("go")
    try person.report(.started)
    try person.run(off)
    try person.report(.clicked(button: nil))
    #expect(person.delivered.map(\.message.campaign?.id) == ["m"])
    #expect(person.user.history["m"]?.count == 1)
  }

  // Proves: R-4, F21, F22
  @Test func `a campaign comes for its event and no other, however it is written`() throws {
    var person = try Person([.sample("m", on: "watch")])
    #expect(try person.log("Watch") == [])
    #expect(try person.log("watch ") == [])
    #expect(person.trace["m"] == nil)
    #expect(try person.log("watch") == ["m"])
  }

  // Proves: R-4, S16
  @Test func `any trigger is enough, and all filters of one have to hold`() throws {
    let campaign = Campaign.sample("m") {
      $0.triggers = [
        .event(name: "a", filters: [.init("x", .equal, .number(1)), .init("y", .set)]),
        .event(name: "a", filters: [.init("z", .set)]),
        .purchase(product: "film", filters: []),
      ]
    }
    let matching: [AppEvent] = [
      .event(name: "a", properties: ["x": .number(1), "y": .bool(false)]),
      .event(name: "a", properties: ["z": .number(0)]),
      .purchase(product: "film", properties: [:]),
    ]
    let others: [AppEvent] = [
      .event(name: "a", properties: ["x": .number(1)]),
      .event(name: "a", properties: ["x": .string("1"), "y": .bool(true)]),
      .purchase(product: "series", properties: [:]), .launch,
    ]
    for event in matching {
      var person = try Person([campaign])
      #expect(try person.log(event) == ["m"], "\(event)")
    }
    for event in others {
      var person = try Person([campaign])
      #expect(try person.log(event) == [], "\(event)")
    }
  }

  // Proves: R-4
  @Test func `launch, foreground, session start and opened pushes trigger`() throws {
    let campaigns: [Campaign] = [
      .sample("launch") { $0.triggers = [.launch] },
      .sample("foreground") { $0.triggers = [.foreground] },
      .sample("push") { $0.triggers = [.pushOpened(campaign: "news")] },
      .sample("anyPush") { $0.triggers = [.pushOpened(campaign: nil)] },
    ]
    var person = try Person(campaigns)
    #expect(try person.log(.launch) == ["launch"])
    #expect(try person.log(.foreground) == ["foreground"])
    #expect(try person.log(.pushOpened(campaign: "old")) == ["anyPush"])
    try person.watch()
    person.campaigns = try CampaignSet(campaigns.filter { $0.id != "anyPush" })
    #expect(try person.log(.pushOpened(campaign: "old")) == [])
    #expect(try person.log(.pushOpened(campaign: "news")) == ["push"])
  }

  // Proves: R-5
  @Test func `a campaign runs from its start up to its end`() throws {
    var person = try Person()
    let start = person.now + .seconds(10), end = person.now + .seconds(20)
    person.campaigns = try CampaignSet([
      .sample("m") {
        $0.start = start
        $0.end = end
      }
    ])
    person.now = start - .microseconds(1)
    #expect(try person.log("go") == [])
    #expect(person.refusal("m") == .notLive)
    person.now = start
    #expect(try person.log("go") == ["m"])
    try person.watch()
    person.now = end - .microseconds(1)
    #expect(try person.log("go") == ["m"])
    try person.watch()
    person.now = end
    #expect(try person.log("go") == [])
    #expect(person.refusal("m") == .notLive)
  }

  // Proves: R-5
  @Test(arguments: Campaign.State.allCases)
  func `only a live campaign comes`(state: Campaign.State) throws {
    var person = try Person([.sample("m") { $0.state = state }])
    #expect(try person.log("go") == (state == .live ? ["m"] : []))
  }

  // Proves: R-5, §7.1
  @Test func `a campaign under way brings no second copy, and the next one has its turn`() throws {
    var person = try Person([
      .sample("m1") { $0.reEligibility = .never },
      .sample("m2") { $0.priority = .init(.low) },
    ])
    #expect(try person.log("go") == ["m1"])
    try person.wait(.milliseconds(10))
    #expect(try person.log("go") == ["m2"])
    #expect(person.refusal("m1") == .reserved)
    try person.run(.report(.waiting, of: person.delivered[1].message.id))
    try person.run(.report(.refused(.assets), of: person.delivered[0].message.id))
    #expect(person.user.history.isEmpty)
    #expect(try person.log("go") == [])
    #expect(person.refusal("m1") == .invalidContent)
    #expect(person.refusal("m2") == .reserved)
  }

  // Proves
  @Test(arguments: [true, false])
  func `a campaign that failed rests until the next session or other campaigns`(isSession: Bool)
    throws
  {
    var person = try Person([.sample("m")])
    try person.log("go")
    try person.report(.refused(.invalidContent))
    #expect(try person.log("go") == [])
    if isSession {
      try person.wait(.seconds(60))
      try person.log(.foreground)
    } else {
      #expect(person.user.concernsCampaigns)
      try person.run(.campaignsChanged)
    }
    #expect(person.user.failed.isEmpty)
    #expect(try person.log("go") == ["m"])
  }

  // Proves: W3
  @Test func `an item that cannot be watched does not keep the next one away`() throws {
    var person = try Person([.sample("m") { $0.bindsSession = true }])
    try person.log("go")
    try person.report(.refused(.invalidContent))
    #expect(person.user.failed.isEmpty)
    #expect(try person.log("go") == ["m"])
  }

  // Proves: R-8, F22
  @Test func `one message an event, in an order that is always the same`() throws {
    func campaign(
      _ id: CampaignID, _ bucket: Campaign.Priority.Bucket, _ rank: Int, _ start: Int64?
    ) -> Campaign {
      .sample(id) {
        $0.priority = .init(bucket, rank: rank)
        $0.start = start.map { Instant(microseconds: $0) }
      }
    }
    let expected = [
      campaign("z", .high, 9, 5), campaign("y", .medium, -1, 5), campaign("x", .medium, 0, nil),
      campaign("w", .medium, 0, 1), campaign("B", .medium, 0, 2), campaign("a", .medium, 0, 2),
      campaign("é", .medium, 0, 2), campaign("c", .low, 0, 0),
    ]
    var generator = SplitMix64(seed: 8)
    for _ in 0..<20 {
      var person = try Person(expected.shuffled(using: &generator))
      #expect(person.campaigns.campaigns.map(\.id) == expected.map(\.id))
      for campaign in expected { #expect(try person.log("go") == [campaign.id]) }
      #expect(try person.log("go") == [])
    }
  }

  // Proves: R-8
  @Test func `those behind the first are outranked`() throws {
    var person = try Person(
      (0..<9).map { number in
        .sample(CampaignID("m\(number)")) { $0.priority = .init(rank: number) }
      })
    #expect(try person.log("go") == ["m0"])
    #expect(person.refusal("m0") == nil)
    for number in 1..<9 { #expect(person.refusal(CampaignID("m\(number)")) == .outranked) }
  }

  @Test func `a click on a message triggers another, on that button or anywhere`() throws {
    var person = try Person([
      .sample("m"),
      .sample("yes") { $0.triggers = [.messageClicked(campaign: "m", button: "1")] },
      .sample("any") {
        $0.triggers = [.messageClicked(campaign: "m", button: nil)]
        $0.priority = .init(.low)
      },
    ])
    try person.log("go")
    let first = try #require(person.delivered.first?.message.id)
    try person.run(.report(.clicked(button: "1"), of: first))
    #expect(person.delivered.last?.message.campaign?.id == "yes")
    // A second click is none.
    try person.run(.report(.clicked(button: "1"), of: first))
    #expect(person.delivered.count == 2)
    try person.run(.report(.dismissed(.action(button: "1")), of: first))
    try person.log("go")
    try person.report(.clicked(button: nil))
    #expect(person.delivered.last?.message.campaign?.id == "any")
  }

  @Test func `events beyond the bounds are refused, and change nothing`() throws {
    var person = try Person([.sample("m")])
    func rejection(_ name: String, _ properties: [String: PropertyValue]) -> MessagingRejection? {
      do throws(MessagingRejection) {
        try person.log(name, properties)
        return nil
      } catch { return error }
    }
    let limit = person.limits.nameBytes
    let long = String(repeating: "x", count: limit + 1)
    #expect(rejection(long, [:]) == .badName(String(repeating: "x", count: limit), limit: limit))
    #expect(rejection("", [:]) == .badName("", limit: limit))
    let many = Dictionary(
      uniqueKeysWithValues: (0..<65).map { ("k\($0)", PropertyValue.bool(true)) })
    #expect(rejection("go", many) == .tooManyProperties(limit: 64))
    let text = String(repeating: "x", count: 8192)
    #expect(rejection("go", ["a": .string(text)]) == .eventTooLong(limit: 8192))
    #expect(rejection("go", ["a": .string("b")]) == nil)
  }
}
