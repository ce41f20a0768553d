import Foundation
import InAppMessaging
import Naming
import Testing
import Vocabulary

@testable import MatineeTerminal

/// In-app messages as a terminal shows them.
@Suite struct MessagePanelTests {
  private static let image = InAppMessage.Image(
    url: "https://example.org/cinema.png?size=2", alternativeText: nil)

  private static func message(_ kind: InAppMessage.Kind) -> InAppMessage {
    let body: InAppMessage.Body =
      switch kind {
      case .modalImage, .fullImage, .imageOnly: .image(image, landscape: nil)
      case .html: .html(.init("<style>p {}</style><h1>Hello</h1><p>one &amp; two<br>three</p>"))
      case .control: .empty
      case .slideup, .modal, .full, .card, .banner:
        .text(.init("Everything is half price until midnight.", header: "Friday"))
      }
    return InAppMessage(id: "m", kind: kind, body: body)
  }

  private func text(
    _ message: InAppMessage, _ view: DrawnView? = nil, width: Int = 32
  ) -> String {
    MessagePanel(message, view: view, width: width).lines.map(\.text).joined(separator: "\n")
  }

  // MARK: The ten kinds

  // Proves: F2
  @Test(arguments: [
    (
      InAppMessage.Kind.slideup,
      """
      ┌──────────────────────────────┐
      │  Friday                      │
      │  Everything is half price    │
      │  until midnight.             │
      └──────────────────────────────┘
      """
    ),
    (
      .modal,
      """
      ╭──────────────────────────[✕]─╮
      │                              │
      │            Friday            │
      │                              │
      │   Everything is half price   │
      │       until midnight.        │
      │                              │
      ╰──────────────────────────────╯
      """
    ),
    (
      .fullImage,
      """
      ╔══════════════════════════[✕]═╗
      ║                              ║
      ║     [image: cinema.png]      ║
      ║                              ║
      ╚══════════════════════════════╝
      """
    ),
    (
      .html,
      """
      ╔══════════════════════════[✕]═╗
      ║                              ║
      ║   a page, drawn only where   ║
      ║      there is a browser      ║
      ║                              ║
      ║  Hello                       ║
      ║  one & two                   ║
      ║  three                       ║
      ║                              ║
      ╚══════════════════════════════╝
      """
    ),
    (.control, ""),
  ])
  func `a kind has its border, and what it says`(kind: InAppMessage.Kind, expected: String) {
    #expect(text(Self.message(kind)) == expected)
  }

  @Test func `every kind but the control is drawn in full`() {
    for kind in InAppMessage.Kind.allCases where kind != .control {
      let text = text(Self.message(kind), width: 80)
      switch kind {
      case .modalImage, .fullImage, .imageOnly: #expect(text.contains("[image: cinema.png]"))
      case .html: #expect(text.contains("one & two"))
      default:
        #expect(text.contains("Friday"))
        #expect(text.contains("Everything is half price until midnight."))
      }
      #expect(text.contains("[✕]") == Self.message(kind).closing.byButton)
    }
  }

  @Test func `images, icons and buttons have their places`() {
    var message = Self.message(.modal)
    message.body = .text(
      .init(
        "Half price", header: "Friday",
        graphic: .image(.init(url: "https://a.org/b.png", alternativeText: "Two on a sofa"))))
    message.buttons = [.init(id: "0", text: "Not now"), .init(id: "1", text: "Buy")]
    message.closing.byButton = false
    #expect(
      text(message) == """
        ╭──────────────────────────────╮
        │                              │
        │    [image: Two on a sofa]    │
        │                              │
        │            Friday            │
        │                              │
        │          Half price          │
        │                              │
        │     [ Not now ]  [ Buy ]     │
        │                              │
        ╰──────────────────────────────╯
        """)
    let spans = MessagePanel(message, width: 32).lines.flatMap(\.spans)
    #expect(spans.contains(.init(text: "[ Buy ]", style: .bold)))
    #expect(spans.contains(.init(text: "[ Not now ]", style: .plain)))
    #expect(spans.contains(.init(text: "Friday", style: .bold)))
    #expect(spans.contains(.init(text: "[image: Two on a sofa]", style: .dim)))
  }

  @Test func `buttons that do not fit stand beneath each other`() {
    var message = Self.message(.modal)
    message.buttons = [
      .init(id: "0", text: "Perhaps some other time"), .init(id: "1", text: "Buy a ticket"),
    ]
    let lines = text(message).split(separator: "\n")
    #expect(lines.contains("│[ Perhaps some other time ]   │") == false)
    #expect(lines.contains { $0.contains("[ Perhaps some other ti") && !$0.contains("Buy") })
    #expect(lines.contains { $0.contains("[ Buy a ticket ]") })
  }

  @Test func `a slideup has three lines at most, and shows that it can be clicked`() {
    var message = Self.message(.slideup)
    message.body = .text(.init(String(repeating: "and on ", count: 30)))
    #expect(
      text(message) == """
        ┌──────────────────────────────┐
        │  and on and on and on and    │
        │  on and on and on and on     │
        │  and on and on and on and…   │
        └──────────────────────────────┘
        """)
    message.body = .text(.init("Hello"))
    message.clickAction = .close
    #expect(text(message).contains("│  Hello                    ›  │"))
    message.body = .text(.init("", header: "Hello"))
    #expect(text(message).contains("│  Hello                    ›  │"))
  }

  @Test func `text stands where it is to stand, by the direction of its language`() {
    var message = Self.message(.modal)
    message.body = .text(.init("word", alignment: .leading))
    #expect(text(message).contains("│  word                        │"))
    message.body = .text(.init("word", alignment: .trailing))
    #expect(text(message).contains("│                        word  │"))
    message.language = "he-IL"
    #expect(text(message).contains("│  word                        │"))
  }

  @Test func `the languages that are written from right to left are those of the page`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Browser/Cases/directions.txt")
    var message = Self.message(.modal)
    message.body = .text(.init("word", alignment: .leading))
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      message.language = words[0]
      let isRightToLeft = text(message).contains("│                        word  │")
      #expect(isRightToLeft == (words[1] == "rtl"), "\(line)")
    }
  }

  // MARK: Views

  @Test func `a picker lists what can be chosen, and nothing is at first`() {
    var message = Self.message(.modal)
    message.body = .text(.init("Drama, Comedy", header: "What?"))
    message.extras = ["view_type": .string("picker")]
    #expect(text(message).contains("│  ( ) Drama                   │\n│  ( ) Comedy "))
    #expect(!text(message).contains("Drama, Comedy"))
    let chosen = text(message, .picker(["Drama", "Comedy"], chosen: 1))
    #expect(chosen.contains("( ) Drama") && chosen.contains("(•) Comedy"))
  }

  @Test func `switches are all on at first`() {
    var message = Self.message(.full)
    message.body = .text(.init("News, Offers"))
    message.extras = ["view_type": .string("table_list")]
    #expect(text(message).contains("[x] News") && text(message).contains("[x] Offers"))
    let off = text(message, .switches([.init(text: "News", isOn: false)]))
    #expect(off.contains("[ ] News"))
  }

  // Proves: S10, A14
  @Test func `a video has a title, and an unknown view is the message`() {
    var message = Self.message(.modal)
    message.extras = ["view_type": .string("video"), "video_url": .string("https://a.org/b.mp4")]
    #expect(text(message).contains("▶ Video Content"))
    #expect(text(message).contains("https://a.org/b.mp4"))
    message.extras["view_type"] = .string("carousel")
    #expect(text(message).contains("until midnight."))
    message.extras["view_type"] = .number(7)
    #expect(text(message).contains("until midnight."))
  }

  // MARK: What may be in it

  @Test func `nothing in a message moves the cursor or colours the screen`() {
    var message = Self.message(.modal)
    message.body = .text(
      .init("a\u{1B}[31mb\u{7}c\u{202E}d\u{9B}2J\r\n", header: "\u{1B}]0;x\u{7}"))
    message.buttons = [.init(id: "1", text: "\u{1B}[2JOk\n")]
    message.extras = [
      "view_type": .string("video"), "video_url": .string("\u{1B}c"),
      "video_title": .string("\u{2067}x"),
    ]
    let text = text(message)
    let allowed = text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n"
        || ![.control, .format].contains(scalar.properties.generalCategory)
    }
    #expect(allowed, "\(text.debugDescription)")
    #expect(text.contains("a[31mbcd2J"))
  }

  /// Any text in any width: the border is straight.
  @Test func `the border is straight, whatever is said, however wide`() {
    let texts = [
      "", " ", "word", "日本語の長いテキストはどこでも改行できます", "🍿🍿🍿 👨‍👩‍👧‍👦 ❤️ popcorn", "e\u{301}e\u{301}",
      String(repeating: "x", count: 500), "a\n\n\nb", "\t tab", "עברית and English", "한국어 텍스트",
    ]
    for width in [20, 21, 22, 35, 63, 64, 90] {
      for (place, text) in texts.enumerated() {
        for kind in [InAppMessage.Kind.slideup, .modal, .fullImage, .html] {
          var message = Self.message(kind)
          let other = texts[(place + width) % texts.count]
          switch message.body {
          case .text:
            message.body = .text(.init(text, header: other, graphic: .icon(text)))
          case .image:
            message.body = .image(.init(url: "", alternativeText: text), landscape: nil)
          case .html: message.body = .html(.init("<p>\(text)<b>\(other)"))
          case .empty: break
          }
          message.buttons = [.init(id: "0", text: other), .init(id: "1", text: text)]
          message.clickAction = place.isMultiple(of: 2) ? .close : nil
          let view: DrawnView = [
            .none, .picker(texts, chosen: 2), .video(title: text, url: other),
          ][width % 3]
          let lines = MessagePanel(message, view: view, width: width).lines
          let ends = Set(lines.map(\.columns))
          #expect(ends.count == 1, "\(kind) \(width): \(text)")
          #expect((ends.first ?? 0) <= width)
        }
      }
    }
  }

  @Test func `what is narrower than can be read is wider`() {
    #expect(text(Self.message(.modal), width: 3) == text(Self.message(.modal), width: 20))
    #expect(MessagePanel(Self.message(.modal), width: 200).lines.map(\.columns).max() == 132)
  }
}
