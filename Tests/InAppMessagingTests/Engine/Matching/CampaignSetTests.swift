import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct CampaignSetTests {
  private func problem(_ campaigns: [Campaign]) -> CampaignProblem? {
    do throws(CampaignProblem) {
      _ = try CampaignSet(campaigns)
      return nil
    } catch { return error }
  }

  private func field(_ change: (inout Campaign) -> Void) -> String? {
    problem([.sample("m", change)])?.field
  }

  // Proves: R-38
  @Test func `a campaign whose messages belong to sessions has no control`() {
    let problem = problem([
      .sample("m") {
        $0.bindsSession = true
        $0.variants.append(.init(id: "c", .control))
      }
    ])
    #expect(problem?.field == "variants[1]")
    #expect(problem?.campaign == "m")
  }

  // Proves: R-18, S13
  @Test func `a campaign that no client would show anything of is refused`() {
    func reason(_ change: (inout InAppMessage) -> Void) -> String? {
      var message = InAppMessage.sample()
      change(&message)
      return problem([.sample("m") { $0.variants = [.init(id: "a", .message(message))] }])?.reason
    }
    #expect(reason { $0.body = .text(.init("")) } == "no client would show it: there is no text")
    #expect(
      reason { $0.clickAction = .open(url: "/x", inApp: true) }?.contains("lead to /x") == true)
    #expect(reason { $0.body = .image(.init(url: "http://a.org/b"), landscape: nil) } != nil)
    #expect(reason { $0.extras["view_type"] = .string("video") }?.contains("video_url") == true)
    #expect(reason { $0.extras["view_type"] = .string("mine") } == nil)
  }

  @Test func `what is wrong with a campaign is said, and where`() {
    #expect(field { _ in } == nil)
    #expect(field { $0.id = "" } == "id")
    #expect(field { $0.id = "a\u{0}b" } == "id")
    #expect(field { $0.name = String(repeating: "x", count: 129) } == "name")
    #expect(field { $0.triggers = [] } == "triggers")
    #expect(field { $0.variants = [] } == "variants")
    #expect(field { $0.variants[0].weight = 0 } == "variants")
    #expect(field { $0.variants[0].weight = -1 } == "variants[0].weight")
    #expect(field { $0.variants.append($0.variants[0]) } == "variants[1].id")
    #expect(
      field {
        $0.variants = [.init(id: "a", .message(InAppMessage(id: "", kind: .control, body: .empty)))]
      }
        == "variants[0].kind")
    #expect(field { $0.delay = .seconds(-1) } == "delay")
    #expect(
      field {
        $0.delay = .seconds(5)
        $0.timeToLive = .seconds(5)
      } == "timeToLive")
    #expect(
      field {
        $0.start = Instant(microseconds: 5)
        $0.end = Instant(microseconds: 5)
      } == "end")
    #expect(field { $0.caps = [.init(0, per: .ever)] } == "caps[0].limit")
    #expect(field { $0.caps = [.init(33, per: .session)] } == "caps[0].limit")
    #expect(field { $0.caps = [.init(33, per: .ever)] } == nil)
    #expect(field { $0.caps = [.init(1, per: .rolling(.zero))] } == "caps[0].window")
    #expect(field { $0.triggers = [.event(name: "", filters: [])] } == "triggers[0].name")
    #expect(
      field { $0.audience = .allOf([.all, .version(.less, "new")]) } == "audience.allOf[1].version")
    #expect(
      field { $0.audience = .not(.attribute(.init("x", .search, .string("(")))) }
        == "audience.not.attribute.value")
  }

  @Test func `what a campaign holds has limits`() {
    func variants(_ count: Int) -> [Campaign.Variant] {
      (0..<count).map { .init(id: "\($0)", .message(.sample())) }
    }
    #expect(field { $0.variants = variants(10) } == "variants")
    #expect(field { $0.variants = variants(9) } == nil)
    #expect(field { $0.variants[0].weight = 10_001 } == "variants[0].weight")
    #expect(field { $0.variants[0].weight = 10_000 } == nil)
    #expect(field { $0.caps = Array(repeating: .init(1, per: .session), count: 9) } == "caps")
    #expect(field { $0.caps = Array(repeating: .init(1, per: .session), count: 8) } == nil)
    #expect(field { $0.triggers = Array(repeating: .launch, count: 17) } == "triggers")
    #expect(field { $0.triggers = Array(repeating: .launch, count: 16) } == nil)
    #expect(field { $0.delay = .seconds(7 * 86_400 + 1) } == "delay")
    #expect(field { $0.timeToLive = .seconds(30 * 86_400 + 1) } == "timeToLive")
    func filters(_ count: Int) -> Trigger {
      .event(name: "go", filters: (0..<count).map { PropertyFilter("k\($0)", .set) })
    }
    #expect(field { $0.triggers = [filters(17)] } == "triggers[0].filters")
    #expect(field { $0.triggers = [filters(16)] } == nil)
  }

  @Test func `filters that cannot be compared are refused`() {
    let wrong: [(PropertyFilter, String)] = [
      (.init("", .set), "key"), (.init("x", .equal), "value"),
      (.init("x", .set, .bool(true)), "value"),
      (.init("x", .less, .string("1")), "value"), (.init("x", .search, .number(1)), "value"),
      (.init("x", .search, .string("a(b")), "value"),
      (.init("x", .before, .string("soon")), "value"),
    ]
    for (filter, name) in wrong {
      #expect(
        problem([.sample("m", filters: [.init("y", .set), filter])])?.field
          == "triggers[0].filters[1].\(name)")
    }
  }

  @Test func `a text that is no template is refused, and where in it`() {
    var message = InAppMessage.sample()
    message.buttons = [
      .init(id: "1", text: "Go", clickAction: .sequence([.close, .deepLink("{{x}}")]))
    ]
    let problem = problem([.sample("m") { $0.variants[0].content = .message(message) }])
    #expect(problem?.field == "variants[0].buttons[0].clickAction.sequence[1].deepLink")
    #expect(
      problem?.description
        == "campaign m: variants[0].buttons[0].clickAction.sequence[1].deepLink: "
        + "at character 3: a value is event.…, user.… or session.…")
  }

  @Test func `a set has bounds, and no campaign twice`() {
    let many = (0..<257).map { number in
      Campaign.sample(CampaignID("m\(number)")) { $0.state = number < 200 ? .live : .draft }
    }
    #expect(problem(many)?.reason == "more than 256 campaigns; take old ones away")
    #expect(problem(Array(many[..<256])) == nil)
    let live = (0..<201).map { Campaign.sample(CampaignID("m\($0)")) }
    #expect(problem(live)?.campaign == nil)
    #expect(problem(Array(live[..<200])) == nil)
    #expect(
      problem([.sample("m"), .sample("n"), .sample("m") { $0.state = .draft }])?.field == "id")
  }

  // Proves: F3
  @Test func `an audience is asked about the app, its version, lists and attributes`() throws {
    func belongs(_ audience: Audience, _ change: (inout Person) throws -> Void = { _ in }) throws
      -> Bool
    {
      var person = try Person([.sample("m") { $0.audience = audience }])
      person.devices = [
        .init(
          "phone", lastActive: person.now, app: "tv", version: "1.10", capabilities: ["groupWatch"])
      ]
      try change(&person)
      return try person.log("go") == ["m"]
    }
    #expect(try belongs(.app("tv")))
    #expect(try !belongs(.app("radio")))
    #expect(try belongs(.version(.greater, "1.9")))
    #expect(try belongs(.version(.equal, "1.10.0")))
    #expect(try !belongs(.version(.less, "1.9.9")))
    #expect(try !belongs(.version(.greater, "1.9")) { $0.devices[0].version = nil })
    #expect(try !belongs(.version(.greater, "1.9")) { $0.devices[0].version = "beta" })
    #expect(try belongs(.capability("groupWatch")))
    #expect(try !belongs(.capability("groupWatch")) { $0.devices = [] })
    #expect(try belongs(.users(["ann", "bob"])))
    #expect(try !belongs(.users(["bob"])))
    #expect(try !belongs(.member(of: "fans")))
    #expect(try belongs(.member(of: "fans")) { try $0.run(.setMembership(list: "fans", true)) })
    #expect(try !belongs(.attribute(.init("plan", .notEqual, .string("paid")))))
    #expect(try belongs(.attribute(.init("plan", .unset))))
    #expect(
      try belongs(.attribute(.init("plan", .notEqual, .string("paid")))) {
        try $0.run(.setAttributes(["plan": .string("free")]))
      })
    let nested = Audience.allOf([
      .anyOf([.app("radio"), .not(.member(of: "fans"))]), .not(.allOf([.all, .app("radio")])),
    ])
    #expect(try belongs(nested))
    #expect(try !belongs(nested) { try $0.run(.setMembership(list: "fans", true)) })
    #expect(try belongs(.allOf([])))
    #expect(try !belongs(.anyOf([])))
  }

  @Test func `an audience has bounds`() {
    var deep = Audience.all
    for _ in 0..<17 { deep = .not(deep) }
    #expect(field { $0.audience = deep }?.hasSuffix(".not.not") == true)
    #expect(
      field { $0.audience = .anyOf(Array(repeating: .all, count: 128)) } == "audience.anyOf[127]")
    #expect(field { $0.audience = .anyOf(Array(repeating: .all, count: 127)) } == nil)
  }

  @Test func `attributes and lists have bounds, and can be taken away`() throws {
    var person = try Person()
    for number in 0..<64 {
      try person.run(.setAttributes(["k\(number)": .number(1)]))
      try person.run(.setMembership(list: "l\(number)", true))
    }
    #expect(throws: MessagingRejection.tooManyAttributes(limit: 64)) {
      try person.run(.setAttributes(["more": .bool(true)]))
    }
    #expect(throws: MessagingRejection.tooManyLists(limit: 64)) {
      try person.run(.setMembership(list: "more", true))
    }
    #expect(throws: MessagingRejection.valueTooLong(key: "k1", limit: 512)) {
      try person.run(.setAttributes(["k1": .string(String(repeating: "x", count: 513))]))
    }
    try person.run(.setAttributes(["k0": nil, "more": .bool(true), "k1": .number(1)]))
    try person.run(.setMembership(list: "l0", false))
    #expect(person.user.attributes["more"] == .bool(true))
    #expect(person.user.attributes["k0"] == nil)
    #expect(person.user.lists == person.user.lists.sorted())
    #expect(person.user.lists.count == 63)
    // What is so already is no event.
    #expect(try person.run(.setAttributes(["k1": .number(1), "none": nil])).events.isEmpty)
    #expect(try person.run(.setMembership(list: "l1", true)).events.isEmpty)
  }
}
