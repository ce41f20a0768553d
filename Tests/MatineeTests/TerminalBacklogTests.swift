import Testing

@testable import matinee

/// What waits of a terminal's input.
@Suite struct TerminalBacklogTests {
  @Test func `the end finds room behind more lines than may wait`() async {
    let backlog = TerminalBacklog()
    let added = (0..<10_005).count { backlog.add(.line("\($0)")) }
    #expect(added == 10_000)
    #expect(!backlog.add(.unreadable("too long")))
    #expect(backlog.add(.end(nil)) && backlog.add(.interrupted))
    var lineCount = 0
    var others: [TerminalInput.Event] = []
    for await event in backlog.events {
      if case .line = event { lineCount += 1 } else { others.append(event) }
      if event == .interrupted { break }
    }
    #expect(lineCount == 10_000 && others == [.end(nil), .interrupted])
    #expect(backlog.add(.line("what was read makes room")))
  }
}
