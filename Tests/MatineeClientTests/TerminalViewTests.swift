import EventLoops
import InAppMessaging
import MatineeClient
import MatineeTerminal
import Testing

/// The ready-made view for terminals, in an app without windows.
@Suite(.serialized, .hangLimit) struct TerminalViewTests {
  /// The lines that a view prints.
  private final class Paper: Sendable {
    let lines = Locked<[String]>([])
    private let (news, writer) = AsyncStream.makeStream(of: Void.self)

    func write(_ line: String) {
      lines.withLock { $0.append(line) }
      writer.yield()
    }

    func has(_ text: String) async {
      for await _ in news where lines.withLock({ $0.contains { $0.contains(text) } }) { return }
    }
  }

  private func with(
    _ message: InAppMessage,
    _ body: (GroupWatchClient, TerminalMessageView, Paper) async throws -> Void
  ) async throws {
    try await ServerThread.with([.onEvent("go", message)]) { client, _ in
      let paper = Paper()
      let view = TerminalMessageView { paper.write($0) }
      client.inAppMessages.setDefaultView(view)
      client.inAppMessages.logEvent("go")
      try await body(client, view, paper)
    }
  }

  // Proves: F4, A20, A21
  @Test func `a list of switches is drawn, a key turns one off, and what is chosen is kept`()
    async throws
  {
    var message = InAppMessage.text("News, Films, Offers", kind: .full)
    message.extras = ["view_type": .string("table_list"), "attribute_key": .string("topics")]
    message.buttons = [InAppMessage.Button(id: "0", text: "Save", clickAction: .close)]
    try await with(message) { client, view, paper in
      await paper.has("[x] Offers")
      #expect(view.isShowing)
      var events = client.inAppMessages.events.makeAsyncIterator()
      #expect(view.press(.number(2)))
      await paper.has("[ ] Films")
      #expect(!view.press(.number(4)))
      #expect(view.press(.enter))
      while let event = await events.next() {
        if case .clicked(_, let button) = event {
          #expect(button == "0")
          break
        }
      }
      await client.inAppMessages.visible.becomes { $0 == nil }
      #expect(!view.press(.enter))
    }
  }

  // Proves: A19, F7
  @Test func `an app previews a message as it will be drawn, and replaces the view of one kind`()
    async throws
  {
    let preview = TerminalMessageView.preview(.text("Hello", kind: .slideup), width: 40)
    #expect(preview.first?.hasPrefix("┌") == true && preview.contains { $0.contains("Hello") })
    try await with(.text("Hello")) { client, view, paper in
      await paper.has("Hello")
      view.press(.escape)
      await client.inAppMessages.visible.becomes { $0 == nil }
      let notebook = Notebook()
      client.inAppMessages.register("own", for: [.modal], notebook)
      client.inAppMessages.logEvent("go")
      await notebook.waits(for: "show own")
      #expect(!view.isShowing)
    }
  }
}
