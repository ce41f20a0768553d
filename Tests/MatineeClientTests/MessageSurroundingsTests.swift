import EventLoops
import InAppMessaging
import MatineeClient
import Testing

/// What a message is shown in, as an app tells it: orientation, colours, screens, images and edges.
@Suite(.serialized, .hangLimit) struct MessageSurroundingsTests {
  /// Ann with a view for everything, at a server with one campaign.
  private func with(
    _ message: InAppMessage,
    prepare: @escaping @Sendable (inout PresentationContext) -> Void = { _ in },
    adjust: @escaping @Sendable (inout ClientOptions) -> Void = { _ in },
    _ body: (InAppMessages, Notebook) async throws -> Void
  ) async throws {
    try await ServerThread.with([.onEvent("go", message)], adjust: adjust) { client, _ in
      let notebook = Notebook { $0.prepare = prepare }
      client.inAppMessages.delegate = notebook
      client.inAppMessages.setDefaultView(notebook)
      try await body(client.inAppMessages, notebook)
    }
  }

  private static let landscape = PlatformState(width: 844, height: 390)

  // Proves: B2, B3
  @Test func `a delegate that is set before the views hears of the message that waited for them`()
    async throws
  {
    for isEarly in [true, false] {
      try await ServerThread.with([]) { client, _ in
        let notebook = Notebook { $0.choice = { _, _ in .discard } }
        let messages = client.inAppMessages
        // Without anything to show it on, it waits.
        messages.present(.text("First"))
        if isEarly { messages.delegate = notebook }
        messages.setDefaultView(notebook)
        if isEarly {
          await notebook.waits(for: "choice First")
          #expect(notebook.shown.isEmpty)
        } else {
          await messages.visible.becomes { $0?.plainText == "First" }
          #expect(!notebook.lines.contains { $0.hasPrefix("choice") })
          // From now on it is asked.
          messages.delegate = notebook
          messages.dismiss()
          await messages.visible.becomes { $0 == nil }
          let text = InAppMessage.Text("Second")
          messages.present(InAppMessage(id: MessageID("second"), kind: .modal, body: .text(text)))
          await notebook.waits(for: "choice Second")
        }
      }
    }
  }

  // Proves: B7, B8, B10, B11, B13
  @Test(arguments: [Orientation.portrait, .landscape], [Orientation?.none, .portrait, .landscape])
  func `a message is held as the device allows, the message supports and the app prefers`(
    device: Orientation, preferred: Orientation?
  ) async throws {
    for support in [InAppMessage.OrientationSupport.any, .portrait, .landscape] {
      var message = InAppMessage.text("Hello")
      message.orientation = support
      try await with(message, prepare: { $0.preferredOrientation = preferred }) {
        messages, notebook in
        if device == .landscape { messages.platform = Self.landscape }
        messages.logEvent("go")
        guard support.contains(device) else {
          await notebook.waits(for: "finished orientation")
          return
        }
        await notebook.waits(for: "didPresent")
        let wanted = preferred.flatMap { support.contains($0) ? $0 : nil } ?? device
        #expect(notebook.shown.first?.orientation == wanted)
        let held = support == .any ? preferred : wanted
        #expect(messages.heldOrientation.current == held, "\(support)")
        messages.dismiss()
        await messages.heldOrientation.becomes { $0 == nil }
      }
    }
  }

  // Proves: B8
  @Test func `an app that cannot be held so is not`() async throws {
    try await with(.text("Hello"), prepare: { $0.preferredOrientation = .landscape }) {
      messages, notebook in
      messages.platform.supportedOrientations = [.portrait]
      messages.logEvent("go")
      await notebook.waits(for: "didPresent")
      #expect(notebook.shown.first?.orientation == .portrait)
      #expect(messages.heldOrientation.current == nil)
    }
  }

  // Proves: B9, B14
  @Test func `a message on screen turns with the device, if it may`() async throws {
    // Neither is longer in a square window.
    #expect(PlatformState(width: 600, height: 600).orientation == .portrait)
    for (support, turns) in [(InAppMessage.OrientationSupport.any, true), (.portrait, false)] {
      var message = InAppMessage.text("Hello")
      message.orientation = support
      try await with(message) { messages, notebook in
        messages.logEvent("go")
        await notebook.waits(for: "didPresent")
        messages.platform = Self.landscape
        messages.platform.colorScheme = .dark
        // The colours change in any case, so that there is something to wait for.
        await notebook.waits { _ in notebook.shown.last?.colorScheme == .dark }
        #expect(notebook.shown.last?.orientation == (turns ? .landscape : .portrait))
      }
    }
  }

  // Proves: B15, B21
  @Test func `colours follow the app's appearance, also while the message is on screen`()
    async throws
  {
    var message = InAppMessage.text("Hello")
    message.themes.dark = InAppMessage.Theme()
    message.themes.dark?.background = Color(text: "#102030")
    message.themes.light.background = Color(text: "#F0F0F0")
    try await with(message) { messages, notebook in
      messages.logEvent("go")
      await notebook.waits(for: "didPresent")
      #expect(notebook.shown.last?.theme.background == Color(text: "#F0F0F0"))
      messages.platform.colorScheme = .dark
      await notebook.waits { _ in notebook.shown.count == 2 }
      #expect(notebook.shown.last?.theme.background == Color(text: "#102030"))
    }
  }

  // Proves: B28, B30
  @Test func `a full screen hides the status bar, and is a dialog in a large window`() async throws
  {
    try await with(.text("Hello", kind: .full)) { messages, notebook in
      messages.logEvent("go")
      await notebook.waits(for: "didPresent")
      #expect(messages.statusBarHidden.current == true && notebook.shown.last?.coversScreen == true)
      messages.dismiss()
      await messages.statusBarHidden.becomes { $0 == nil }
      messages.platform = PlatformState(width: 1_024, height: 768)
      messages.logEvent("go")
      await notebook.waits(for: "didPresent", times: 2)
      #expect(messages.statusBarHidden.current == nil && notebook.shown.last?.coversScreen == false)
    }
  }

  // Proves: B36
  @Test func `on a quiet screen messages wait, and come when it is left`() async throws {
    try await with(
      .text("Hello"),
      adjust: { options in
        options.inAppMessages.quietScreens = ["game"]
        options.inAppMessages.drainPolicy = .onSlotFree
      }
    ) { messages, notebook in
      messages.platform.screen = "game"
      messages.logEvent("go")
      await messages.stack.becomes { $0.count == 1 }
      #expect(notebook.shown.isEmpty)
      messages.platform.screen = "lobby"
      await notebook.waits(for: "didPresent Hello")
      #expect(messages.stack.current.isEmpty)
    }
  }

  // Proves: A3, A4
  @Test func `a slide-up stands off its edge as its campaign says, or as the app has it`()
    async throws
  {
    var message = InAppMessage.text("Hello", kind: .slideup)
    message.extras = ["edge_offset": .number(24)]
    for (adjusted, expected) in [(Double?.none, 24.0), (40, 40)] {
      let prepare: @Sendable (inout PresentationContext) -> Void = { context in
        if let adjusted { context.edgeOffset = adjusted }
      }
      try await with(message, prepare: prepare) { messages, notebook in
        messages.logEvent("go")
        await notebook.waits(for: "didPresent")
        #expect(notebook.shown.last?.edgeOffset == expected)
      }
    }
  }

  // Proves: A5, A7
  @Test func `a slide-up's distance follows the device, unless its campaign says all of it`()
    async throws
  {
    var message = InAppMessage.text("Hello", kind: .slideup)
    for (key, upright, turned) in [("edge_offset", 58.0, 45.0), ("slideConstraint", 24, 24)] {
      message.extras = [key: .number(24)]
      try await with(message, prepare: { _ in }) { messages, notebook in
        messages.logEvent("go")
        await notebook.waits(for: "didPresent")
        #expect(notebook.shown.last?.distance(fromEdge: 34) == upright)
        messages.platform.orientation = .landscape
        await notebook.waits(for: "update")
        #expect(notebook.shown.last?.distance(fromEdge: 21) == turned)
      }
    }
  }

  // Proves: F16
  @Test func `images are loaded before a message is shown, and one that cannot be refuses it`()
    async throws
  {
    var text = InAppMessage.Text("Hello", header: "A card")
    text.graphic = .image(InAppMessage.Image(url: "https://pictures.example/a.png"))
    var message = InAppMessage(id: MessageID("draft"), kind: .card, body: .text(text))
    message.buttons = [InAppMessage.Button(id: "1", text: "Yes")]
    for isThere in [true, false] {
      let loader = Loader(isThere)
      try await with(message, adjust: { $0.inAppMessages.assetLoader = loader }) {
        messages, notebook in
        messages.logEvent("go")
        await notebook.waits(for: isThere ? "didPresent" : "finished assets")
        #expect(loader.asked.withLock { $0 } == ["https://pictures.example/a.png"])
        #expect(notebook.shown.isEmpty == !isThere)
      }
    }
  }

  // Proves: F16
  @Test func `a message whose image for landscape cannot be loaded is shown with the other`()
    async throws
  {
    let image = InAppMessage.Image(url: "https://pictures.example/a.png")
    let landscape = InAppMessage.Image(url: "https://pictures.example/b.png")
    var text = InAppMessage.Text("Hello", header: "A card")
    text.graphic = .image(image)
    text.landscapeImage = landscape
    var message = InAppMessage(id: MessageID("draft"), kind: .card, body: .text(text))
    message.buttons = [InAppMessage.Button(id: "1", text: "Yes")]
    let loader = Loader(true, except: [landscape.url])
    try await with(message, adjust: { $0.inAppMessages.assetLoader = loader }) {
      messages, notebook in
      messages.logEvent("go")
      await notebook.waits(for: "didPresent")
      #expect(loader.asked.withLock { $0 } == [image.url, landscape.url])
      var expected = text
      expected.landscapeImage = nil
      #expect(notebook.shown.last?.message.body == .text(expected))
    }
  }

  // Proves: F31
  @Test func `an app hears what it does not draw, and such a message does not wait`()
    async throws
  {
    try await ServerThread.with([
      .onEvent("go", id: "bar", .text("Hello", kind: .slideup)),
      .onEvent("more", id: "modal", .text("Hello again")),
    ]) { client, _ in
      let messages = client.inAppMessages
      #expect(messages.undrawnKinds.count == InAppMessage.Kind.allCases.count - 1)
      var events = messages.events.makeAsyncIterator()
      let display = RecordingDisplay(for: [.modal, .card])
      messages.display = display
      guard case .undrawn(let kinds)? = await events.next() else {
        Issue.record("nothing is said of what is not drawn")
        return
      }
      #expect(kinds == messages.undrawnKinds && kinds.contains(.slideup))
      #expect(!kinds.contains(.modal) && !kinds.contains(.card))

      messages.logEvent("go")
      let end = try #require(await events.next())
      guard case .finished(_, .refused(.noDisplay)) = end else {
        Issue.record("\(end)")
        return
      }
      #expect(messages.stack.current.isEmpty)
      #expect(await display.shows == 0)
      messages.logEvent("more")
      await display.waits(forShows: 1)

      messages.display = nil
      messages.register("bar", for: [.slideup], Notebook())
      #expect(messages.undrawnKinds.count == InAppMessage.Kind.allCases.count - 2)
      messages.setDefaultView(Notebook())
      #expect(messages.undrawnKinds.isEmpty)
    }
  }
}

/// Loads nothing, and says what it says.
private final class Loader: MessageAssetLoader {
  let asked = Locked<[String]>([])
  private let isThere: Bool
  private let exceptions: Set<String>

  init(_ isThere: Bool, except exceptions: Set<String> = []) {
    self.isThere = isThere
    self.exceptions = exceptions
  }

  func load(_ url: String) async -> Bool {
    asked.withLock { $0.append(url) }
    return isThere != exceptions.contains(url)
  }
}
