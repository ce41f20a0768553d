import EventLoops
import InAppMessaging
import MatineeClient
import Testing

/// The library's in-app messages against a real server: what an app sees and does.
@Suite(.serialized, .hangLimit) struct InAppMessagesTests {
  /// One person online, at a server with campaigns.
  private func with(
    _ campaigns: [Campaign], adjust: @Sendable (inout ClientOptions) -> Void = { _ in },
    _ body: (GroupWatchClient, ServerThread) async throws -> Void
  ) async throws {
    try await ServerThread.with(campaigns, adjust: adjust, body)
  }

  private func button(
    _ id: String, _ text: String, _ action: InAppMessage.ClickAction = .close
  ) -> InAppMessage.Button {
    InAppMessage.Button(id: id, text: text, clickAction: action)
  }

  @Test func `an app is told of a server without messages, and of what it logged in vain`()
    async throws
  {
    let server = try await ServerThread()
    defer { server.stop() }
    let client = try await Gathering.connect("Ann", to: server)
    defer { client.close() }
    let events = client.inAppMessages.events
    #expect(client.inAppMessages.isAvailable.current, "until told")
    client.inAppMessages.logEvent("go")
    await client.inAppMessages.isAvailable.becomes { !$0 }
    for await event in events {
      #expect(event == .unsent("the event go: the server has no campaigns"))
      break
    }
  }

  // Proves: F22
  @Test func `what is triggered by hand keeps the pause between messages, what is shown does not`()
    async throws
  {
    let hello = Campaign.onEvent("go", .text("Hello")) { $0.interval = .inherit }
    let last = Campaign.onEvent("end", id: "end", .text("The end"))
    try await with([hello, last]) { client, _ in
      let messages = client.inAppMessages
      let notebook = Notebook()
      messages.delegate = notebook
      messages.setDefaultView(notebook)
      messages.triggerEvent("go")
      await notebook.waits(for: "didPresent Hello")
      messages.dismiss()
      await notebook.waits(for: "finished")
      messages.triggerEvent("go")
      messages.present(.text("By hand"))
      await notebook.waits(for: "didPresent By hand")
      messages.dismiss()
      // What comes while another message is on screen waits on the stack.
      await notebook.waits(for: "didDismiss By hand")
      await messages.visible.becomes { $0 == nil }
      // Events reach the server in order.
      messages.triggerEvent("end")
      await notebook.waits(for: "didPresent The end")
      #expect(notebook.lines.count { $0 == "didPresent Hello" } == 1)
      #expect(messages.stack.current.isEmpty)
    }
  }

  // Proves: B1, B38, F21, R-26, R-27
  @Test func `an event brings a message, and the app hears of everything in order`() async throws {
    let message = InAppMessage.text("Hello", buttons: [button("7", "No"), button("3", "Yes")])
    try await with([.onEvent("go", message)]) { client, _ in
      let notebook = Notebook()
      client.inAppMessages.delegate = notebook
      client.inAppMessages.setDefaultView(notebook)
      client.inAppMessages.logEvent("go")
      await notebook.waits(for: "didPresent")
      #expect(client.inAppMessages.visible.current?.plainText == "Hello")
      notebook.view(.clicked(button: "3"))
      await notebook.waits(for: "finished")
      #expect(
        notebook.lines == [
          "choice Hello trigger", "prepare Hello", "willPresent Hello", "show default Hello",
          "didPresent Hello", "process 3 Yes", "willDismiss Hello", "dismiss", "didDismiss Hello",
          "finished",
        ])
      await client.inAppMessages.visible.becomes { $0 == nil }
    }
  }

  // Proves: B6, B17, B20, B29
  @Test func `the app may change what is shown, and it stays the same delivery`() async throws {
    var message = InAppMessage.text("Hello", buttons: [button("1", "Yes")])
    message.themes.dark = InAppMessage.Theme()
    try await with([.onEvent("go", message)]) { client, _ in
      let notebook = Notebook {
        $0.prepare = { context in
          context.message = context.message.removingDarkThemes()
          context.message.modal?.body = .text(InAppMessage.Text("Changed"))
          context.statusBarHideBehavior = .hidden
        }
      }
      client.inAppMessages.delegate = notebook
      client.inAppMessages.setDefaultView(notebook)
      client.inAppMessages.logEvent("go")
      await notebook.waits(for: "didPresent Changed")
      let shown = try #require(notebook.shown.first)
      #expect(shown.message.themes.dark == nil && shown.message.campaign?.id.text == "campaign")
      await client.inAppMessages.statusBarHidden.becomes { $0 == true }
      client.inAppMessages.dismiss()
      await client.inAppMessages.statusBarHidden.becomes { $0 == nil }
    }
  }

  // Proves: B33, B36, B37, R-30
  @Test func `what the app puts back waits on the stack, and is asked about again`() async throws {
    try await with([.onEvent("go", .text("Hello"))]) { client, _ in
      let notebook = Notebook {
        $0.choice = { _, origin in origin == .trigger ? .reenqueue : .now }
      }
      client.inAppMessages.delegate = notebook
      client.inAppMessages.setDefaultView(notebook)
      client.inAppMessages.logEvent("go")
      await client.inAppMessages.stack.becomes { $0.count == 1 }
      guard case .presented = await client.inAppMessages.presentNext() else {
        Issue.record("it was not presented")
        return
      }
      #expect(notebook.lines.contains("choice Hello stack"))
      #expect(await client.inAppMessages.presentNext() == .empty)
      #expect(client.inAppMessages.stack.current == [])
    }
  }

  @Test func `an app that takes its time stops neither the client nor other messages`()
    async throws
  {
    try await with([.onEvent("go", .text("Hello"))]) { client, _ in
      let (answers, answer) = AsyncStream.makeStream(of: DisplayChoice.self)
      let notebook = Notebook {
        $0.choice = { _, _ in
          for await choice in answers { return choice }
          return .discard
        }
      }
      client.inAppMessages.delegate = notebook
      client.inAppMessages.setDefaultView(notebook)
      client.inAppMessages.logEvent("go")
      await notebook.waits(for: "choice")
      _ = try await client.status()
      #expect(client.inAppMessages.visible.current == nil)
      answer.yield(.now)
      await notebook.waits(for: "didPresent")
    }
  }

  @Test func `an app that never answers holds up only the message it was asked about`()
    async throws
  {
    try await with([.onEvent("go", .text("Hello"))]) { client, _ in
      let (silence, _) = AsyncStream.makeStream(of: Void.self)
      let notebook = Notebook {
        $0.choice = { _, _ in
          for await _ in silence {}
          return .now
        }
      }
      client.inAppMessages.delegate = notebook
      client.inAppMessages.setDefaultView(notebook)
      client.inAppMessages.logEvent("go")
      await notebook.waits(for: "choice")
      notebook.script.withLock { $0.choice = { _, _ in .now } }
      client.inAppMessages.wipe()
      await notebook.waits(for: "finished userMismatch")
      client.inAppMessages.logEvent("go")
      await notebook.waits(for: "didPresent Hello")
    }
  }

  // Proves: A2, A12, A14, F30
  @Test func `custom and default views stand side by side`() async throws {
    var genre = InAppMessage.text("Drama, Comedy")
    genre.extras = ["view_type": .string("picker"), "attribute_key": .string("genre")]
    var odd = InAppMessage.text("Odd")
    odd.extras = ["view_type": .string("nobody's")]
    let campaigns = [
      Campaign.onEvent("a", id: "a", .text("Plain")), .onEvent("b", id: "b", genre),
      .onEvent("c", id: "c", odd), .onEvent("d", id: "d", .text("Card", kind: .card)),
    ]
    try await with(campaigns) { client, _ in
      let (plain, picker, cards) = (Notebook(), Notebook(), Notebook())
      client.inAppMessages.setDefaultView(plain)
      client.inAppMessages.register("picker", picker)
      client.inAppMessages.register("cards", for: [.card], cards)
      for (event, notebook, line) in [
        ("a", plain, "show default Plain"), ("b", picker, "show picker Drama, Comedy"),
        ("c", plain, "show default Odd"), ("d", cards, "show cards Card"),
      ] {
        client.inAppMessages.logEvent(event)
        await notebook.waits(for: line)
        await client.inAppMessages.visible.becomes { $0 != nil }
        client.inAppMessages.dismiss()
        await client.inAppMessages.visible.becomes { $0 == nil }
      }
      let shown = try #require(picker.shown.first)
      #expect(shown.items() == ["Drama", "Comedy"] && shown.attributeKey == "genre")
    }
  }

  // Proves: B2, F8, F12, F17, F18, F26, R-25, §7.2
  @Test func `with a display of its own, the app counts what it reports and nothing else`()
    async throws
  {
    var message = InAppMessage.text("Hello")
    message.impression = .explicit
    let once = Campaign.onEvent("go", message) { $0.reEligibility = .never }
    try await with([once]) { client, _ in
      let (notebook, display) = (Notebook(), RecordingDisplay())
      client.inAppMessages.delegate = notebook
      client.inAppMessages.display = display
      for time in 1...3 {
        client.inAppMessages.logEvent("go")
        await display.waits(forShows: time)
        // Only what is on screen is let go; before that, the next event is for nothing.
        await client.inAppMessages.visible.becomes { $0 != nil }
        if time == 3 { await display.report { $0.impressionDetected() } }
        // Let go without a word, the message comes again.
        await display.letGo()
        await client.inAppMessages.visible.becomes { $0 == nil }
      }
      client.inAppMessages.logEvent("go")
      _ = try await client.status()
      #expect(await display.shows == 3)
      #expect(notebook.lines == [])
    }
  }

  // Proves: F29, R-41
  @Test func `what a display declines waits on the stack, and the screen stays free`() async throws
  {
    try await with([.onEvent("go", .text("Hello"))]) { client, _ in
      let display = RecordingDisplay(.declined)
      client.inAppMessages.display = display
      client.inAppMessages.logEvent("go")
      await client.inAppMessages.stack.becomes { $0.count == 1 }
      #expect(client.inAppMessages.visible.current == nil)
      await display.accept()
      guard case .presented = await client.inAppMessages.presentNext() else {
        Issue.record("it was not presented")
        return
      }
      await display.report { $0.messageDismissed() }
      await client.inAppMessages.visible.becomes { $0 == nil }
    }
  }

  // Proves: B3, R-15
  @Test func `a message that comes before there is a view is shown once there is`() async throws {
    try await with([.onEvent("go", .text("Hello"))]) { client, _ in
      let notebook = Notebook()
      client.inAppMessages.register("other", notebook)
      client.inAppMessages.register("other", nil)
      client.inAppMessages.logEvent("go")
      _ = try await client.status()
      client.inAppMessages.setDefaultView(notebook)
      await notebook.waits(for: "show default Hello")
    }
  }

  // Proves: F28, R-16
  @Test func `a pop-up of the app's own has the screen alone`() async throws {
    try await with([.onEvent("go", .text("Hello"))]) { client, _ in
      let notebook = Notebook()
      client.inAppMessages.setDefaultView(notebook)
      let lease = try #require(await client.inAppMessages.leaseScreen())
      client.inAppMessages.logEvent("go")
      await client.inAppMessages.stack.becomes { $0.count == 1 }
      #expect(await client.inAppMessages.presentNext() == .reenqueued)
      lease.end()
      guard case .presented = await client.inAppMessages.presentNext() else {
        Issue.record("it was not presented")
        return
      }
      #expect(await client.inAppMessages.leaseScreen() == nil)
    }
  }

  // Proves: F23, F24, R-14
  @Test func `what happens is told by name, and suppressed messages are told as refused`()
    async throws
  {
    try await with([.onEvent("go", .text("Hello"))]) { client, _ in
      let notebook = Notebook()
      client.inAppMessages.setDefaultView(notebook)
      var events = client.inAppMessages.events.makeAsyncIterator()
      client.inAppMessages.suppress(.discard)
      client.inAppMessages.logEvent("go")
      guard case .finished(_, .refused(.suppressed))? = await events.next() else {
        Issue.record("it was not refused")
        return
      }
      client.inAppMessages.suppress(.none)
      client.inAppMessages.logEvent("go")
      var names: [String] = []
      while names.last != "iam.didPresent", let event = await events.next() {
        names.append(event.name)
      }
      #expect(names == ["iam.willPresent", "iam.impression", "iam.didPresent"])
    }
  }

  // Proves: F32
  @Test func `what only an app can do is handed to it, and attributes reach the server`()
    async throws
  {
    let message = InAppMessage.text(
      "Hello",
      buttons: [
        button(
          "1", "Yes",
          .sequence([
            .setAttribute(key: "keen", value: .bool(true)),
            .logEvent(name: "more", properties: [:]),
            .open(url: "https://films.example/", inApp: true),
          ]))
      ])
    let more = Campaign.onEvent("more", id: "more", .text("For keen people")) {
      $0.audience = .attribute(PropertyFilter("keen", .equal, .bool(true)))
    }
    try await with([.onEvent("go", message), more]) { client, _ in
      let (notebook, browser) = (Notebook(), Browser())
      client.inAppMessages.setDefaultView(notebook)
      client.inAppMessages.actionHandler = browser
      client.inAppMessages.delegate = notebook
      client.inAppMessages.logEvent("go")
      // A click before it is on screen is none.
      await notebook.waits(for: "didPresent Hello")
      notebook.view(.clicked(button: "1"))
      await browser.opens("https://films.example/")
      await notebook.waits(for: "show default For keen people")
    }
  }

  @Test func `an action that takes its time holds up later actions and nothing else`() async throws
  {
    let pages = ["https://films.example/1", "https://films.example/2"]
    let message = InAppMessage.text(
      "Hello",
      buttons: [button("1", "Yes", .sequence(pages.map { .open(url: $0, inApp: true) }))])
    let next = Campaign.onEvent("next", id: "next", .text("Next"))
    try await with([.onEvent("go", message), next]) { client, _ in
      let (notebook, browser) = (Notebook(), Browser(asks: true))
      client.inAppMessages.setDefaultView(notebook)
      client.inAppMessages.actionHandler = browser
      client.inAppMessages.delegate = notebook
      client.inAppMessages.logEvent("go")
      await notebook.waits(for: "didPresent Hello")
      notebook.view(.clicked(button: "1"))
      await notebook.waits(for: "finished")
      client.inAppMessages.logEvent("next")
      await notebook.waits(for: "didPresent Next")
      #expect(await browser.opened == [])
      for page in pages {
        browser.agree()
        await browser.opens(page)
      }
      #expect(await browser.opened == pages)
    }
  }

  @Test func `closing the client ends what is told, and answers who waits`() async throws {
    try await with([]) { client, _ in
      let events = client.inAppMessages.events
      client.inAppMessages.setDefaultView(Notebook())
      client.close()
      for await _ in events {}
      #expect(await client.inAppMessages.presentNext() == .empty)
      #expect(await client.inAppMessages.leaseScreen() == nil)
    }
  }
}

/// A display that shows what it accepts until the test has enough.
actor RecordingDisplay: MessageDisplay {
  nonisolated let kinds: Set<InAppMessage.Kind>
  private(set) var shows = 0
  private var answer: DisplayAnswer
  private var reporter: MessageDisplayReporter?
  private let (news, writer) = AsyncStream.makeStream(of: Void.self)

  init(
    _ answer: DisplayAnswer = .accepted,
    for kinds: Set<InAppMessage.Kind> = Set(InAppMessage.Kind.allCases)
  ) {
    self.answer = answer
    self.kinds = kinds
  }

  func display(
    _ message: InAppMessage, reportingTo reporter: MessageDisplayReporter
  ) async -> DisplayAnswer {
    shows += 1
    if answer == .accepted { self.reporter = reporter }
    writer.yield()
    return answer
  }

  func accept() { answer = .accepted }

  func waits(forShows count: Int) async {
    if shows >= count { return }
    for await _ in news where shows >= count { return }
  }

  func report(_ body: (MessageDisplayReporter) -> Void) {
    if let reporter { body(reporter) }
  }

  func letGo() { reporter = nil }
}

/// An app that opens pages, each when its person has agreed if it asks them.
actor Browser: MessageActionHandler {
  private let asks: Bool
  private(set) var opened: [String] = []
  private let (news, writer) = AsyncStream.makeStream(of: Void.self)
  private let (answers, person) = AsyncStream.makeStream(of: Void.self)

  init(asks: Bool = false) { self.asks = asks }

  nonisolated func agree() { person.yield() }

  func perform(_ action: InAppMessage.ClickAction, of message: InAppMessage) async {
    if asks { for await _ in answers { break } }
    if case .open(let url, _) = action { opened.append(url) }
    writer.yield()
  }

  func opens(_ url: String) async {
    if opened.contains(url) { return }
    for await _ in news where opened.contains(url) { return }
  }
}
