import GroupSessions
import Journals
import MatineeTerminal
import Testing
import Vocabulary

@testable import matinee

/// A session's time line, and its state, as they are printed.
@Suite struct HistoryTextTests {
  private let plain = TextStyling(hasColor: false)

  @Test func `a time line says when, and who did what`() {
    #expect(
      HistoryText(Evening.history(), plain).lines == [
        "session s-1 of group friday: “Friday's film”",
        "began 2026-11-21 15:04:05 UTC, live; 10 events",
        "   1    0:00.0  Ann started “Friday's film” in group friday",
        "   2    0:01.0  Ann joined as a host",
        "   3    0:02.0  Ben joined as a guest",
        "   4    0:03.0  Ann opens “The Film”",
        "   5    0:04.0  Ann contributes “The Film”: paused at 0:00.0",
        "   6    0:05.0  “The Film” is 1:30:00.0 long",
        "   7    0:06.0  playing from 0:00.0",
        "   8    0:07.0  Ben put “next.mp4” into the queue, after “The Film”",
        "   9    0:08.0  Ann stepped out (busy)",
        "  10    0:09.0  Ben lost the connection",
      ])
  }

  @Test func `where the beginning is gone, that is said`() {
    let lines = HistoryText(Evening.history(8...10, snapshot: Evening.session), plain).lines
    #expect(lines[2] == "the first 7 events are past retention; states are known from 10 on")
    #expect(lines[3].hasSuffix("Ben put “next.mp4” into the queue, after “The Film”"))
    let last = HistoryText(Evening.history(10...10), plain).lines
    #expect(last[2] == "the first 9 events are past retention")
  }

  @Test func `colour changes nothing but the colour`() throws {
    let colored = HistoryText(Evening.history(), TextStyling(hasColor: true)).lines
    #expect(colored[3].contains("\u{1B}[1mAnn joined as a host"))
    #expect(colored[5].contains("\u{1B}[2mAnn opens"))
    let code = try Regex("\u{1B}\\[[0-9]+m")
    #expect(
      colored.map { $0.replacing(code, with: "") } == HistoryText(Evening.history(), plain).lines)
  }

  @Test func `JSON has the event, and the sentence`() {
    let lines = Evening.history().jsonLines
    #expect(lines.count == 11)
    #expect(lines[0].hasPrefix(#"{"session":"s-1","group":"friday","title":"Friday's film","#))
    #expect(
      lines[10] == #"{"seq":10,"at":1795273454000000,"since":9000000,"#
        + #""text":"Ben lost the connection","event":"lost","participant":"p-b","#
        + #""until":1795273485000000}"#)
  }

  @Test func `the state at an event says all there is`() {
    let now = Evening.at(11)
    #expect(
      Evening.session.stateLines(at: now, since: Evening.began) == [
        "session s-1 of group friday after event 10, 0:10.0 after it began (2026-11-21 15:04:15 UTC)",
        "“Friday's film”, started by Ann",
        "",
        "playback",
        "  “The Film” playing at 0:03.0 of 1:30:00.0",
        "",
        "participants",
        "  NAME  ROLE   STATE               JOINED  PARTICIPANT  DEVICE",
        "  Ann   host   busy                0:01.0  p-a          ann-1",
        "  Ben   guest  lost, until 0:40.0  0:02.0  p-b          ben-1",
        "",
        "suspensions",
        "  Ann: busy for 0:02.0",
        "",
        "queue",
        "  ▶ “The Film”",
        "    “next.mp4”, from Ben",
        "",
        "rules",
        "  everyone controls playback",
        "  nobody is waited for",
        "  it ends when its initiator dismisses it",
      ])
  }
}
