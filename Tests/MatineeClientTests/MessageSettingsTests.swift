import InAppMessaging
import MatineeClient
import Testing

/// The settings of in-app messages that an app makes, each by what it changes.
@Suite(.serialized, .hangLimit) struct MessageSettingsTests {
  /// Ann with a view for everything, at a server with campaigns.
  private func with(
    _ campaigns: [Campaign] = [.onEvent("go", .text("Hello"))],
    adjust: @escaping @Sendable (inout InAppMessageOptions) -> Void = { _ in },
    _ body: (InAppMessages, Notebook) async throws -> Void
  ) async throws {
    try await ServerThread.with(campaigns, adjust: { adjust(&$0.inAppMessages) }) { client, _ in
      let notebook = Notebook()
      client.inAppMessages.delegate = notebook
      client.inAppMessages.setDefaultView(notebook)
      try await body(client.inAppMessages, notebook)
    }
  }

  // MARK: When no message comes

  // Proves: F1
  @Test func `what comes while the app is out of sight is kept for when it is back`() async throws {
    try await with { messages, notebook in
      messages.platform.isVisible = false
      messages.logEvent("go")
      let told = try await messages.explain(CampaignID("campaign"))
      #expect(told.refusal == .reserved)
      #expect(notebook.lines.isEmpty)
      messages.platform.isVisible = true
      await notebook.waits(for: "didPresent Hello")
      #expect(notebook.shown.count == 1)
    }
  }

  // Proves: R-1
  @Test func `an app that shows nothing is heard in each of its runs`() async throws {
    let server = try await ServerThread()
    defer { server.stop() }
    try await server.use([.onEvent("go", .text("Hello"))])
    for names in [["one", "two", "three"], ["go"]] {
      let client = try await Gathering.connect("Ann", to: server)
      for name in names { client.inAppMessages.logEvent(name) }
      let told = try await client.inAppMessages.explain(CampaignID("campaign"))
      #expect((told.refusal == .reserved) == (names == ["go"]))
      client.close()
    }
  }

  @Test func `a message makes way for who types, and is back when they are done`() async throws {
    try await with(
      adjust: {
        $0.hidesOnTextInput = true
        $0.drainPolicy = .onSlotFree
      }
    ) { messages, notebook in
      messages.logEvent("go")
      await notebook.waits(for: "didPresent Hello")
      messages.platform.isTextInputFocused = true
      await messages.stack.becomes { $0.map(\.plainText) == ["Hello"] }
      #expect(messages.visible.current == nil)
      messages.platform.isTextInputFocused = false
      await notebook.waits(for: "didPresent Hello", times: 2)
    }
  }

  @Test func `what an app wants none of for a while waits until it does`() async throws {
    try await with { messages, notebook in
      messages.suppress(.queue)
      messages.logEvent("go")
      await messages.stack.becomes { $0.count == 1 }
      #expect(notebook.shown.isEmpty)
      messages.suppress(.none)
      #expect(await messages.presentNext() != .empty)
      await notebook.waits(for: "didPresent Hello")
    }
  }

  // MARK: How a message looks

  // Proves: A2
  @Test func `a strict app is shown no message whose view it does not have`() async throws {
    var map = InAppMessage.text("A cinema is near")
    map.extras = ["view_type": .string("map")]
    for isStrict in [false, true] {
      try await with(
        [.onEvent("go", map)], adjust: { $0.isStrictAboutViews = isStrict }
      ) { messages, notebook in
        messages.logEvent("go")
        await notebook.waits(for: isStrict ? "finished" : "didPresent")
        #expect(notebook.shown.isEmpty == isStrict)
      }
    }
  }

  // Proves: F19
  @Test func `an app with a design of its own and a person without motion are obeyed`()
    async throws
  {
    var message = InAppMessage.text("Hello")
    message.themes.light.background = Color(text: "#F0F0F0")
    for isPlain in [false, true] {
      try await with(
        [.onEvent("go", message)], adjust: { $0.ignoresCampaignColors = isPlain }
      ) { messages, notebook in
        messages.platform.reducesMotion = isPlain
        messages.logEvent("go")
        await notebook.waits(for: "didPresent")
        let shown = try #require(notebook.shown.first)
        #expect((shown.theme.background == Color(text: "#F0F0F0")) == !isPlain)
        #expect(shown.isAnimated == !isPlain)
      }
    }
  }

  // MARK: What campaigns go by

  // Proves: F3
  @Test func `a campaign is for an app of a version, and for those on a list`() async throws {
    func campaign(_ id: String, for audience: Audience) -> Campaign {
      .onEvent(id, id: id, .text(id)) { $0.audience = audience }
    }
    let campaigns = [
      campaign("app", for: .app("cinema")), campaign("others", for: .app("radio")),
      campaign("new", for: .version(.greaterOrEqual, "1.10")),
      campaign("old", for: .version(.less, "1.10")), campaign("club", for: .member(of: "club")),
    ]
    try await with(
      campaigns,
      adjust: {
        $0.app = "cinema"
        $0.appVersion = "1.10.2"
      }
    ) { messages, _ in
      func refusals() async throws -> [String: InAppMessage.Refusal?] {
        let told = try await messages.explanations().map { ($0.id.text, $0.refusal) }
        return Dictionary(uniqueKeysWithValues: told)
      }
      var told = try await refusals()
      #expect(
        told == ["app": nil, "others": .audience, "new": nil, "old": .audience, "club": .audience])
      try await messages.setMembership(of: "club", true)
      told = try await refusals()
      #expect(told["club"] == .some(nil))
    }
  }

  @Test func `a purchase and an opened push are what they say`() async throws {
    func campaign(_ id: String, on trigger: Trigger) -> Campaign {
      .onEvent("-", id: id, .text(id)) { $0.triggers = [trigger] }
    }
    let campaigns = [
      campaign("thanks", on: .purchase(product: "ticket", filters: [])),
      campaign("welcome", on: .pushOpened(campaign: "spring")),
    ]
    try await with(campaigns) { messages, notebook in
      messages.logPurchase("popcorn")
      messages.logPurchase("ticket", ["price": .number(9)])
      await notebook.waits(for: "didPresent thanks")
      messages.dismiss()
      await messages.visible.becomes { $0 == nil }
      messages.logPushOpened(campaign: CampaignID("autumn"))
      messages.logPushOpened(campaign: CampaignID("spring"))
      await notebook.waits(for: "didPresent welcome")
      #expect(notebook.shown.map(\.message.plainText) == ["thanks", "welcome"])
    }
  }

  @Test func `a person pauses their messages, and whoever collects nothing is brought none`()
    async throws
  {
    try await with { messages, notebook in
      try await messages.setPaused(true)
      #expect(try await messages.explain(CampaignID("campaign")).refusal == .collectionOff)
      try await messages.setPaused(false)
      try await messages.setCollection(false)
      #expect(try await messages.explain(CampaignID("campaign")).refusal == .collectionOff)
      messages.logEvent("go")
      _ = try await messages.explanations()
      try await messages.setCollection(true)
      messages.logEvent("go")
      await notebook.waits(for: "didPresent Hello")
      #expect(notebook.shown.count == 1)
    }
  }

  // MARK: Videos

  // Proves: S25
  @Test func `an app calls the event of new media what it wants, or logs none`() async throws {
    let film = MediaItem(title: "Sintel", url: "https://films.example/sintel.mp4")
    try await with(
      [.onEvent("Film Chosen", .text("{{event.title}}"))], adjust: { $0.mediaEvent = "Film Chosen" }
    ) { messages, notebook in
      messages.logMedia(film)
      await notebook.waits(for: "didPresent Sintel")
    }
    try await with(
      [.onEvent("SharePlay Event", .text("Media")), .onEvent("go", id: "go", .text("Hello"))],
      adjust: { $0.mediaEvent = nil }
    ) { messages, notebook in
      messages.logMedia(film)
      messages.logEvent("go")
      await notebook.waits(for: "didPresent Hello")
      #expect(notebook.shown.count == 1)
    }
  }

  // Proves: S16
  @Test func `a button's event and a shared film open the same player, each once`() async throws {
    var player = Campaign.watchPlayer
    player.triggers.append(.event(name: "Video Pressed", filters: []))
    let url = "https://films.example/sintel.mp4"
    try await with([player]) { messages, notebook in
      messages.logEvent("Video Pressed", ["url": .string(url), "title": .string("Sintel")])
      await notebook.waits(for: "didPresent Watch")
      #expect(notebook.shown.last?.video?.title == "Sintel")
      #expect(notebook.shown.last?.message.session == nil)
      messages.dismiss()
      await messages.visible.becomes { $0 == nil }
      // The library logs what an app says it watches; what the app logs besides is the same.
      messages.logMedia(MediaItem(title: "Sintel", url: url))
      messages.logEvent("SharePlay Event", ["url": .string(url), "title": .string("Sintel")])
      await notebook.waits(for: "didPresent Watch", times: 2)
      _ = try await messages.explanations()
      #expect(messages.stack.current.isEmpty && notebook.shown.count == 2)
    }
  }

  private static func video(_ url: String) -> InAppMessage {
    var message = InAppMessage.text("Watch")
    message.extras = ["view_type": .string("video"), "video_url": .string(url)]
    return message
  }

  @Test(arguments: ["https://films.example/watch.php?id=7", "http://192.168.1.2/trailer"])
  func `a campaign of the server's own plays any address`(url: String) async throws {
    try await with([.onEvent("go", Self.video(url))]) { messages, notebook in
      messages.logEvent("go")
      await notebook.waits(for: "didPresent Watch")
      #expect(notebook.shown.first?.video?.url == url)
    }
  }

  @Test(arguments: [
    "http://192.168.1.2/film.mp4", "https://films.example/watch.php", "/films/sintel.mp4",
  ])
  func `another message plays an address that the app allows`(url: String) async throws {
    for isAllowed in [false, true] {
      try await with(
        adjust: {
          guard isAllowed else { return }
          $0.allowsDevelopmentMedia = true
          $0.allowsFileMedia = true
          $0.trustedMediaHosts = ["films.example"]
        }
      ) { messages, notebook in
        messages.present(Self.video(url))
        await notebook.waits(for: isAllowed ? "didPresent" : "finished")
        #expect(notebook.shown.isEmpty != isAllowed)
      }
    }
  }
}
