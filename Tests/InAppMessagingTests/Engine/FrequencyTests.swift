import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct FrequencyTests {
  // Proves: R-5
  @Test func `seen once it does not come again, unless the author wants it`() throws {
    var person = try Person([
      .sample("once", on: "once") { $0.reEligibility = .never },
      .sample("daily", on: "daily") { $0.reEligibility = .after(.seconds(86_400)) },
    ])
    for (event, campaign) in [("once", CampaignID("once")), ("daily", CampaignID("daily"))] {
      #expect(try person.log(event) == [campaign])
      try person.watch()
      #expect(try person.log(event) == [])
      #expect(person.refusal(campaign) == .frequency)
    }
    // The window counts from the impression, and its end is outside it.
    try person.wait(.seconds(86_399))
    #expect(try person.log("daily") == [])
    try person.wait(.seconds(1))
    #expect(try person.log("daily") == ["daily"])
    #expect(try person.log("once") == [])
  }

  // Proves: R-5
  @Test func `caps hold for ever, for a session and in a window, all together`() throws {
    let caps: [FrequencyCap] = [
      .init(2, per: .session), .init(3, per: .rolling(.seconds(3_600))), .init(5, per: .ever),
    ]
    var person = try Person([.sample("m") { $0.caps = caps }])
    try person.log(.foreground)
    func see() throws -> Bool {
      let isSeen = try person.log("go") == ["m"]
      if isSeen { try person.watch() }
      try person.wait(.seconds(1))
      return isSeen
    }
    #expect(try [see(), see(), see()] == [true, true, false])
    #expect(person.trace["m"]?.clue == .place(0))
    try person.wait(.seconds(600))
    try person.log(.foreground)
    #expect(try [see(), see()] == [true, false])
    #expect(person.trace["m"]?.clue == .place(1))
    // The first two have left the window.
    try person.wait(.seconds(3_000))
    try person.log(.foreground)
    #expect(try [see(), see(), see()] == [true, true, false])
    try person.wait(.seconds(4_000))
    try person.log(.foreground)
    #expect(try !see())
    #expect(person.trace["m"]?.clue == .place(2))
    #expect(person.refusal("m") == .cap)
    #expect(person.user.history["m"]?.count == 5)
    #expect(person.user.history["m"]?.earlier.count == 2)
  }

  // Proves: R-5
  @Test func `a session's messages on their way count in its caps`() throws {
    var person = try Person([
      .sample("m") {
        $0.bindsSession = true
        $0.caps = [.init(1, per: .ever)]
      }
    ])
    let event = AppEvent.event(name: "go", properties: [:])
    #expect(try person.log(event, in: "s") == ["m"])
    #expect(try person.log(event, in: "s") == [])
    #expect(person.refusal("m") == .cap)
  }

  @Test func `a session begins after the time-out, and saying so right away is the same one`()
    throws
  {
    var person = try Person([.sample("m") { $0.triggers = [.sessionStart, .foreground] }])
    #expect(try person.log(.launch) == ["m"])
    try person.watch()
    let start = person.user.sessionStart
    #expect(start == person.now)
    try person.wait(.seconds(1))
    #expect(try person.log(.sessionStart) == [])
    #expect(person.user.sessionStart == start)
    try person.wait(.seconds(9))
    try person.run(.hidden("phone"))
    try person.wait(.seconds(9))
    #expect(try person.log(.foreground) == ["m"])
    #expect(person.user.sessionStart == start)
    try person.watch()
    try person.run(.hidden("phone"))
    try person.wait(.seconds(10))
    // Both of its triggers hold, and it comes once.
    #expect(try person.log(.foreground) == ["m"])
    #expect(person.user.sessionStart == person.now)
  }

  @Test(arguments: [true, false])
  func `who has the app in sight elsewhere is not away, however long nothing happens`(
    isVisible: Bool
  ) throws {
    var person = try Person([.sample("m") { $0.triggers = [.sessionStart] }])
    person.devices = ["tv", "phone"].map { DevicePresence($0, lastActive: person.now) }
    try person.log(.launch, on: "tv")
    try person.watch()
    let start = person.user.sessionStart
    person.devices[0].isVisible = isVisible
    try person.wait(.seconds(3_600))
    #expect(try person.log(.launch, on: "phone") == (isVisible ? [] : ["m"]))
    #expect((person.user.sessionStart == start) == isVisible)
    #expect(person.user.lastSeen == person.now)
  }

  // Proves: R-1
  @Test(arguments: [AppEvent.pushOpened(campaign: nil), .event(name: "go", properties: [:])])
  func `what waited in a client keeps no session from beginning`(event: AppEvent) throws {
    var person = try Person([.sample("m") { $0.triggers = [.sessionStart] }])
    #expect(try person.log(.launch) == ["m"])
    try person.watch()
    try person.run(.hidden("phone"))
    let gone = person.now
    try person.wait(.seconds(86_400))
    try person.log(event)
    let report = MessagingCommand.report(
      .dismissed(.swipe), of: person.delivered[0].message.id,
      identity: EventIdentity(.client("tablet"), 1))
    try person.run(report)
    #expect(person.user.lastSeen == gone && person.user.lastActive == person.now)
    #expect(try person.log(.foreground) == ["m"])
    let start = person.user.sessionStart
    #expect(start == person.now)
    // While they use the app, their events say that they are there.
    for _ in 0..<3 {
      try person.wait(.seconds(9))
      try person.log(event)
    }
    try person.log(.foreground)
    #expect(person.user.sessionStart == start)
  }

  // Proves: R-22, §7.7
  @Test func `discarded by the app it is used up; refused otherwise it may come again`() throws {
    for refusal in InAppMessage.Refusal.allCases {
      var person = try Person([.sample("m") { $0.reEligibility = .never }])
      try person.log("go")
      let decision = try person.run(.report(.refused(refusal), of: person.delivered[0].message.id))
      #expect(!decision.events.contains { if case .impression = $0 { true } else { false } })
      #expect((person.user.history["m"] != nil) == (refusal == .choice))
      #expect(person.user.deliveries.isEmpty)
      try person.run(.campaignsChanged)
      #expect(try person.log("go") == (refusal == .choice ? [] : ["m"]), "\(refusal)")
    }
  }

  // Proves, F26, §7.2
  @Test func `shown and reported by nobody it comes again, with a warning each time`() throws {
    var person = try Person([.sample("m") { $0.reEligibility = .never }])
    for number in 1...3 {
      #expect(try person.log("go") == ["m"])
      try person.report(.started, .dismissed(.programmatic))
      #expect(person.warnings.count == number)
      try person.wait(.seconds(100))
    }
    #expect(person.user.history.isEmpty)
    #expect(try person.log("go") == ["m"])
    try person.report(.started, .impression, .dismissed(.programmatic))
    #expect(person.warnings.count == 3)
    #expect(try person.log("go") == [])
    #expect(person.refusal("m") == .frequency)
  }

  // Proves, F27
  @Test func `a click counts as an impression, and reports sent again count once`() throws {
    var person = try Person([.sample("m")])
    try person.log("go")
    try person.report(.clicked(button: "1"), .impression, .started, .impression)
    try person.report(.clicked(button: "1"), .dismissed(.closeButton), .impression)
    #expect(person.user.history["m"]?.count == 1)
    #expect(person.user.deliveries.isEmpty)
  }

  // Proves: R-1
  @Test func `a page's click that is told again is the same click`() throws {
    var person = try Person([
      .sample("page") {
        let page = InAppMessage(id: "", kind: .html, body: .html(.init("<p>Hello</p>")))
        $0.variants = [.init(id: "a", .message(page))]
      }
    ])
    try person.log("go")
    let id = person.delivered[0].message.id
    var clicks = 0
    for sequence in [7, 7, 8] {
      let report = MessagingCommand.report(
        .clicked(button: "x"), of: id, identity: EventIdentity(.client("phone"), sequence))
      let decision = try person.run(report)
      #expect(decision.events.isEmpty == (clicks == 1 && sequence == 7))
      clicks += decision.events.count { $0 == .clicked(id, button: "x") }
    }
    #expect(clicks == 2)
  }

  // Proves
  @Test func `a control counts, and is over with its impression`() throws {
    var person = try Person([
      .sample("m") {
        $0.variants = [.init(id: "c", .control)]
        $0.reEligibility = .never
      }
    ])
    try person.log("go")
    #expect(person.delivered[0].message.kind == .control)
    #expect(person.delivered[0].message.campaign?.variant == "c")
    try person.report(.started, .impression)
    #expect(person.user.deliveries.isEmpty)
    #expect(person.user.history["m"]?.count == 1)
    #expect(person.user.starts.contextual == person.now)
    try person.report(.dismissed(.automatic))
    #expect(person.warnings.isEmpty)
  }

  @Test func `a campaign of the set is never forgotten, however many came and went`() throws {
    var person = try Person([.sample("kept", on: "kept") { $0.reEligibility = .never }])
    let kept = person.campaigns.campaigns
    try person.log("kept")
    try person.watch()
    for number in 0..<(2 * CampaignLimits.campaigns) {
      try person.wait(.seconds(1))
      person.campaigns = try CampaignSet(kept + [.sample(CampaignID("m\(number)"))])
      #expect(try person.log("go").count == 1)
      try person.watch()
    }
    #expect(person.user.history.count == CampaignLimits.campaigns)
    #expect(try person.log("kept") == [])
  }

  @Test func `a campaign can be made as new`() throws {
    var person = try Person([.sample("m") { $0.reEligibility = .never }])
    try person.log("go")
    try person.watch()
    try person.run(.forget("m"))
    #expect(try person.log("go") == ["m"])
  }
}
