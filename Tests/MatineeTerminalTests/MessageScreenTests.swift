import InAppMessaging
import MatineeClient
import Naming
import Testing
import Vocabulary

@testable import MatineeTerminal

/// What keys do to a message on a terminal.
@Suite struct MessageScreenTests {
  private func screen(
    _ message: InAppMessage, view: String? = nil, size: TerminalSize = .smallest
  ) throws -> MessageScreen {
    var message = message
    if let view { message.extras["view_type"] = .string(view) }
    let shown = try #require(ShownMessage.shown(message))
    return MessageScreen(shown, size: size)
  }

  private func message(
    _ text: String = "Hello", kind: InAppMessage.Kind = .modal,
    buttons: [(String, String, InAppMessage.ClickAction)] = []
  ) -> InAppMessage {
    var message = InAppMessage(
      id: "m", kind: kind, body: .text(InAppMessage.Text(text)))
    message.buttons = buttons.map { InAppMessage.Button(id: $0, text: $1, clickAction: $2) }
    return message
  }

  // Proves: B24, B25
  @Test func `a number presses the button in that place, by its id, and return the primary one`()
    throws
  {
    var screen = try screen(message(buttons: [("7", "No", .close), ("3", "Yes", .close)]))
    #expect(screen.press(.number(1)) == .tell(.clicked(button: "7")))
    #expect(screen.press(.number(2)) == .tell(.clicked(button: "3")))
    #expect(screen.press(.number(3)) == nil)
    #expect(screen.press(.enter) == .tell(.clicked(button: "3")))
    #expect(screen.press(.tab) == .redraw)
    #expect(screen.press(.enter) == .tell(.clicked(button: "7")))
    #expect(screen.press(.escape) == .tell(.closed(.escape)))
  }

  // Proves: B23, A22
  @Test func `without buttons return clicks the body, which closes it or does what it says`() throws
  {
    var plain = message()
    var screen = try screen(plain)
    #expect(screen.lines.last?.text == "return or esc closes")
    #expect(screen.press(.number(7)) == nil)
    #expect(screen.press(.enter) == .tell(.clicked(button: nil)))
    plain.clickAction = .deepLink("app://x")
    screen = try self.screen(plain)
    #expect(screen.lines.last?.text == "return: open; esc closes")
    #expect(screen.press(.enter) == .tell(.clicked(button: nil)))
  }

  @Test func `in a player's view without buttons return does nothing`() throws {
    var film = message()
    film.extras = ["video_url": .string("https://films.example/sintel.mp4")]
    var screen = try screen(film, view: "video")
    #expect(screen.press(.enter) == nil)
  }

  // Proves: A8, A11, A16, A17, A18
  @Test func `a picker submits what was chosen, and nothing before`() throws {
    var message = message("Drama, Comedy, Science, fiction", buttons: [("0", "Submit", .close)])
    message.extras = ["attribute_key": .string("genre")]
    var screen = try screen(message, view: "picker")
    #expect(screen.press(.enter) == nil)
    #expect(screen.press(.down) == .redraw)
    #expect(screen.press(.down) == .redraw)
    #expect(screen.press(.up) == .redraw)
    #expect(
      screen.press(.enter)
        == .tell(
          .clicked(button: "0", action: .setAttribute(key: "genre", value: .string("Drama")))))
    #expect(screen.press(.number(2)) == .redraw)
    #expect(screen.press(.number(9)) == nil)
    #expect(screen.lines.contains { $0.text.contains("(•) Comedy") })
    message.extras = [:]
    screen = try self.screen(message, view: "picker")
    _ = screen.press(.number(1))
    #expect(screen.press(.enter) == nil, "without a key for it nothing is kept")
  }

  // Proves: A20, A21
  @Test func `switches are all on at first, and what stays on is submitted`() throws {
    var message = message(
      "News, Friends, Offers", kind: .full,
      buttons: [("0", "Not now", .close), ("1", "Save", .close)])
    message.extras = ["attribute_key": .string("topics")]
    var screen = try screen(message, view: "table_list")
    #expect(screen.press(.number(3)) == .redraw)
    #expect(
      screen.press(.enter)
        == .tell(
          .clicked(
            button: "1", action: .setAttribute(key: "topics", value: .list(["News", "Friends"])))))
    _ = screen.press(.tab)
    #expect(screen.press(.enter) == .tell(.clicked(button: "0")))
  }

  // Proves: S31
  @Test func `the button that shares is there only while there is somebody to share with`() throws {
    let message = message(
      buttons: [("s", "Share", .session(.startForAll)), ("c", "Close", .close)])
    var alone = try screen(message)
    #expect(!alone.lines.contains { $0.text.contains("Share") })
    #expect(alone.press(.number(1)) == .tell(.clicked(button: "c")))
    var shared = alone.showing(try #require(ShownMessage.shown(message, canShare: true)))
    #expect(shared.lines.contains { $0.text.contains("Share") })
    #expect(shared.press(.number(1)) == .tell(.clicked(button: "s")))
  }

  @Test(arguments: InAppMessage.Kind.allCases)
  func `every kind is drawn, and no campaign writes to the terminal`(kind: InAppMessage.Kind) throws
  {
    let evil = "red \u{1B}[31m and \u{9B}2J bell \u{7}"
    var message = message(evil, kind: kind, buttons: [("1", evil, .close)])
    if kind == .html { message.body = .html(InAppMessage.Page("<p>\(evil)</p>")) }
    message.extras = ["view_type": .string(evil)]
    guard kind != .control else {
      #expect(ShownMessage.shown(message) == nil)
      return
    }
    let lines = try screen(message).lines
    let plain = TextStyling(hasColor: false)
    for line in lines {
      let text = line.styled(plain)
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    }
    #expect(lines.count > 2)
  }

  // Proves: B12
  @Test(arguments: [InAppMessage.Kind.modal, .full, .card], [12, 20])
  func `of a long text buttons and what closes it stay in sight, and all of it can be read`(
    kind: InAppMessage.Kind, rows: Int
  ) throws {
    let words = (1...400).map { "word\($0)" }
    let message = message(
      words.joined(separator: " "), kind: kind,
      buttons: [("0", "Not now", .close), ("1", "Yes", .close)])
    var screen = try screen(message, size: TerminalSize(columns: 40, rows: rows))
    var seen: Set<String> = []
    var pages = 0
    repeat {
      let lines = screen.lines.map(\.text)
      #expect(lines.count <= rows)
      #expect(lines[0].contains("[✕]"))
      #expect(lines.contains { $0.contains("[ Not now ]") && $0.contains("[ Yes ]") })
      for line in lines { seen.formUnion(line.split(separator: " ").map(String.init)) }
      pages += 1
    } while screen.press(.down) == .redraw && pages < 200
    #expect(words.allSatisfy(seen.contains))
    #expect(screen.press(.down) == nil && screen.press(.up) == .redraw)
    #expect(screen.press(.enter) == .tell(.clicked(button: "1")))
  }

  private static let terminals: [(TerminalSize?, TerminalSize)] = [
    (TerminalSize(columns: 40, rows: 24), TerminalSize(columns: 40, rows: 20)),
    (TerminalSize(columns: 200, rows: 50), TerminalSize(columns: 200, rows: 46)),
    (TerminalSize(columns: 30, rows: 3), TerminalSize(columns: 30, rows: 1)),
    (TerminalSize(columns: 0, rows: 0), .smallest), (nil, .smallest),
  ]

  @Test(arguments: terminals)
  func `a message is as wide as the terminal, and leaves rows for typing`(
    terminal: TerminalSize?, room: TerminalSize
  ) throws {
    let size = TerminalSize(forMessagesOn: terminal)
    #expect(size == room)
    for kind in [InAppMessage.Kind.modal, .full, .card] {
      let words = String(repeating: "word ", count: 40)
      let lines = try screen(message(words, kind: kind), size: size).lines.dropLast()
      #expect(lines.allSatisfy { $0.columns <= room.columns })
    }
  }

  // Proves: B12
  @Test func `what is chosen of a long list is in sight`() throws {
    let items = (1...60).map { "item\($0)" }.joined(separator: ", ")
    var message = message(items, buttons: [("0", "Submit", .close)])
    message.extras = ["attribute_key": .string("genre")]
    var screen = try screen(message, view: "picker", size: TerminalSize(columns: 40, rows: 14))
    for number in 1...60 {
      #expect(screen.press(.down) == .redraw || number == 60)
      let lines = screen.lines.map(\.text)
      #expect(lines.count <= 14 && lines.contains { $0.contains("(•) item\(number) ") })
      #expect(lines.contains { $0.contains("[ Submit ]") })
    }
    #expect(screen.press(.number(1)) == .redraw)
    #expect(screen.lines.contains { $0.text.contains("(•) item1 ") })
  }

  // Proves: A19
  @Test(arguments: ["", "picker", "table_list", "video", "nobody's"])
  func `a preview is what is shown, in views of their own, too`(view: String) throws {
    var message = message("Drama, Comedy", buttons: [("0", "Submit", .close)])
    message.extras = [
      "view_type": .string(view), "attribute_key": .string("genre"),
      "video_url": .string("https://films.example/film.mp4"), "video_title": .string("Film"),
    ]
    if view.isEmpty { message.extras = [:] }
    let preview = MessagePanel(message, width: TerminalSize.smallest.columns)
    #expect(try screen(message).lines.dropLast() == preview.lines[...])
  }

  @Test func `what fits is not scrolled`() throws {
    var screen = try screen(message("short", buttons: [("1", "Yes", .close)]))
    #expect(screen.press(.down) == nil && !screen.lines.contains { $0.text.contains("more") })
  }

  @Test func `keys are typed as words and numbers, and nothing else is a key`() {
    let keys = ["", "tab", "up", "down", "esc", "\u{1B}", "1", "12"].map(MessageKey.init(line:))
    #expect(keys == [.enter, .tab, .up, .down, .escape, .escape, .number(1), .number(12)])
    for line in ["0", "-1", "123", "pause", "1 2"] { #expect(MessageKey(line: line) == nil) }
  }

  @Test(arguments: [(0.0, 0), (40, 2), (55, 3), (-20, 0), (10_000, 10)])
  func `a message at an edge keeps its distance, a row for twenty points`(
    points: Double, rows: Int
  ) throws {
    var bar = message("Hello", kind: .slideup)
    for edge in [InAppMessage.Edge.top, .bottom] {
      bar.surface = .edge(edge)
      var shown = try #require(ShownMessage.shown(bar))
      let flush = MessageScreen(shown).lines.map(\.text)
      for isByCampaign in [false, true] {
        shown.edgeOffset = isByCampaign ? 60 : points
        shown.message.extras = isByCampaign ? ["slideConstraint": .number(points)] : [:]
        let lines = MessageScreen(shown).lines.map(\.text)
        let margin = Array(repeating: "", count: rows)
        let (drawn, hint) = (flush.dropLast(), flush.suffix(1))
        #expect(lines == (edge == .top ? margin + drawn : drawn + margin) + hint)
      }
    }
  }
}
