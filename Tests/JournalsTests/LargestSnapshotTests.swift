import Coordination
import GroupSessions
import Naming
import Testing
import Vocabulary
import WireTesting

@testable import Journals

/// A session at its bounds in the journal.
@Suite struct LargestSnapshotTests {
  @Test func `the largest session is written and read back`() throws {
    try JournalScene.run { scene in
      let session = GroupSession.largest()
      let beginning = SessionBeginning(
        group: session.group, activity: session.activity, initiator: session.initiator,
        joinBy: JournalScene.start)
      try scene.open()
      let events =
        [SessionEvent.began(beginning)]
        + (1..<session.seq).map { _ in SessionEvent.resumed("p-1") }
      scene.append(
        Append(
          to: .session(session.id), after: 0,
          events.map { RecordedEvent(at: JournalScene.start, event: .session($0)) }))
      scene.journal?.snapshot(.session(session))
      try scene.close()
      let stream = try #require(try scene.read().contents.streams.first)
      #expect(stream.snapshot == .session(session))
    }
  }
}
