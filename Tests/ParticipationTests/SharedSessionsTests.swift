import Foundation
import GroupSessions
import Testing
import Vocabulary
import Wire

/// What a server told its peers on evenings by chance, to which the page's mirror keeps, too.
@Suite struct SharedSessionsTests {
  private static var file: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Browser/Cases/sessions.txt")
  }

  @Test func `every snapshot is the one before it and the events since`() throws {
    let cases = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "# ")
    #expect(cases.count == 4)
    var decoder = ServerLineDecoder(maximumBytes: 1_000_000)
    for story in cases {
      let lines = story.split(separator: "\n")
      var session: GroupSession?
      var snapshots = 0
      for (number, line) in lines.enumerated().dropFirst() {
        let place: Comment = "\(lines[0]), line \(number)"
        switch try decoder.decode(Array(line.utf8).span) {
        case .snapshot(let told):
          snapshots += 1
          #expect(session == nil || session == told.session, place)
          session = session ?? told.session
        case .event(_, let seq, let at, let event):
          session?.evolve(event, at: at)
          #expect(session?.seq == seq, place)
        case .withheld(_, let seq):
          let message = SessionEvent.messageSent(
            JSONText(validated: "0"), to: .only([]), by: ParticipantID("-"))
          session?.evolve(message, at: Instant(microseconds: 0))
          #expect(session?.seq == seq, place)
        default: Issue.record("another message: \(place)")
        }
      }
      #expect(snapshots > 2, "\(lines[0])")
    }
  }
}
