import InAppMessaging
import MatineeClient
import Testing

/// An app as its developers write it: by the guide, on the main actor, in any order.
@Suite(.serialized, .hangLimit) struct MessageAppTests {
  /// What the guide's functions were called with.
  fileprivate actor Log {
    private(set) var lines: [String] = []
    private let (news, writer) = AsyncStream.makeStream(of: Void.self)

    func note(_ line: String) {
      lines.append(line)
      writer.yield()
    }

    func waits(for line: String) async {
      if lines.contains(line) { return }
      for await _ in news where lines.contains(line) { return }
    }
  }

  /// Waits for an event of the message with that text.
  private func waits(
    for name: String, of text: String, in events: AsyncStream<MessageEvent>
  ) async {
    for await event in events where event.name == name {
      switch event {
      case .didPresent(let message), .didDismiss(let message, _):
        if message.plainText == text { return }
      default: break
      }
    }
    Issue.record("there was no \(name) of \(text)")
  }

  // Proves: B5
  @Test func `the guide's app runs: view, delegate, custom view and display`() async throws {
    var film = InAppMessage.text("{{event.title}}")
    film.buttons = [InAppMessage.Button(id: "1", text: "Yes")]
    var genres = InAppMessage.text("Drama, Comedy")
    genres.extras = ["view_type": .string("picker"), "attribute_key": .string("genre")]
    genres.buttons = [InAppMessage.Button(id: "1", text: "Submit")]
    let campaigns = [
      Campaign.onEvent("Film Finished", id: "film", film),
      .onEvent("genres", id: "genres", genres),
      .onEvent("comedy", id: "comedy", .text("Have a laugh")) {
        $0.audience = .attribute(PropertyFilter("genre", .equal, .string("Comedy")))
      },
    ]
    try await ServerThread.with(campaigns) { client, _ in
      let log = Log()
      let messages = client.inAppMessages
      let events = messages.events
      let panel = Panel(
        draw: { await log.note("draws \($0.message.plainText)") },
        clear: { await log.note("clears") })
      beginMessages(client, panel: panel)
      await log.waits(for: "draws Sintel")
      await messages.statusBarHidden.becomes { $0 == true }
      messages.dismiss()
      await log.waits(for: "clears")
      await messages.visible.becomes { $0 == nil }

      messages.register(
        "picker",
        GenrePicker { items in
          await log.note("asks for \(items.count)")
          return items.last
        })
      messages.logEvent("genres")
      await log.waits(for: "asks for 2")
      await waits(for: "iam.didDismiss", of: "Drama, Comedy", in: events)

      // What was chosen has reached the server, and a display takes the place of views.
      let popups = Popups()
      messages.display = popups
      messages.logEvent("comedy")
      await waits(for: "iam.didPresent", of: "Have a laugh", in: events)
      await popups.closed()
      await messages.visible.becomes { $0 == nil }
      try await tryOut(CampaignID("film"), on: messages)
      await waits(for: "iam.didPresent", of: "Sintel", in: events)
      await popups.tapped("1")
      await messages.visible.becomes { $0 == nil }
      await afterTheGame(messages)

      let next = try await logIn(
        UserID("bob"), name: "Bob", options: ClientOptions(), after: client)
      #expect(next.inAppMessages.display != nil)
      next.close()
    }
  }

  // Proves: F17, F25
  @Test func `a display that is set late shows what waits for it`() async throws {
    try await ServerThread.with([.onEvent("go", .text("Hello"))]) { client, _ in
      client.inAppMessages.logEvent("go")
      _ = try await client.status()
      #expect(client.inAppMessages.visible.current == nil)
      let display = RecordingDisplay()
      client.inAppMessages.display = display
      await display.waits(forShows: 1)
      await display.report { $0.messageDismissed() }
      await client.inAppMessages.visible.becomes { $0 == nil }
    }
  }

  // Proves: F10
  @Test func `an app on the main actor is called there`() async throws {
    let message = InAppMessage.text(
      "Hello",
      buttons: [
        InAppMessage.Button(
          id: "1", text: "Yes", clickAction: .open(url: "https://films.example/", inApp: true))
      ])
    try await ServerThread.with([.onEvent("go", message)]) { client, _ in
      let screen = MainScreen()
      client.inAppMessages.delegate = screen
      client.inAppMessages.actionHandler = screen
      client.inAppMessages.setDefaultView(screen)
      client.inAppMessages.logEvent("go")
      await screen.hasEnded()
      let calls = await screen.calls
      #expect(
        calls.filter { $0 != "perform" } == [
          "choice", "prepare", "view type", "will present", "show", "did present", "process",
          "will dismiss", "dismiss", "did dismiss", "finished",
        ])
      // The action is performed once, beside the calls that follow its click.
      let action = try #require(calls.firstIndex(of: "perform"))
      let click = try #require(calls.firstIndex(of: "process"))
      #expect(click < action && action == calls.lastIndex(of: "perform"))
    }
  }

  @Test
  func `a display that is still at work when the client closes is told to dismiss afterwards`()
    async throws
  {
    try await ServerThread.with([]) { client, _ in
      let log = Log()
      client.inAppMessages.display = SlowDisplay(log: log)
      client.inAppMessages.present(.text("Hello"))
      await log.waits(for: "displays")
      client.close()
      await log.waits(for: "dismisses")
      #expect(await log.lines == ["displays", "has displayed", "dismisses"])
    }
  }
}

/// A window whose state only the main actor may touch, as in most apps.
@MainActor private final class MainScreen: InAppMessageUIDelegate, MessageView, MessageActionHandler
{
  private(set) var calls: [String] = []
  private let (news, writer) = AsyncStream.makeStream(of: Void.self)

  private func note(_ call: String) {
    MainActor.preconditionIsolated()
    calls.append(call)
    if Set(["perform", "finished"]).isSubset(of: calls) { writer.finish() }
  }

  private func note(_ call: String, in view: (any MessageView)?) {
    note(view as? MainScreen === self ? call : call + " without its view")
  }

  func hasEnded() async { for await _ in news {} }

  func displayChoice(for message: InAppMessage, origin: MessageOrigin) -> DisplayChoice {
    note("choice")
    return .now
  }

  func prepare(with context: inout PresentationContext) { note("prepare") }

  func viewType(for message: InAppMessage) -> String? {
    note("view type")
    return nil
  }

  func willPresent(_ message: InAppMessage, in view: (any MessageView)?) {
    note("will present", in: view)
  }

  func didPresent(_ message: InAppMessage, in view: (any MessageView)?) {
    note("did present", in: view)
  }

  func shouldProcess(
    _ action: InAppMessage.ClickAction, button: InAppMessage.Button?, buttonID: String?,
    of message: InAppMessage, in view: (any MessageView)?
  ) -> Bool {
    note("process", in: view)
    return true
  }

  func perform(_ action: InAppMessage.ClickAction, of message: InAppMessage) { note("perform") }

  func willDismiss(
    _ message: InAppMessage, because reason: InAppMessage.DismissReason,
    in view: (any MessageView)?
  ) {
    note("will dismiss", in: view)
  }

  func didDismiss(
    _ message: InAppMessage, because reason: InAppMessage.DismissReason,
    in view: (any MessageView)?
  ) {
    note("did dismiss", in: view)
  }

  func finished(_ id: MessageID, _ outcome: InAppMessage.Outcome) { note("finished") }

  func run(_ presentation: MessagePresentation) async {
    for await command in presentation.commands {
      switch command {
      case .show:
        note("show")
        presentation.report(.presented)
        presentation.report(.clicked(button: "1"))
      case .update, .pause: break
      case .dismiss:
        note("dismiss")
        presentation.report(.dismissed)
      }
    }
  }
}

/// A picker, of which the app decides what is chosen.
private struct GenrePicker: MessageView {
  var ask: @Sendable ([String]) async -> String?

  func run(_ presentation: MessagePresentation) async {
    for await command in presentation.commands {
      switch command {
      case .show(let shown):
        presentation.report(.presented)
        guard let key = shown.attributeKey, let submit = shown.buttons.last,
          let genre = await ask(shown.items())
        else {
          presentation.report(.closed(.escape))
          continue
        }
        presentation.report(
          .clicked(button: submit.id, action: .setAttribute(key: key, value: .string(genre))))
      case .update, .pause: break
      case .dismiss: presentation.report(.dismissed)
      }
    }
  }
}

/// A display that has one message at a time.
private actor Popups: MessageDisplay {
  private var reporter: MessageDisplayReporter?

  func display(
    _ message: InAppMessage, reportingTo reporter: MessageDisplayReporter
  ) -> DisplayAnswer {
    guard self.reporter == nil else { return .declined }
    self.reporter = reporter
    reporter.impressionDetected()
    return .accepted
  }

  func dismiss(_ id: MessageID, because reason: InAppMessage.DismissReason) {
    if reporter?.message.id == id { reporter = nil }
  }

  func tapped(_ button: String?) {
    reporter?.messageClicked(button: button)
    reporter = nil
  }

  func closed() {
    reporter?.messageDismissed(.closeButton)
    reporter = nil
  }
}

/// A display that gives everything else time to overtake it.
private actor SlowDisplay: MessageDisplay {
  private let log: MessageAppTests.Log
  private var reporter: MessageDisplayReporter?

  init(log: MessageAppTests.Log) { self.log = log }

  func display(
    _ message: InAppMessage, reportingTo reporter: MessageDisplayReporter
  ) async -> DisplayAnswer {
    self.reporter = reporter
    await log.note("displays")
    for _ in 0..<1_000 { await Task.yield() }
    await log.note("has displayed")
    return .accepted
  }

  func dismiss(_ id: MessageID, because reason: InAppMessage.DismissReason) async {
    await log.note("dismisses")
  }
}
