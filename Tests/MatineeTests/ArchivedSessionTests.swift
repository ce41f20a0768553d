import GroupSessions
import Journals
import Naming
import Testing
import Vocabulary

@testable import matinee

/// Which session a text means, and how sessions are listed.
@Suite struct ArchivedSessionTests {
  private func session(_ id: SessionID, ended: Instant? = nil) -> ArchivedSession {
    ArchivedSession(
      id, group: "friday", title: "Film", began: Evening.began, ended: ended,
      reason: ended.map { _ in .empty }, events: 3)
  }

  @Test func `the beginning of a name is enough, if no other has it`() {
    let sessions = [session("s-ab"), session("s-abc"), session("s-b")]
    #expect(sessions.choice("s-b") == .one(sessions[2]))
    #expect(sessions.choice("s-abc") == .one(sessions[1]))
    #expect(sessions.choice("s-ab") == .one(sessions[0]))
    #expect(sessions.choice("s-a") == .several(["s-ab", "s-abc"]))
    #expect(sessions.choice("x") == .none)
    #expect([ArchivedSession]().choice("") == .none)
  }

  @Test func `a list has a line for each`() {
    let sessions = [session("s-1"), session("s-2", ended: Evening.began + .seconds(3723.4))]
    #expect(
      sessions.lines == [
        "SESSION  GROUP   ACTIVITY  BEGAN                    LASTED                         EVENTS",
        "s-1      friday  “Film”    2026-11-21 15:04:05 UTC  live                           3",
        "s-2      friday  “Film”    2026-11-21 15:04:05 UTC  1:02:03.4 (everyone has left)  3",
      ])
    #expect([ArchivedSession]().lines == ["the journal has no sessions"])
    #expect(
      sessions.jsonLines[0]
        == #"{"session":"s-1","group":"friday","title":"Film","began":1795273445000000,"events":3}"#
    )
  }
}
