import CampaignFiles
import InAppMessaging
import Naming
import Testing
import Vocabulary
import YAML

@Suite struct CampaignReaderTests {
  private func read(_ text: String) throws(CampaignFilesError) -> [Campaign] {
    try CampaignReader(file: "dir/sale.yaml").read(text).map(\.campaign)
  }

  /// The one message of a campaign.
  private func message(_ text: String) throws -> InAppMessage {
    let indented = text.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    let campaign = try #require(try read("triggers: launch\nmessage:\n\(indented)").first)
    guard case .message(let message)? = campaign.variants.first?.content else {
      throw CampaignFilesError.refused([])
    }
    return message
  }

  // Proves: R-38, S8, S13
  @Test(arguments: try GoldenFile.all(in: "Bad"))
  func `every mistake of a bad file is told, with its line`(file: GoldenFile) throws {
    let errors = errors { () throws(CampaignFilesError) in
      try CampaignReader(file: file.name).read(file.text)
    }
    var rest = errors
    for expected in file.expectations {
      let place = rest.firstIndex {
        $0.line == expected.line && $0.problem.contains(expected.words)
      }
      if let place {
        rest.remove(at: place)
      } else {
        let found = errors.filter { $0.line == expected.line }.map(\.description)
        Issue.record("line \(expected.line) lacks: \(expected.words); has \(found)")
      }
    }
    #expect(rest.map(\.description) == [])
    #expect(errors.allSatisfy { !$0.advice.isEmpty && $0.file == file.name && $0.column > 0 })
    #expect(!errors.isEmpty)
  }

  // Proves: A8, A14, A17, F31
  @Test(arguments: [
    ("{message: \"A, B\", extras: {view_type: pickr, attribute_key: a}}", "is called `pickr`"),
    ("{message: \"A, B\", extras: {view_type: picker}}", "the choice is kept nowhere"),
    ("{message: \"A, B\", extras: {view_type: table_list, attribute_key: \"\"}}", "kept nowhere"),
    ("{message: \"A,B\", extras: {view_type: picker, attribute_key: a}}", "`A,B` is one item"),
    ("{message: A, extras: {view_type: video, video_url: /a.mp4}}", "only where an app allows"),
    ("{message: A, extras: {view_type: video, video_url: \"http://a.org/b\"}}", "none with https"),
  ])
  func `what a client would make of it otherwise than meant is told, and taken`(
    message: String, words: String
  ) throws {
    let entry = try #require(
      try CampaignReader(file: "a.yaml").read("triggers: launch\nmessage: \(message)").first)
    let warning = try #require(entry.warnings.first)
    #expect(entry.warnings.count == 1)
    #expect(warning.description.hasPrefix("a.yaml:2:"))
    #expect(warning.description.contains("warning: ") && warning.description.contains(words))
    #expect(warning.view == (words.contains("pickr") ? "pickr" : nil))
  }

  @Test(arguments: [
    "{message: \"A, B\", extras: {view_type: picker, attribute_key: a}}",
    "{message: \"1,000\", extras: {view_type: default}}",
    "{message: \"{{event.list}}\", extras: {view_type: picker, attribute_key: \"{{event.a}}\"}}",
    "{message: A, extras: {view_type: \"{{event.view}}\"}}",
    "{message: A, extras: {view_type: video, video_url: \"{{event.url}}\"}}",
  ])
  func `what is in order, or not known yet, is no cause for a warning`(message: String) throws {
    let entries = try CampaignReader(file: "a.yaml").read("triggers: launch\nmessage: \(message)")
    #expect(entries.map(\.warnings) == [[]])
  }

  @Test func `a file of few words is a campaign with good defaults`() throws {
    let entries = try CampaignReader(file: "dir/sale.yaml").read(
      "# A comment.\ntriggers: sessionStart\nmessage: {message: Everything must go}")
    let text = InAppMessage.Text("Everything must go")
    let expected = Campaign(
      id: "sale", name: "sale", triggers: [.sessionStart],
      variants: [
        Campaign.Variant(
          id: "1", .message(InAppMessage(id: "", kind: .modal, body: .text(text))))
      ])
    #expect(entries == [CampaignEntry(expected, file: "dir/sale.yaml", line: 2)])
  }

  @Test func `everything of a campaign is read`() throws {
    let campaign = try #require(
      try read(
        """
        id: summer
        name: Summer sale
        state: paused
        start: 2026-06-01T00:00:00Z
        end: 2026-09-01T00:00:00.25+02:00
        triggers:
          - launch
          - pushOpened: weekly
          - purchase
          - purchase: ticket
          - {messageClicked: spring, button: "1"}
          - event: Searched
            where:
              genre: drama
              minutes: {greater: 30, lessOrEqual: 90}
              title: {search: ^The}
              coupon: {set: false}
              season: "2"
              day: {after: "2026-01-01T00:00:00Z"}
        priority: high
        rank: 3
        reEligibility: 7d
        caps: [3 per 7d, 1 per session, 10 ever]
        interval: 60s
        delay: 1.5s
        timeToLive: 5m
        reevaluates: true
        variants:
          - {id: a, weight: 9, message: {message: Hello}}
          - {message: {kind: control}}
        """
      ).first)
    #expect(campaign.id == "summer")
    #expect(campaign.name == "Summer sale")
    #expect(campaign.state == .paused)
    #expect(campaign.start == Instant(microseconds: 1_780_272_000_000_000))
    #expect(campaign.end == Instant(microseconds: 1_788_213_600_250_000))
    #expect(
      campaign.triggers == [
        .launch, .pushOpened(campaign: "weekly"), .purchase(product: nil, filters: []),
        .purchase(product: "ticket", filters: []),
        .messageClicked(campaign: "spring", button: "1"),
        .event(
          name: "Searched",
          filters: [
            PropertyFilter("genre", .equal, .string("drama")),
            PropertyFilter("minutes", .lessOrEqual, .number(90)),
            PropertyFilter("minutes", .greater, .number(30)),
            PropertyFilter("title", .search, .string("^The")), PropertyFilter("coupon", .unset),
            PropertyFilter("season", .equal, .string("2")),
            PropertyFilter("day", .after, .string("2026-01-01T00:00:00Z")),
          ]),
      ])
    #expect(campaign.priority == Campaign.Priority(.high, rank: 3))
    #expect(campaign.reEligibility == .after(.seconds(604_800)))
    #expect(
      campaign.caps == [
        FrequencyCap(3, per: .rolling(.seconds(604_800))), FrequencyCap(1, per: .session),
        FrequencyCap(10, per: .ever),
      ])
    #expect(campaign.interval == .atLeast(.seconds(60)))
    #expect(campaign.delay == .milliseconds(1500))
    #expect(campaign.timeToLive == .seconds(300))
    #expect(campaign.reevaluates && !campaign.bindsSession)
    #expect(campaign.variants.map(\.id) == ["a", "2"])
    #expect(campaign.variants.map(\.weight) == [9, 1])
    #expect(campaign.variants[1].content == .control)
  }

  @Test func `an audience is a condition of conditions`() throws {
    func audience(_ text: String) throws -> Audience? {
      try read("triggers: launch\nmessage: {message: Hello}\naudience: \(text)").first?.audience
    }
    #expect(try audience("everyone") == .all)
    #expect(try audience("{app: tv}") == .app("tv"))
    #expect(
      try audience("{users: [ann, ben], app: tv}")
        == .allOf([.app("tv"), .users(["ann", "ben"])]))
    #expect(
      try audience("{version: {greaterOrEqual: 1.10, less: 2.0}}")
        == .allOf([.version(.less, "2.0"), .version(.greaterOrEqual, "1.10")]))
    #expect(
      try audience("{any: [{memberOf: testers}, {capability: groupWatch}], not: {version: 1}}")
        == .allOf([
          .anyOf([.member(of: "testers"), .capability("groupWatch")]), .not(.version(.equal, "1")),
        ]))
    #expect(
      try audience("{attributes: {plan: gold, age: {greater: 17}, push: true}}")
        == .allOf([
          .attribute(PropertyFilter("plan", .equal, .string("gold"))),
          .attribute(PropertyFilter("age", .greater, .number(17))),
          .attribute(PropertyFilter("push", .equal, .bool(true))),
        ]))
  }

  @Test func `the engine takes audiences as deep as a file may nest them`() throws {
    var text = "{app: tv, capability: groupWatch}"
    for _ in 1..<CampaignLimits.nesting {
      text = "{app: tv, any: [{capability: groupWatch}, \(text)]}"
    }
    let campaigns = try read("triggers: launch\nmessage: {message: Hello}\naudience: \(text)")
    #expect(try CampaignSet(campaigns).count == 1)
  }

  @Test func `an alias that multiplies itself is stopped`() throws {
    let levels = (1...7).map { level in
      "l\(level): &l\(level) {any: [\(Array(repeating: "*l\(level - 1)", count: 60).joined(separator: ", "))]}"
    }
    let text =
      "triggers: launch\nmessage: {message: Hello}\nl0: &l0 {app: tv}\n"
      + levels.joined(separator: "\n") + "\naudience: *l7"
    let found = errors { () throws(CampaignFilesError) in
      try CampaignReader(file: "bomb.yaml").read(text)
    }
    #expect(found.contains { $0.problem.hasPrefix("the audience has more than 64 conditions") })
  }

  // Proves: F5
  @Test func `its author chooses the colour of the text, and where a button leads`() throws {
    let message = try message(
      """
      title: Hello
      body: World
      kind: card
      image: https://example.org/a.png
      themes: {light: {text: "#336699"}}
      buttons:
        - text: Buy
          clickAction: {open: "https://example.org/buy"}
          themes: {light: {text: "#ffffff", background: "#4d8c47"}}
      """)
    #expect(message.themes.light.text == Color(argb: 0xFF33_6699))
    #expect(message.buttons.map(\.themes.light.text) == [Color(argb: 0xFFFF_FFFF)])
    #expect(message.buttons.map(\.themes.light.background) == [Color(argb: 0xFF4D_8C47)])
    #expect(
      message.buttons.map(\.clickAction)
        == [.open(url: "https://example.org/buy", inApp: false)])
  }

  // Proves: B16
  @Test func `a slideup has colours, and no buttons`() throws {
    let slideup = "kind: slideup\nmessage: Hello\nthemes: {light: {text: \"#336699\"}}"
    #expect(try message(slideup).themes.light.text == Color(argb: 0xFF33_6699))
    let file = "triggers: launch\nmessage: {kind: slideup, message: Hello, buttons: [Fine]}"
    let found = errors { () throws(CampaignFilesError) in
      try CampaignReader(file: "a.yaml").read(file)
    }
    #expect(found.map(\.problem) == ["a message of the kind slideup has no buttons"])
  }

  // Proves: B13
  @Test func `everything of a message is read`() throws {
    let message = try message(
      """
      kind: modal
      header: Hello
      headerAlignment: leading
      message: |
        Two
        lines
      messageAlignment: trailing
      image: {url: "https://example.org/a.png", alternativeText: A cinema}
      landscapeImage: https://example.org/b.png
      surface: fullScreen
      orientation: portrait
      themes:
        light: {background: "#FF8800", frame: "#80000000"}
        dark: {text: "#ffffff"}
      animatesIn: false
      language: pt-BR
      impression: 3s
      closing: {after: 10s, bySwipe: true, byButton: false, byTapOutside: true}
      buttons:
        - Not now
        - id: buy
          text: Buy
          clickAction:
            - {logEvent: Bought, properties: {price: 3.5, tags: [a, b]}}
            - {open: "https://example.org", inApp: true}
          themes: {light: {border: "#000000"}}
      extras: {number: 7, text: "7", yes: true, list: [a, b], none: ""}
      """)
    guard case .text(let text) = message.body else {
      Issue.record("\(message.body)")
      return
    }
    #expect(text.message == "Two\nlines\n")
    #expect(text.headerAlignment == .leading && text.messageAlignment == .trailing)
    #expect(
      text.graphic
        == .image(.init(url: "https://example.org/a.png", alternativeText: "A cinema")))
    #expect(text.landscapeImage == .init(url: "https://example.org/b.png"))
    #expect(message.surface == .fullScreen && message.orientation == .portrait)
    #expect(message.themes.light.background == Color(argb: 0xFFFF_8800))
    #expect(message.themes.light.frame == Color(argb: 0x8000_0000))
    #expect(message.themes.dark?.text == Color(argb: 0xFFFF_FFFF))
    #expect(!message.animatesIn && message.animatesOut)
    #expect(message.language == "pt-BR")
    #expect(message.impression == .afterVisible(.seconds(3)))
    #expect(
      message.closing
        == .init(after: .seconds(10), bySwipe: true, byButton: false, byTapOutside: true))
    #expect(message.buttons.map(\.id) == ["0", "buy"])
    #expect(message.buttons[0].clickAction == .close)
    #expect(
      message.buttons[1].clickAction
        == .sequence([
          .logEvent(
            name: "Bought", properties: ["price": .number(3.5), "tags": .list(["a", "b"])]),
          .open(url: "https://example.org", inApp: true),
        ]))
    #expect(message.buttons[1].themes.light.border == Color(argb: 0xFF00_0000))
    #expect(
      message.extras == [
        "number": .number(7), "text": .string("7"), "yes": .bool(true), "list": .list(["a", "b"]),
        "none": .string(""),
      ])
  }

  // Proves: F2, F14, F16
  @Test(arguments: [
    (InAppMessage.Kind.slideup, "message: Hello"), (.modal, "header: Hello"),
    (.modalImage, "image: https://example.org/a.png"),
    (.full, "message: Hello, image: https://example.org/a.png"),
    (.fullImage, "image: https://example.org/a.png"), (.html, "html: <p>Hello</p>"),
    (.card, "title: Hello, image: https://example.org/a.png, buttons: [Later, Now]"),
    (.banner, "title: Hello, body: World"), (.imageOnly, "image: https://example.org/a.png"),
  ])
  func `each kind has its own defaults`(kind: InAppMessage.Kind, rest: String) throws {
    let campaign = try #require(
      try read("triggers: launch\nmessage: {kind: \(kind.rawValue), \(rest)}").first)
    guard case .message(let message)? = campaign.variants.first?.content else {
      Issue.record("\(campaign)")
      return
    }
    let plain = InAppMessage(id: "", kind: kind, body: message.body)
    #expect(message.surface == plain.surface)
    #expect(message.closing == plain.closing)
    #expect(message.impression == plain.impression)
    if kind == .card { #expect(message.buttons.map(\.id) == ["secondary", "primary"]) }
  }

  @Test(arguments: [
    ("close", InAppMessage.ClickAction.close), ("requestPushPermission", .requestPushPermission),
    ("{deepLink: \"app://x\"}", .deepLink("app://x")), ("{session: leave}", .session(.leave)),
    ("{open: http://example.org}", .open(url: "http://example.org", inApp: false)),
    ("{open: \"{{event.url}}\"}", .open(url: "{{event.url}}", inApp: false)),
    ("{logEvent: Clicked}", .logEvent(name: "Clicked", properties: [:])),
    ("{setAttribute: {plan: gold}}", .setAttribute(key: "plan", value: .string("gold"))),
    (
      "{setAttribute: {b: 2, a: 1}}",
      .sequence([
        .setAttribute(key: "a", value: .number(1)), .setAttribute(key: "b", value: .number(2)),
      ])
    ),
  ])
  func `a click does one thing or several`(
    text: String, action: InAppMessage.ClickAction
  ) throws {
    let message = try message("message: Hello\nclickAction: \(text)")
    #expect(message.clickAction == action)
  }

  @Test func `a single button is the primary one`() throws {
    #expect(try message("message: Hello\nbuttons: [Fine]").buttons.map(\.id) == ["1"])
    #expect(
      try message("message: Hello\nbuttons: [Later, Now]").buttons.map(\.id) == ["0", "1"])
  }

  @Test(arguments: [
    ("0s", Duration.zero), ("250ms", .milliseconds(250)), ("30s", .seconds(30)),
    ("5m", .seconds(300)), ("24h", .seconds(86_400)), ("7d", .seconds(604_800)),
    ("1.5h", .seconds(5400)), ("720d", .seconds(62_208_000)), ("721d", nil), ("5", nil),
    ("", nil), ("s", nil), ("5 m", nil), ("-5s", nil), ("1e3s", nil), ("5w", nil), ("1.2.3s", nil),
    ("٣s", nil),
  ])
  func `a length of time has its unit`(text: String, expected: Duration?) throws {
    let yaml = "triggers: launch\nmessage: {message: Hello}\nreEligibility: \"\(text)\""
    guard let expected else {
      let found = errors { () throws(CampaignFilesError) in
        try CampaignReader(file: "a.yaml").read(yaml)
      }
      #expect(found.map(\.line) == [3])
      return
    }
    #expect(try read(yaml).first?.reEligibility == .after(expected))
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:00:00Z", 951_825_600_000_000),
    ("1969-12-31T23:59:59.5Z", -500_000), ("1970-01-01T09:00:00+09:00", 0),
    ("1969-12-31t18:30:00-05:30", 0), ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
    ("2026-11-21T15:04:05.1234567Z", 1_795_273_445_123_456),
    ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
    ("9999-12-31T23:59:59Z", 253_402_300_799_000_000),
    ("2100-02-29T00:00:00Z", nil), ("2026-13-01T00:00:00Z", nil), ("2026-11-31T00:00:00Z", nil),
    ("2026-11-21T24:00:00Z", nil), ("2026-11-21T15:60:00Z", nil), ("2026-11-21T15:04:61Z", nil),
    ("2026-11-21T15:04:05", nil), ("2026-11-21", nil), ("2026-11-21T15:04:05+24:00", nil),
    ("2026-11-21T15:04:05.Z", nil), ("٢٠٢٦-11-21T15:04:05Z", nil),
  ])
  func `an instant is written by RFC 3339`(text: String, microseconds: Int64?) throws {
    let yaml = "triggers: launch\nmessage: {message: Hello}\nstart: \(text)"
    guard let microseconds else {
      let found = errors { () throws(CampaignFilesError) in
        try CampaignReader(file: "a.yaml").read(yaml)
      }
      #expect(found.map(\.line) == [3])
      return
    }
    #expect(try read(yaml).first?.start?.microseconds == microseconds)
  }

  @Test func `a draft needs no trigger`() throws {
    let drafts = try read("state: draft\nmessage: {message: Hello}")
    #expect(drafts.map(\.state) == [.draft])
  }

  @Test func `an editor finds the place`() throws {
    let found = errors { () throws(CampaignFilesError) in
      try CampaignReader(file: "a.yaml").read("triggers: launch\nmessage:\n  mesage: Hello")
    }
    #expect(
      found.first?.description.hasPrefix(
        "a.yaml:3:3: `mesage` means nothing here; did you mean `message`? Otherwise write one of:")
        == true)
  }
}
