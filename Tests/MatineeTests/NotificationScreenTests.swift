import MatineeTerminal
import Naming
import Testing
import UserNotifications
import Vocabulary

@testable import matinee

/// What is drawn of a notification on a terminal, and what is typed about it.
@Suite struct NotificationScreenTests {
  private func screen(
    _ category: NotificationCategory? = .groupWatchInvite(), title: String = "Sintel",
    body: String = "Ann invites you to watch together", columns: Int = 48
  ) -> NotificationScreen {
    let notification = UserNotification(
      id: "n1", date: Instant(microseconds: 0),
      content: NotificationContent(title: title, body: body), trigger: .push)
    return NotificationScreen(
      notification, category, size: TerminalSize(columns: columns, rows: 20))
  }

  private func text(_ screen: NotificationScreen) -> String {
    screen.lines.map(\.text).joined(separator: "\n")
  }

  @Test func `an invitation is a panel with its actions`() {
    #expect(
      text(screen()) == """
        ┌──────────────────────────────────────────────┐
        │  Sintel                                      │
        │  Ann invites you to watch together           │
        │  [ 1 Join ]  [ 2 Decline ]  [ 3 Reply ]      │
        └──────────────────────────────────────────────┘
        1: Join, 2: Decline, 3: Reply; return opens it; esc dismisses it; ignore
        """)
    #expect(
      text(screen(columns: 32)) == """
        ┌──────────────────────────────┐
        │  Sintel                      │
        │  Ann invites you to watch    │
        │  together                    │
        │  [ 1 Join ]                  │
        │  [ 2 Decline ]               │
        │  [ 3 Reply ]                 │
        └──────────────────────────────┘
        1: Join, 2: Decline, 3: Reply; return opens it; esc dismisses it; ignore
        """)
  }

  @Test func `an action that destroys something is red, and without any there are none`() {
    let red = screen().lines.flatMap(\.spans).filter { $0.style == .red }
    #expect(red.map(\.text) == ["[ 2 Decline ]"])
    #expect(text(screen(nil)).hasSuffix("\nreturn opens it; esc dismisses it; ignore"))
  }

  // Proves: K1, K12, K13
  @Test func `a number takes an action, return taps, esc dismisses`() {
    var screen = screen()
    #expect(screen.obey("1") == .act(.action(ActionIdentifier.accept, text: nil)))
    #expect(screen.obey("2") == .act(.action(ActionIdentifier.decline, text: nil)))
    #expect(screen.obey("4") == .nothing)
    #expect(screen.obey("") == .act(.tap))
    #expect(screen.obey("esc") == .act(.dismissal))
    #expect(screen.obey("tab") == .nothing)
    #expect(screen.obey("pause") == nil, "verbs are typed beside it")
  }

  // Proves: K24
  @Test func `an action that asks for a text takes the next line, whatever it says`() {
    var screen = screen()
    #expect(screen.obey("3") == .redraw)
    #expect(screen.isWriting)
    #expect(
      text(screen).hasSuffix(
        "write your text, such as “Be right there”; return sends it, esc gives it up"))
    #expect(screen.obey("") == .nothing)
    var other = screen
    #expect(other.obey("1") == .act(.action(ActionIdentifier.reply, text: "1")))
    other = screen
    #expect(other.obey("esc") == .redraw)
    #expect(!other.isWriting)
    #expect(screen.obey("leave  me") == .act(.action(ActionIdentifier.reply, text: "leave  me")))
  }

  @Test func `nothing of what it says is obeyed by a terminal`() {
    let evil = "\u{1B}[2J\u{202E}red\u{7}"
    let category = NotificationCategory(
      id: "X", actions: [NotificationAction(id: "a", title: "\(evil)\nx")])
    let lines = screen(category, title: evil, body: evil).lines
    for scalar in lines.flatMap({ $0.text.unicodeScalars }) {
      #expect(![.control, .format].contains(scalar.properties.generalCategory))
    }
    #expect(Set(lines.dropLast().map(\.columns)) == [48])
  }

  @Test func `four actions are drawn, and no more`() {
    let actions = (1...6).map { NotificationAction(id: "\($0)", title: "A\($0)") }
    var screen = screen(NotificationCategory(id: "X", actions: actions))
    #expect(text(screen).contains("[ 4 A4 ]") && !text(screen).contains("A5"))
    #expect(screen.obey("5") == .nothing)
  }
}
