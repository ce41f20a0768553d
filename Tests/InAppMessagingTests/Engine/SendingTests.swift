import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct SendingTests {
  private func titled(_ id: CampaignID, _ change: (inout Campaign) -> Void = { _ in }) -> Campaign {
    .sample(id) {
      $0.variants = [.init(id: "a", .message(.sample("{{event.title}}")))]
      change(&$0)
    }
  }

  // Proves
  @Test func `a delayed message comes when its delay is over, filled in with its event`() throws {
    var person = try Person([titled("m") { $0.delay = .seconds(5) }])
    #expect(try person.log("go", ["title": .string("Heat")]) == [])
    #expect(person.user.nextDeadline(under: person.policy) == person.now + .seconds(5))
    #expect(try person.wait(.milliseconds(4_999)) == [])
    #expect(try person.wait(.milliseconds(1)) == ["m"])
    guard case .text(let text) = person.delivered[0].message.body else {
      Issue.record("no text")
      return
    }
    #expect(text.message == "Heat")
    #expect(person.delivered[0].message.campaign?.user == "ann")
  }

  // Proves
  @Test(arguments: [Duration.zero, .seconds(5)])
  func `what its values make of a message, and no client would show, gives way to the next`(
    delay: Duration
  ) throws {
    var person = try Person([
      .sample("high") {
        $0.priority = .init(.high)
        $0.delay = delay
        $0.variants = [.init(id: "a", .message(.sample("{{event.title | default: ''}}")))]
      }, .sample("low"),
    ])
    try person.log("go")
    try person.wait(delay)
    #expect(person.delivered.map(\.message.campaign?.id) == ["low"])
    let explanation = person.user.explain(
      "high", person.trace, at: person.now, under: person.conditions)
    #expect(explanation.last?.refusal == .invalidContent)
    #expect(explanation.last?.clue == .content(.noText))
    // With another value it may well be in order.
    #expect(explanation.now == nil)
    try person.log("go", ["title": .string("Heat")])
    try person.wait(delay)
    #expect(person.delivered.map(\.message.campaign?.id) == ["low", "high"])
  }

  // Proves, S8, S13
  @Test func `whatever events bring, nothing is sent that every client would refuse`() throws {
    var random = SplitMix64(seed: 7)
    let values = [
      "", "A", "A, B", ",", "https://example.org/a.mp4", "/a.mp4", "javascript:alert(1)", "a b",
      "picker", "video", "default", "mine", "https://127.1/a.mp4", "app://x",
    ]
    let kinds: [InAppMessage.Kind] = [.modal, .fullImage, .slideup, .html]
    var counts: [InAppMessage.Refusal?: Int] = [:]
    for round in 0..<400 {
      var message = InAppMessage(
        id: "", kind: kinds[round % kinds.count], body: .text(.init("{{event.text}}")))
      switch message.kind {
      case .fullImage: message.body = .image(.init(url: "{{event.image}}"), landscape: nil)
      case .html: message.body = .html(.init("{{event.text}}"))
      case .slideup: message.clickAction = .open(url: "{{event.link}}", inApp: true)
      default: break
      }
      if round % 3 > 0 {
        message.extras = [
          "view_type": .string("{{event.view}}"), "video_url": .string("{{event.video}}"),
        ]
      }
      var person = try Person([
        .sample("m") { $0.variants = [.init(id: "a", .message(message))] }
      ])
      var properties: [String: PropertyValue] = [:]
      for key in ["text", "image", "link", "view", "video"] {
        properties[key] = values.randomElement(using: &random).map { .string($0) }
      }
      try person.log("go", properties)
      counts[person.refusal("m"), default: 0] += 1
      #expect(person.delivered.allSatisfy { $0.message.universalFault == nil })
      if person.delivered.isEmpty {
        #expect([.invalidContent, .aborted].contains(person.refusal("m")))
      }
    }
    #expect(counts[nil] ?? 0 > 50 && counts[.invalidContent] ?? 0 > 50, "\(counts)")
  }

  // Proves, §7.10
  @Test func `what comes to nothing after its delay gives way to the next`() throws {
    let high = titled("high") {
      $0.priority = .init(.high)
      $0.delay = .seconds(5)
    }
    let middle = Campaign.sample("middle"),
      low = Campaign.sample("low") { $0.priority = .init(.low) }
    func person(then campaigns: [Campaign]) throws -> Person {
      var person = try Person([high, middle, low])
      #expect(try person.log("go") == [])
      person.campaigns = try CampaignSet(campaigns)
      try person.wait(.seconds(5))
      return person
    }
    let all = try person(then: [high, middle, low])
    #expect(all.delivered.map(\.message.campaign?.id) == ["middle"])
    #expect(all.refusal("high") == .aborted)
    #expect(all.trace["high"]?.clue == .place(0))
    #expect(all.trace["middle"] != nil && all.refusal("middle") == nil)
    #expect(all.refusal("low") == .outranked)
    #expect(all.user.history.isEmpty)
    var stopped = middle
    stopped.state = .stopped
    let rest = try person(then: [high, stopped, low])
    #expect(rest.delivered.map(\.message.campaign?.id) == ["low"])
    #expect(rest.refusal("middle") == .notLive)
    let none = try person(then: [high])
    #expect(none.delivered.isEmpty)
    #expect(none.user.deliveries.isEmpty)
    #expect(none.trace.rows.count == 3)
    #expect(none.refusal("low") == .stopped)
  }

  // Proves: R-11, §7.10
  @Test func `the next one waits for the rest of its own delay`() throws {
    var person = try Person([
      titled("high") {
        $0.priority = .init(.high)
        $0.delay = .seconds(5)
      },
      .sample("late") { $0.delay = .seconds(8) },
    ])
    try person.log("go")
    #expect(try person.wait(.milliseconds(7_999)) == [])
    #expect(person.user.deliveries.map(\.campaign) == ["late"])
    #expect(try person.wait(.milliseconds(1)) == ["late"])
  }

  // Proves: R-11
  @Test(arguments: [(9, "high"), (10, "low"), (19, "low"), (20, nil)])
  func `woken late, what is past its time does not come, nor does what stood behind it`(
    seconds: Int, comes: CampaignID?
  ) throws {
    var person = try Person([
      .sample("high") {
        $0.priority = .init(.high)
        $0.delay = .seconds(5)
        $0.timeToLive = .seconds(10)
      }, .sample("low") { $0.timeToLive = .seconds(20) },
    ])
    try person.log("go")
    person.now = person.now + .seconds(seconds)
    try person.run(.clockAdvanced)
    #expect(person.delivered.map(\.message.campaign?.id) == [comes].compactMap(\.self))
    #expect(person.refusal("high") == (comes == "high" ? nil : .expired))
    if comes == nil { #expect(person.refusal("low") == .expired) }
  }

  // Proves: R-10
  @Test func `where the campaign says nothing, its time begins after the delay`() throws {
    var person = try Person([.sample("m") { $0.delay = .seconds(400) }])
    try person.log("go")
    #expect(try person.wait(.seconds(400)) == ["m"])
  }

  // Proves
  @Test func `a device that comes too late gets nothing, even before the clock has told`() throws {
    var person = try Person([.sample("m")])
    let devices = person.devices
    person.devices = []
    try person.log("go")
    person.now = person.now + .seconds(300)
    person.devices = devices
    try person.run(.presenceChanged)
    #expect(person.delivered.isEmpty)
    #expect(person.refusal("m") == .expired)
  }

  // Proves: R-11
  @Test func `without a delay the next one comes at once`() throws {
    var person = try Person([titled("high") { $0.priority = .init(.high) }, .sample("low")])
    let decision = try person.run(.log(Occurrence(.event(name: "go", properties: [:]))))
    #expect(person.delivered.map(\.message.campaign?.id) == ["low"])
    // The first one was never on its way.
    #expect(decision.events.count == 1)
    #expect(person.refusal("high") == .aborted)
    #expect(person.trace["low"]?.trigger == 0 && person.refusal("low") == nil)
  }

  // Proves: R-11
  @Test func `five in a row may come to nothing, and no more are tried`() throws {
    var person = try Person(
      (0..<9).map { number in titled(CampaignID("m\(number)")) { $0.priority = .init(rank: number) }
      })
    person.campaigns = try CampaignSet(
      person.campaigns.campaigns + [.sample("good") { $0.priority = .init(.low) }])
    #expect(try person.log("go") == [])
    #expect(person.user.deliveries.isEmpty)
    #expect(person.refusal("m4") == .aborted)
    #expect(person.refusal("m5") == .outranked)
    #expect(person.refusal("good") == .outranked)
  }

  // Proves: R-11
  @Test func `the audience is asked again after the delay only where the campaign wants it`() throws
  {
    for isAskedAgain in [true, false] {
      var person = try Person([
        .sample("m") {
          $0.delay = .seconds(5)
          $0.audience = .attribute(.init("plan", .equal, .string("free")))
          $0.reevaluates = isAskedAgain
        }
      ])
      try person.run(.setAttributes(["plan": .string("free")]))
      try person.log("go")
      try person.run(.setAttributes(["plan": .string("paid")]))
      #expect(try person.wait(.seconds(5)) == (isAskedAgain ? [] : ["m"]))
      #expect(person.refusal("m") == (isAskedAgain ? .audience : nil))
    }
  }

  // Proves: R-12
  @Test func `it goes to the device it happened on, else to the one in use, else it waits`() throws
  {
    var person = try Person([.sample("m")])
    let now = person.now
    person.devices = [
      .init("phone", lastActive: now - .seconds(9)), .init("tablet", lastActive: now),
      .init("desk", isVisible: false, lastActive: now + .seconds(9)),
    ]
    func device(for origin: DeviceID?) throws -> DeviceID? {
      var person = person
      try person.log(.event(name: "go", properties: [:]), on: origin)
      return person.delivered.first?.device
    }
    #expect(try device(for: "phone") == "phone")
    #expect(try device(for: "desk") == "tablet")
    #expect(try device(for: nil) == "tablet")
    #expect(try device(for: "gone") == "tablet")
    person.devices.removeAll { $0.isVisible }
    #expect(try device(for: "desk") == nil)
  }

  // Proves: R-12, F1
  @Test func `with nobody there it waits for its time to live`() throws {
    var person = try Person([.sample("m")])
    let devices = person.devices
    person.devices = []
    #expect(try person.log("go") == [])
    #expect(person.user.awaitsDevice)
    var late = person
    try person.wait(.seconds(299))
    person.devices = devices
    try person.run(.presenceChanged)
    #expect(person.delivered.map(\.device) == ["phone"])
    #expect(!person.user.awaitsDevice)
    try late.wait(.seconds(300))
    #expect(late.refusal("m") == .noClient)
    #expect(late.user.deliveries.isEmpty)
    late.devices = devices
    #expect(try late.log("go") == ["m"])
  }

  // Proves: R-12
  @Test func `a device that the audience leaves out is passed over`() throws {
    var person = try Person([.sample("m") { $0.audience = .capability("video") }])
    person.devices = [
      .init("phone", lastActive: person.now, capabilities: ["video"]),
      .init("watch", lastActive: person.now + .seconds(1)),
    ]
    #expect(try person.log("go") == ["m"])
    #expect(person.delivered[0].device == "phone")
    // Out of sight there, it goes to one that suits, not to the one used last.
    try person.watch()
    person.devices[0].isVisible = false
    person.devices.append(.init("tablet", lastActive: person.now, capabilities: ["video"]))
    #expect(try person.log("go") == ["m"])
    #expect(person.delivered[1].device == "tablet")
  }

  // Proves: R-10
  @Test func `a client that says nothing loses the message when its time is over`() throws {
    var person = try Person([.sample("m") { $0.timeToLive = .seconds(5) }])
    try person.log("go")
    let id = person.delivered[0].message.id
    try person.wait(.milliseconds(29_999))
    #expect(try person.log("go") == [])
    #expect(person.refusal("m") == .reserved)
    try person.wait(.milliseconds(1))
    #expect(person.withdrawn == [id])
    #expect(person.refusal("m") == .watchdog)
    // Its late word still counts.
    try person.run(.report(.impression, of: id))
    #expect(person.user.history["m"]?.count == 1)
    try person.run(.report(.dismissed(.swipe), of: id))
    #expect(person.user.lapsed.isEmpty)
    #expect(person.warnings.isEmpty)
  }

  // Proves, §7.7
  @Test func `on a stack it is kept for as long as the device is there, and five minutes more`()
    throws
  {
    var person = try Person([.sample("m")])
    try person.run(.connected("phone", epoch: 1))
    try person.log("go")
    try person.report(.waiting)
    try person.wait(.seconds(1_000_000))
    #expect(try person.log("go") == [])
    #expect(person.refusal("m") == .reserved)
    try person.run(.disconnected("phone"))
    try person.wait(.seconds(299))
    var back = person
    try back.run(.connected("phone", epoch: 1))
    try back.wait(.seconds(1_000))
    #expect(back.user.deliveries.count == 1)
    try person.wait(.seconds(1))
    #expect(person.user.deliveries.isEmpty)
    #expect(person.refusal("m") == .noClient)
    try person.run(.connected("phone", epoch: 1))
    #expect(person.withdrawn == [person.delivered[0].message.id])
    #expect(try person.log("go") == ["m"])
  }

  // Proves: R-10
  @Test func `a client that runs anew has lost its stack`() throws {
    var person = try Person([.sample("m")])
    try person.run(.connected("phone", epoch: 1))
    try person.log("go")
    try person.report(.waiting)
    try person.run(.connected("phone", epoch: 2))
    #expect(person.user.deliveries.isEmpty)
    let occurrence = Occurrence(.event(name: "go", properties: [:]), on: "phone")
    try person.run(.log(occurrence))
    #expect(person.delivered.count == 2)
    #expect(person.delivered[0].message.id != person.delivered[1].message.id)
  }

  // Proves: R-10
  @Test func `what a cut swallowed is sent again as the same delivery`() throws {
    var person = try Person([.sample("m")])
    try person.run(.connected("phone", epoch: 1))
    try person.log("go")
    try person.run(.disconnected("phone"))
    try person.run(.connected("phone", epoch: 1))
    #expect(person.delivered.count == 2)
    #expect(person.delivered[0].message == person.delivered[1].message)
    #expect(person.user.deliveries.count == 1)
  }

  // Proves: R-10
  @Test func `when the server was away everybody may come back`() throws {
    var person = try Person([.sample("m"), .sample("n", on: "n")])
    try person.run(.connected("phone", epoch: 1))
    try person.log("go")
    try person.report(.started, .impression)
    try person.log("n")
    try person.report(.waiting)
    try person.run(.interrupted)
    #expect(try person.run(.interrupted).events.isEmpty)
    #expect(person.user.nextDeadline(under: person.policy) == person.now + .seconds(300))
    try person.wait(.seconds(300))
    #expect(person.user.deliveries.isEmpty)
    #expect(person.user.nextDeadline(under: person.policy) == nil)
    #expect(person.user.history["m"]?.count == 1)
    #expect(person.user.lapsed.map(\.campaign) == ["n"])
  }

  @Test func `no more than the bound are under way`() throws {
    var person = try Person([.sample("m")])
    person.limits.deliveries = 3
    person.campaigns = try CampaignSet(
      (0..<5).map { .sample(CampaignID("m\($0)"), on: "e\($0)") })
    for number in 0..<5 { try person.log("e\(number)") }
    #expect(person.delivered.count == 3)
    #expect(person.refusal("m4") == .overflow)
  }

  @Test func `two people never have a delivery of the same id`() throws {
    var ids: Set<MessageID> = []
    for number in 0..<2_000 {
      var person = try Person([.sample("m")])
      person.user = UserMessaging(UserID("user\(number)"))
      try person.log("go")
      ids.insert(person.delivered[0].message.id)
      #expect(person.delivered[0].message.id.text.utf8.count <= 15)
    }
    #expect(ids.count == 2_000)
  }
}
